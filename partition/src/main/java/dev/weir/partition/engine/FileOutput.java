package dev.weir.partition.engine;

import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.file.DataFileWriter;
import dev.weir.partition.file.FileHead;
import dev.weir.partition.file.FileLimits;
import dev.weir.partition.file.RowBatch;
import dev.weir.partition.file.RowSource;
import dev.weir.partition.file.WrittenFile;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.store.DataFileKeys;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Optional;
import java.util.UUID;

/** Writes rows of one UTC day to a file and stores it. Blocks on disk and store; any thread. */
final class FileOutput {
    private final ObjectStore store;
    private final Path temporary;

    /** @param temporary a folder on this node's disk for files being written */
    FileOutput(ObjectStore store, Path temporary) {
        this.store = store;
        this.temporary = temporary;
    }

    /**
     * What a file stands for.
     *
     * @param firstSeq no row has an earlier one
     * @param lastSeq inclusive
     * @param deletesThroughSeq deletes up to this seq are reflected
     */
    record Range(
            int partition,
            long firstSeq,
            long lastSeq,
            long firstCommittedAtNanos,
            long lastCommittedAtNanos,
            long deletesThroughSeq) {}

    /** Empty where the source has no row. */
    Optional<StoredFile> write(RowSource rows, TableCut cut, Range range, boolean repeats)
            throws IOException, StoreException, InterruptedException {
        RowBatch batch = rows.next();
        if (batch == null) {
            return Optional.empty();
        }
        Path path = temporary.resolve("file-" + UUID.randomUUID());
        FileHead head = new FileHead(cut.schema(), range.partition, range.firstSeq, range.lastSeq);
        WrittenFile written;
        try (DataFileWriter writer = DataFileWriter.create(path, head, FileLimits.DEFAULT)) {
            for (; batch != null; batch = rows.next()) {
                writer.append(batch);
            }
            written = writer.finish();
        }
        try {
            return Optional.of(stored(written, cut, range, repeats));
        } finally {
            Files.deleteIfExists(path);
        }
    }

    /** Each try has a key of its own, so that what a sweep has found to belong to nobody never comes to belong to somebody. */
    static byte[] unique() {
        UUID random = UUID.randomUUID();
        return ByteBuffer.allocate(Long.BYTES)
                .putLong(random.getMostSignificantBits() ^ random.getLeastSignificantBits())
                .array();
    }

    private StoredFile stored(WrittenFile written, TableCut cut, Range range, boolean repeats)
            throws StoreException, InterruptedException {
        TableSchema schema = cut.schema();
        String key = DataFileKeys.dataFile(
                schema.tenant(),
                schema.name(),
                schema.tableId(),
                LocalDate.ofEpochDay(BufferedRows.dayOf(written.minTimestampNanos())),
                range.partition,
                written.firstSeq(),
                written.lastSeq(),
                unique());
        store.put(key, written.file());
        return new StoredFile(
                key,
                written.file().bytes(),
                written.rows(),
                written.file().sha256(),
                written.minTimestampNanos(),
                written.maxTimestampNanos(),
                written.firstSeq(),
                written.lastSeq(),
                range.firstCommittedAtNanos,
                range.lastCommittedAtNanos,
                cut.slots(),
                repeats,
                range.deletesThroughSeq,
                schema.version());
    }
}
