package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.entry.ApplyReply;
import dev.weir.partition.entry.CanonicalTags;
import dev.weir.partition.entry.EntryBuilder;
import dev.weir.partition.entry.Section.CompactionSection;
import dev.weir.partition.entry.Section.FenceSection;
import dev.weir.partition.entry.Section.FlushSection;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.file.DataFileReader;
import dev.weir.partition.file.FieldVector;
import dev.weir.partition.file.MergeRows;
import dev.weir.partition.file.RowBatch;
import dev.weir.partition.file.RowSource;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.read.LatestQuery;
import dev.weir.partition.read.SeriesRow;
import dev.weir.partition.store.FileCache;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.StoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One replica folds a random log while its tables are flushed to real files, trimmed, and the process restarted; at any time files and buffer
 * together are the table, point by point, as {@link PartitionModel} has it. A failure names its seed.
 */
class TableFilesSimTest {
    private static final int ENTRIES = 150;
    private static final PartitionFence FENCE = new PartitionFence(List.of(new SlotRange(0, 3000)), 1, Rows.GENERATION);

    /** Of all seeds: one alone may have none. */
    private static final AtomicInteger COVERED = new AtomicInteger();

    private static final AtomicInteger FROM_FILES = new AtomicInteger();
    private static final AtomicInteger CHECKS = new AtomicInteger();
    private static final AtomicInteger WITHOUT_FILES = new AtomicInteger();
    private static final AtomicInteger REPEATING = new AtomicInteger();
    private static final AtomicInteger COMPACTIONS = new AtomicInteger();

    @TempDir
    private Path directory;

