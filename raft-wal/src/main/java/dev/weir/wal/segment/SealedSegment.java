package dev.weir.wal.segment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A segment in a file that belongs to no log and never changes: what {@link SegmentCopy} wrote, wherever it is now.
 *
 * <p>Threading: any thread. The file must be there while a call runs, and is open no longer than that. Each record's checksum is compared when it is read.
 */
public final class SealedSegment {
    private final Segment segment;
    private final ReadHints hints = new ReadHints();

    /** @param file what is in it; messages call it by that name */
    public SealedSegment(Path path, SegmentFile file) {
        this.segment = new Segment(path, new SharedFile(ChannelFile::readOnly, path), file);
    }

    /**
     * As {@link SegmentLog#read}, to the segment's end.
     *
     * @param fromSeq one of its events
     */
    public List<SegmentRecord> read(long fromSeq, int maxBytes) throws IOException {
        SegmentFile file = segment.file();
        if (fromSeq < file.firstSeq() || fromSeq >= file.nextSeq()) {
            throw new IllegalArgumentException("seq: expected one of " + file + ", found " + fromSeq);
        }
        List<SegmentRecord> records = new ArrayList<>();
        hints.put(segment, segment.read(file, hints.find(segment, fromSeq), fromSeq, maxBytes, true, records));
        return records;
    }

    /** As {@link SegmentLog#seekTime}; some record was committed then or later. */
    public long seekTime(long committedAtNanos) throws IOException {
        return segment.seekTime(segment.file(), committedAtNanos);
    }
}
