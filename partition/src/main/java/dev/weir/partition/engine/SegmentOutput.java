package dev.weir.partition.engine;

import dev.weir.partition.entry.MovedSegment;
import dev.weir.partition.store.LocalFile;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.StoreException;
import dev.weir.wal.segment.SegmentCopy;
import dev.weir.wal.segment.SegmentFile;
import dev.weir.wal.segment.SegmentLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;

/**
 * Stores a copy of a change segment. Never the file itself: what is cut off here after a crash must stay as it is in a store that keeps links. Blocks on disk and store; any
 * thread.
 */
final class SegmentOutput {
    private static final String FOLDER = ".weir-cluster/segments/";

    private final int partition;
    private final ObjectStore store;
    private final Path temporary;

    /** @param temporary a folder on this node's disk for files being written */
    SegmentOutput(int partition, ObjectStore store, Path temporary) {
        this.partition = partition;
        this.store = store;
        this.temporary = temporary;
    }

    /** What all keys of a partition's moved segments begin with. */
    static String prefix(int partition) {
        return FOLDER + "p" + partition + "/";
    }

    /**
     * Stores events under a key of their own, as each try does: what a sweep has found to belong to nobody never comes to belong to somebody.
     *
     * @param fromSeq where they begin: the segment's first, or a later one that begins a record
     */
    MovedSegment write(SegmentLog log, SegmentFile segment, long fromSeq)
            throws IOException, StoreException, InterruptedException {
        Path path = temporary.resolve("segment-" + UUID.randomUUID());
        try {
            SegmentFile copy = SegmentCopy.write(log, fromSeq, segment.nextSeq(), path);
            LocalFile file = LocalFile.of(path);
            String key = String.format(
                    Locale.ROOT,
                    "%sp%d-%020d-%d-%s.seg",
                    prefix(partition),
                    partition,
                    copy.firstSeq(),
                    copy.nextSeq(),
                    HexFormat.of().formatHex(FileOutput.unique()));
            store.put(key, file);
            return new MovedSegment(
                    key,
                    file.bytes(),
                    file.sha256(),
                    copy.firstSeq(),
                    copy.nextSeq(),
                    copy.firstCommittedAtNanos(),
                    copy.lastCommittedAtNanos());
        } finally {
            Files.deleteIfExists(path);
        }
    }
}