    @AfterAll
    static void someFilesWereCoveredAndSomeRepeatPoints() {
        assertThat(COVERED).hasPositiveValue();
        assertThat(FROM_FILES).hasPositiveValue();
        assertThat(WITHOUT_FILES).hasPositiveValue();
        assertThat(REPEATING).hasPositiveValue();
        assertThat(COMPACTIONS).hasPositiveValue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void filesAndBufferAreTheTable(int seed) throws Exception {
        Random random = new Random(seed);
        PartitionModel model = new PartitionModel(FENCE);
        SimWorkload workload = new SimWorkload(random, () -> model.events().size() + 1L);
        Path folder = Files.createDirectories(directory.resolve("unfinished"));
        try (ObjectStore store = ObjectStore.open(StoreConfig.folder(directory.resolve("store")))) {
            SimReplica replica = new SimReplica(directory.resolve("replica"), TableFilesSimTest::noOther, random);
            List<byte[]> log = new ArrayList<>();
            KeptCuts cuts = new KeptCuts(random);
            apply(replica, log, new FenceSection(FENCE.slots(), FENCE.epoch(), FENCE.generation()));
            int flushes = 0;
            int compactions = 0;
            int repeating = 0;
            int covered = 0;
            while (log.size() < ENTRIES) {
                int dice = random.nextInt(100);
                if (dice < 70) {
                    append(replica, log, model, workload.entry());
                } else if (dice < 86) {
                    FlushSection flush = flush(replica, store, folder, workload.tables(), random);
                    if (flush != null) {
                        apply(replica, log, flush);
                        flushes++;
                        repeating += flush.files().stream().anyMatch(StoredFile::repeats) ? 1 : 0;
                    }
                } else if (dice < 91) {
                    compactions += compact(replica, log, store, folder, workload.tables(), random);
                } else if (dice < 93) {
                    replica.snapshot();
                } else if (dice < 95) {
                    long seq = new TrimPlanner(replica.replica().opened()).plan(0, Long.MAX_VALUE, List.of());
                    append(replica, log, model, List.of(new SimOp.Trim(seq)));
                    workload.trimmed();
                } else {
                    replica.crash();
                    for (int index = (int) replica.applied(); index < log.size(); index++) {
                        replica.apply(index + 1, 1000 + index, log.get(index));
                    }
                }
                if (dice >= 70) {
                    covered += forget(replica, log, workload.tables());
                }
                if (dice >= 70 || log.size() % 10 == 0) {
                    check(replica, store, model, workload.tables());
                    cuts.take(replica.replica(), model, random.nextBoolean() ? "red" : "blue");
                    cuts.check(replica.replica(), model, store);
                }
            }
            assertThat(cuts.read()).isGreaterThan(10);
            check(replica, store, model, workload.tables());
            assertThat(flushes).isGreaterThan(5);
            COMPACTIONS.addAndGet(compactions);
            REPEATING.addAndGet(repeating);
            COVERED.addAndGet(covered);
            replica.close();
        }
    }

    private static ReplicaSource.Transfer noOther(String node, int partition, int generation) throws IOException {
        throw new IOException("no other node");
    }

    private static FlushSection flush(
            SimReplica replica, ObjectStore store, Path folder, List<TableSchema> tables, Random random)
            throws Exception {
        TableSchema table = tables.get(random.nextInt(tables.size()));
        return new TableFlush(
                        Rows.PARTITION, replica.replica().opened(), schema -> schema, new FileOutput(store, folder))
                .write(table.tableId(), 1);
    }

    /** Files of which deletes leave nothing go by an entry. */
    private static int forget(SimReplica replica, List<byte[]> log, List<TableSchema> tables) {
        int forgotten = 0;
        for (TableSchema table : tables) {
            TableCut cut = replica.replica().opened().cut(table.tableId()).orElse(null);
            List<String> keys = cut == null
                    ? List.of()
                    : cut.files().covered().stream().map(StoredFile::key).toList();
            if (!keys.isEmpty()) {
                EntryBuilder entry = new EntryBuilder(new DefinitionTable());
                entry.add(new CompactionSection(table.tableId(), keys, List.of(), cut.nextSeq() - 1, 1));
                apply(replica, log, entry.build());
                forgotten += keys.size();
            }
        }
        return forgotten;
    }

    /** Some of a table's files become one; now and then twice, of which the second is void. */
    private static int compact(
            SimReplica replica,
            List<byte[]> log,
            ObjectStore store,
            Path folder,
            List<TableSchema> tables,
            Random random)
            throws Exception {
        TableSchema table = tables.get(random.nextInt(tables.size()));
        TableCut cut = replica.replica().opened().cut(table.tableId()).orElse(null);
        if (cut == null || cut.files().files().size() < 2) {
            return 0;
        }
        List<StoredFile> files = cut.files().files();
        int from = random.nextInt(files.size() - 1);
        int to = from + 2 + random.nextInt(files.size() - from - 1);
        try (FileCache cache = FileCache.open(folder.resolveSibling("cache"), 1 << 20, store)) {
            CompactionSection section = new TableCompaction(Rows.PARTITION, cache, new FileOutput(store, folder))
                    .run(cut, new CompactionPlan(files.subList(from, to), from == 0), 1);
            EntryBuilder entry = new EntryBuilder(new DefinitionTable());
            entry.add(section);
            apply(replica, log, entry.build());
            if (random.nextInt(3) == 0) {
                apply(replica, log, entry.build());
            }
        }
        assertThat(replica.replica()
                        .opened()
                        .cut(table.tableId())
                        .orElseThrow()
                        .files()
                        .files())
                .hasSizeLessThan(files.size());
        return 1;
    }

    private static void append(SimReplica replica, List<byte[]> log, PartitionModel model, List<SimOp> ops) {
        EntryBuilder entry = new EntryBuilder(replica.replica().opened().definitions());
        ops.forEach(op -> op.addTo(entry));
        apply(replica, log, entry.build());
        model.apply(1000 + log.size() - 1, ops);
    }

    private static void apply(SimReplica replica, List<byte[]> log, FenceSection section) {
        EntryBuilder entry = new EntryBuilder(new DefinitionTable());
        entry.add(section);
        apply(replica, log, entry.build());
    }

    private static void apply(SimReplica replica, List<byte[]> log, FlushSection section) {
        EntryBuilder entry = new EntryBuilder(new DefinitionTable());
        entry.add(section);
        apply(replica, log, entry.build());
        assertThat(replica.replica()
                        .opened()
                        .cut(section.tableId())
                        .orElseThrow()
                        .files()
                        .flushedThrough())
                .isEqualTo(section.toSeq());
    }

    private static void apply(SimReplica replica, List<byte[]> log, ByteBuffer entry) {
        byte[] bytes = new byte[entry.remaining()];
        entry.get(bytes);
        log.add(bytes);
        ApplyReply.decode(replica.apply(log.size(), 1000 + log.size() - 1, bytes));
    }

    private static void check(SimReplica replica, ObjectStore store, PartitionModel model, List<TableSchema> tables)
            throws Exception {
        for (TableSchema table : tables) {
            Map<SeriesKey, Map<Long, Map<String, Object>>> expected =
                    new TreeMap<>(java.util.Comparator.comparing(SeriesKey::toString));
            model.table().points().forEach((key, points) -> {
                if (key.tenant().equals(table.tenant()) && key.table().equals(table.name()) && !points.isEmpty()) {
                    expected.put(key, points);
                }
            });
            Map<SeriesKey, Map<Long, Map<String, Object>>> found =
                    new TreeMap<>(java.util.Comparator.comparing(SeriesKey::toString));
            read(replica, store, table, RowPick.ALL, false, found);
            assertThat(found).isEqualTo(expected);
            checkNewest(replica, store, table, expected);
            long oldest = expected.values().stream()
                    .flatMap(points -> points.keySet().stream())
                    .mapToLong(Long::longValue)
                    .min()
                    .orElse(Long.MAX_VALUE);
            assertThat(replica.replica().oldestNanos(table.tableId())).isLessThanOrEqualTo(oldest);
            checkLatest(replica, store, table, expected);
        }
    }

    /** An image of newest rows has them whole; whatever else it has is older, and nothing is missing where an older one counts. */
    private static void checkNewest(
            SimReplica replica,
            ObjectStore store,
            TableSchema table,
            Map<SeriesKey, Map<Long, Map<String, Object>>> expected)
            throws Exception {
        long middle = expected.values().stream()
                .mapToLong(points -> java.util.Collections.max(points.keySet()))
                .min()
                .orElse(0);
        RowPick pick = CHECKS.incrementAndGet() % 2 == 0 ? RowPick.ALL : new RowPick(Long.MIN_VALUE, middle, Map.of());
        Map<SeriesKey, Map<Long, Map<String, Object>>> found =
                new TreeMap<>(java.util.Comparator.comparing(SeriesKey::toString));
        read(replica, store, table, pick, true, found);
        expected.forEach((key, points) -> points.keySet().stream()
                .filter(pick::covers)
                .max(Long::compare)
                .ifPresent(time -> assertThat(found.get(key)).containsEntry(time, points.get(time))));
        found.forEach((key, points) -> {
            points.keySet().removeIf(time -> !pick.covers(time));
            assertThat(expected.get(key)).containsAllEntriesOf(points);
        });
    }

    /** Also where the log no longer has the events that wrote the newest points. */
    private static void checkLatest(
            SimReplica replica,
            ObjectStore store,
            TableSchema table,
            Map<SeriesKey, Map<Long, Map<String, Object>>> expected)
            throws IOException {
        FileRows files = (file, as, series) -> {
            FROM_FILES.incrementAndGet();
            return DataFileReader.open(store.localPath(file.key()).orElseThrow(), as, series);
        };
        Map<SeriesKey, Map<Long, Map<String, Object>>> newest =
                new TreeMap<>(java.util.Comparator.comparing(SeriesKey::toString));
        expected.forEach((key, points) -> {
            long time = java.util.Collections.max(points.keySet());
            newest.put(key, Map.of(time, points.get(time)));
        });
        Map<SeriesKey, Map<Long, Map<String, Object>>> found =
                new TreeMap<>(java.util.Comparator.comparing(SeriesKey::toString));
        for (SeriesRow row : replica.replica()
                .latest(new LatestQuery(table.tenant(), table.name(), Map.of(), 1000), files)
                .rows()) {
            SeriesKey key = new SeriesKey(table.tenant(), table.name(), row.tags());
            found.put(key, Map.of(row.timestampNanos(), row.fields()));
        }
        assertThat(found).isEqualTo(newest);
    }

    private static void read(
            SimReplica replica,
            ObjectStore store,
            TableSchema table,
            RowPick pick,
            boolean newest,
            Map<SeriesKey, Map<Long, Map<String, Object>>> found)
            throws Exception {
        TableCut cut = replica.replica().opened().cut(table.tableId()).orElse(null);
        if (cut == null) {
            return;
        }
        TableImage image = replica.replica()
                .image(List.of(new PartitionImage.Need(table.tableId(), pick, newest)))
                .tables()
                .getFirst()
                .orElseThrow();
        if (image.filesOlderThanNewest() > 0) {
            WITHOUT_FILES.incrementAndGet();
        }
        List<RowSource> sources = new ArrayList<>();
        for (StoredFile file : image.files()) {
            sources.add(DataFileReader.open(store.localPath(file.key()).orElseThrow(), cut.schema()));
        }
        sources.add(sorted(image, cut.schema()));
        try (MergeRows merged =
                new MergeRows(cut.schema(), sources, new DeleteRules(image.deletes(), Long.MAX_VALUE))) {
            for (RowBatch batch = merged.next(); batch != null; batch = merged.next()) {
                take(batch, table, found);
            }
        }
    }

    /** The image's rows come as they were written; a merge wants them by series and time. */
    private static RowSource sorted(TableImage image, TableSchema schema) throws IOException {
        record Row(byte[] tags, long hash, long time, long seq, List<Object> values) {}
        List<Row> rows = new ArrayList<>();
        try (RowSource source = image.rows(schema)) {
            for (RowBatch batch = source.next(); batch != null; batch = source.next()) {
                for (int run = 0; run < batch.runs(); run++) {
                    for (int row = batch.runStart(run); row < batch.runEnd(run); row++) {
                        List<Object> values = new ArrayList<>();
                        for (int i = 0; i < batch.fieldColumns().size(); i++) {
                            values.add(value(batch.field(i), row));
                        }
                        rows.add(new Row(
                                batch.runTags(run), batch.runHash(run), batch.times()[row], batch.seqs()[row], values));
                    }
                }
            }
        }
        rows.sort(java.util.Comparator.comparing(Row::tags, java.util.Arrays::compareUnsigned)
                .thenComparing(Row::time)
                .thenComparing(Row::seq));
        RowBatch batch = new RowBatch(schema, Math.max(1, rows.size()));
        for (Row row : rows) {
            batch.series(row.tags, row.hash);
            int at = batch.add(row.time, row.seq);
            for (int i = 0; i < row.values.size(); i++) {
                set(batch.field(i), at, row.values.get(i));
            }
        }
        return new RowSource() {
            private boolean given;

            @Override
            public TableSchema schema() {
                return schema;
            }

            @Override
            public RowBatch next() {
                boolean first = !given && batch.rows() > 0;
                given = true;
                return first ? batch : null;
            }

            @Override
            public void close() {}
        };
    }

    private static void take(RowBatch batch, TableSchema table, Map<SeriesKey, Map<Long, Map<String, Object>>> found) {
        for (int run = 0; run < batch.runs(); run++) {
            byte[] tags = batch.runTags(run);
            SeriesKey key = new SeriesKey(table.tenant(), table.name(), CanonicalTags.decode(tags, 0, tags.length));
            assertThat(batch.runHash(run)).isEqualTo(key.hash());
            for (int row = batch.runStart(run); row < batch.runEnd(run); row++) {
                Map<String, Object> fields = new TreeMap<>();
                for (int i = 0; i < batch.fieldColumns().size(); i++) {
                    Column column = batch.fieldColumns().get(i);
                    Object value = value(batch.field(i), row);
                    if (value != null) {
                        fields.put(column.name(), value);
                    }
                }
                Object before =
                        found.computeIfAbsent(key, id -> new TreeMap<>()).put(batch.times()[row], fields);
                assertThat(before).as("%s at %d once", key, batch.times()[row]).isNull();
            }
        }
    }

    private static Object value(FieldVector field, int row) {
        if (field.isNull(row)) {
            return null;
        }
        return switch (field.type()) {
            case FLOAT64 -> field.getDouble(row);
            case INT64, UINT64 -> field.getLong(row);
            case BOOL -> field.getLong(row) == 1;
            case STRING -> new String(field.text(), field.textFrom(row), field.textLength(row), StandardCharsets.UTF_8);
        };
    }

    private static void set(FieldVector field, int row, Object value) {
        switch (value) {
            case null -> {}
            case Double number -> field.setDouble(row, number);
            case Long number -> field.setLong(row, number);
            case Boolean bool -> field.setBool(row, bool);
            case String text -> field.setText(row, text);
            default -> throw new IllegalArgumentException("value " + value);
        }
        assertThat(field.type()).isNotEqualTo(FieldType.UINT64);
    }
}
