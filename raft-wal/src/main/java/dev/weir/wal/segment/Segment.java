package dev.weir.wal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * One file of the log, as its readers see it. {@link SegmentWriter} publishes each record by a new {@link SegmentFile}, after its bytes
 * are in the file; what a reader finds below that image's length never changes.
 */
final class Segment {
    private final Path path;
    private final SharedFile shared;
    private volatile SparseIndex index;
    private volatile SegmentFile file;
    private volatile boolean headerChecked;

    Segment(Path path, SharedFile shared, SegmentFile file) {
        this.path = path;
        this.shared = shared;
        this.file = file;
        this.index = SparseIndex.startingAt(file.firstSeq(), file.firstCommittedAtNanos());
    }

    Path path() {
        return path;
    }

    SharedFile shared() {
        return shared;
    }

    SegmentFile file() {
        return file;
    }

    /** Makes a longer image visible. Called by the writer. */
    void publish(SegmentFile longer) {
        file = longer;
    }

    /**
     * Sets an index point at this record where one is due. Called by the writer and by whoever steps over records; where two do so at
     * once a point may be lost, which makes a later search longer and nothing else.
     */
    void index(RecordHeader header, long offset) {
        SparseIndex known = index;
        if (known.wants(offset)) {
            index = known.with(header.firstSeq(), header.committedAtNanos(), offset);
        }
    }

    /**
     * Reads records from the one that contains {@code seq} on, at most through the end of {@code image}.
     *
     * @param hint where that record stands, if that is known; else any point before it
     * @return where the record behind the last one read stands
     */
    SparseIndex.Point read(
            SegmentFile image,
            SparseIndex.Point hint,
            long seq,
            int maxBytes,
            boolean atLeastOne,
            List<SegmentRecord> target)
            throws IOException {
        SegmentFiles.OpenFile in = shared.acquire();
        try {
            checkHeader(in);
            SparseIndex.Point start = hint.seq() == seq ? hint : find(in, image, seq);
            return RecordReader.read(file.name(), in, start, image.bytes(), maxBytes, atLeastOne, target);
        } finally {
            shared.release();
        }
    }

    /** The seq of the first record of {@code image} committed at or after {@code committedAtNanos}; there is one. */
    long seekTime(SegmentFile image, long committedAtNanos) throws IOException {
        SegmentFiles.OpenFile in = shared.acquire();
        try {
            checkHeader(in);
            RecordScan scan = new RecordScan(image.name(), in, index.beforeTime(committedAtNanos), image.bytes());
            RecordHeader header = scan.next();
            while (header.committedAtNanos() < committedAtNanos) {
                index(header, scan.offset());
                header = scan.next();
            }
            return header.firstSeq();
        } finally {
            shared.release();
        }
    }

    /** Makes the file's bytes durable. */
    void force() throws IOException {
        SegmentFiles.OpenFile in = shared.acquire();
        try {
            in.force();
        } finally {
            shared.release();
        }
    }

    /** Copies bytes of the file as they are. */
    int copy(SegmentFile image, long offset, ByteBuffer target) throws IOException {
        int bytes = (int) Math.min(target.remaining(), Math.max(0, image.bytes() - offset));
        SegmentFiles.OpenFile in = shared.acquire();
        int limit = target.limit();
        try {
            return in.read(target.limit(target.position() + bytes), offset);
        } finally {
            target.limit(limit);
            shared.release();
        }
    }

    private SparseIndex.Point find(SegmentFiles.OpenFile in, SegmentFile image, long seq) throws IOException {
        RecordScan scan = new RecordScan(image.name(), in, index.atOrBeforeSeq(seq), image.bytes());
        RecordHeader header = scan.next();
        while (header.nextSeq() <= seq) {
            index(header, scan.offset());
            header = scan.next();
        }
        index(header, scan.offset());
        return new SparseIndex.Point(header.firstSeq(), scan.offset());
    }

    private void checkHeader(SegmentFiles.OpenFile in) throws IOException {
        if (headerChecked) {
            return;
        }
        ByteBuffer header = ByteBuffer.allocate(SegmentFormat.FILE_HEADER_BYTES);
        in.read(header, 0);
        SegmentFormat.checkFileHeader(header.flip(), file.name(), file.firstSeq());
        headerChecked = true;
    }
}
