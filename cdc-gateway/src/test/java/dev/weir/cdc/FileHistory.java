package dev.weir.cdc;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.engine.CutPlace;
import dev.weir.partition.engine.CutRequest;
import dev.weir.partition.engine.CutRows;
import dev.weir.partition.engine.FileRows;
import dev.weir.partition.engine.History;
import dev.weir.partition.engine.PartitionCut;
import dev.weir.partition.entry.CanonicalTags;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.file.DataFileReader;
import dev.weir.partition.file.DataFileWriter;
import dev.weir.partition.file.FileHead;
import dev.weir.partition.file.FileLimits;
import dev.weir.partition.file.RowBatch;
import dev.weir.partition.file.RowSource;
import dev.weir.partition.file.WrittenFile;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;

/** Partitions with one table, {@code cpu}, of points with a double, whose rows were flushed to real files: of each point the newest alone. */
final class FileHistory implements History {
    private static final TableSchema SCHEMA =
            MemoryBatch.point("cpu", "h", 0, 0.0).schema();

    static final long DAY = Duration.ofDays(1).toNanos();

    private final MemoryCluster cluster;
    private final Path folder;
    private final Map<Integer, List<StoredFile>> files = new ConcurrentHashMap<>();
    private final Map<String, PartitionCut> stored = new ConcurrentHashMap<>();

    /** Cuts that were asked for. */
    final AtomicInteger cuts = new AtomicInteger();

    /** What happens between the next cut and its answer. */
    final AtomicReference<Runnable> afterCut = new AtomicReference<>(() -> {});

    /** Called with the number of files that were opened before this one. */
    volatile IntConsumer onOpen = number -> {};

    private final AtomicInteger opened = new AtomicInteger();

    /** Whether the files of a day can be open together. */
    volatile boolean roomy = true;

    FileHistory(MemoryCluster cluster, Path folder) {
        this.cluster = cluster;
        this.folder = folder;
    }

    /** Makes files of what the log has from a seq on, one for each day. */
    void flush(int partition, long fromSeq) throws IOException {
        Map<List<Object>, ChangeEvent> newest = new HashMap<>();
        ChangeEvent last = null;
        for (ChangeEvent event : cluster.log(partition).events()) {
            if (event.seq() >= fromSeq) {
                newest.put(List.of(event.tags(), event.timestampNanos()), event);
                last = event;
            }
        }
        SortedMap<Long, List<ChangeEvent>> days = new TreeMap<>();
        for (ChangeEvent row : newest.values()) {
            days.computeIfAbsent(Math.floorDiv(row.timestampNanos(), DAY), day -> new ArrayList<>())
                    .add(row);
        }
        for (List<ChangeEvent> rows : days.values()) {
            rows.sort(Comparator.comparing(
                            (ChangeEvent row) -> row.tags().getFirst().value())
                    .thenComparing(ChangeEvent::timestampNanos));
            write(partition, fromSeq, rows, last);
        }
    }

    private void write(int partition, long fromSeq, List<ChangeEvent> rows, ChangeEvent last) throws IOException {
        Path path =
                folder.resolve(partition + "-" + fromSeq + "-" + rows.getFirst().timestampNanos());
        WrittenFile written;
        try (DataFileWriter writer =
                DataFileWriter.create(path, new FileHead(SCHEMA, partition, fromSeq, last.seq()), FileLimits.DEFAULT)) {
            writer.append(batch(rows));
            written = writer.finish();
        }
        files.computeIfAbsent(partition, id -> new ArrayList<>())
                .add(new StoredFile(
                        path.toString(),
                        written.file().bytes(),
                        written.rows(),
                        written.file().sha256(),
                        written.minTimestampNanos(),
                        written.maxTimestampNanos(),
                        written.firstSeq(),
                        written.lastSeq(),
                        1,
                        last.committedAtNanos(),
                        List.of(new SlotRange(0, 1)),
                        true,
                        last.seq(),
                        SCHEMA.version()));
    }

    private static RowBatch batch(List<ChangeEvent> rows) {
        RowBatch batch = new RowBatch(SCHEMA);
        for (ChangeEvent row : rows) {
            batch.series(
                    CanonicalTags.encode(row.tags()),
                    new SeriesKey(row.tenant(), row.measurement(), row.tags()).hash());
            batch.field(0).setDouble(batch.add(row.timestampNanos(), row.seq()), (Double)
                    row.fields().get("value"));
        }
        return batch;
    }

    @Override
    public CompletionStage<CutPlace> cut(int partition, CutRequest request) {
        cuts.incrementAndGet();
        long next = cluster.log(partition).nextSeq();
        List<StoredFile> of = files.getOrDefault(partition, List.of());
        long through = of.stream()
                .mapToLong(file -> file.deletesThroughSeq() + 1)
                .max()
                .orElse(next);
        List<PartitionCut.Table> tables =
                of.isEmpty() ? List.of() : List.of(new PartitionCut.Table(SCHEMA, through, of, List.of()));
        PartitionCut cut = new PartitionCut(partition, next, tables);
        stored.put(request.leaseId() + partition, cut);
        afterCut.getAndSet(() -> {}).run();
        return CompletableFuture.completedFuture(new CutPlace(partition, cut.fromSeq(), next));
    }

    @Override
    public PartitionCut stored(String leaseId, int partition) {
        return stored.get(leaseId + partition);
    }

    @Override
    public CutRows rows(PartitionCut cut, PartitionCut.Table table, PartitionFeed feed) throws IOException {
        return new CutRows(cut, table, new Files(), feed);
    }

    private final class Files implements FileRows {
        @Override
        public RowSource open(StoredFile file, TableSchema as, List<List<Tag>> series) throws IOException {
            onOpen.accept(opened.getAndIncrement());
            return DataFileReader.open(Path.of(file.key()), as);
        }

        @Override
        public boolean fits(List<StoredFile> together) {
            return roomy;
        }
    }
}
