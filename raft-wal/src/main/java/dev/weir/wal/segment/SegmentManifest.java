package dev.weir.wal.segment;

import java.util.List;

/** The durable part of a {@link SegmentLog}: which files, and how much of each, oldest first. */
public record SegmentManifest(long oldestSeq, long nextSeq, List<SegmentFile> files) {
    public SegmentManifest {
        files = List.copyOf(files);
    }

    /** Of a log whose first event will be {@code firstSeq}. */
    public static SegmentManifest empty(long firstSeq) {
        return new SegmentManifest(firstSeq, firstSeq, List.of());
    }
}
