package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.delta.DeltaReader;
import dev.weir.partition.delta.Rewrite;
import dev.weir.partition.delta.TablePublisher;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.SeriesHash;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.store.DataFileKeys;
import dev.weir.partition.store.FileCache;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.S3Server;
import dev.weir.partition.store.StoreClaim;
import dev.weir.partition.store.StoreConfig;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.BatchId;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.partition.write.WriteResult;
import dev.weir.partition.write.WriterConfig;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogMembers;
import io.delta.kernel.expressions.Literal;
import io.delta.kernel.expressions.Predicate;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table is written, flushed, merged and published; Delta Kernel reads it back by its own way to files. */
class PublishTest {
    private static final LogGroupId GROUP = new LogGroupId(new UUID(1, 2));
    private static final PartitionFence ALL =
            new PartitionFence(List.of(new SlotRange(0, SeriesHash.SLOTS)), 1, Rows.GENERATION);
    /** Needs encoding in keys. */
    private static final String NAME = "cpu ü";

    private static final long DAY = 86_400_000_000_000L;
    private static final long NOON = 20_000 * DAY + DAY / 2;
    private static final Column HOST = new Column(1, "host", ColumnRole.TAG, FieldType.STRING, false);
    private static final Column DATE = new Column(2, "date", ColumnRole.FIELD, FieldType.STRING, false);
    private static final Column F = new Column(3, "f", ColumnRole.FIELD, FieldType.FLOAT64, false);
    private static final Column I = new Column(4, "i", ColumnRole.FIELD, FieldType.INT64, false);
    private static final Column U = new Column(5, "u", ColumnRole.FIELD, FieldType.UINT64, false);
    private static final Column B = new Column(6, "b", ColumnRole.FIELD, FieldType.BOOL, false);
    private static final TableSchema CPU = schema(1, HOST, DATE, F, I, U, B);
    private static final String PREFIX = DataFileKeys.tablePrefix("t", NAME, 7);

    @TempDir
    private Path directory;

    private final AtomicLong clock = new AtomicLong(1_000);
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final BufferBudget budget = new BufferBudget(10_000, 1 << 30);
    private final PartitionReplica replica = new PartitionReplica(
            Rows.PARTITION,
            Rows.GENERATION,
            ReplicaSettings.DEFAULT,
            budget,
            (node, partition, generation) -> {
                throw new IOException("no other node");
            },
            MovedSegments.NONE,
            executor);
    private final AtomicLong nowMs = new AtomicLong(1_700_000_000_000L);
    private long batch;
    private TableSchema newest = CPU;
    private MemoryLogHost host;
    private PartitionWriter writer;
    private ObjectStore store;
    private FileCache cache;
    private PartitionFlusher flusher;
    private TablePublisher publisher;
    private Path temporary;

    @BeforeEach
    void open() throws Exception {
        host = new MemoryLogHost(directory.resolve("log"), () -> clock.addAndGet(1_000));
        host.open(GROUP, LogMembers.joining(), replica).toCompletableFuture().get(10, TimeUnit.SECONDS);
        writer = new PartitionWriter(host, GROUP, replica, budget, WriterConfig.DEFAULT, () -> ALL, executor);
        temporary = Files.createDirectories(directory.resolve("unfinished"));
        use(ObjectStore.open(StoreConfig.folder(directory.resolve("store"))));
    }

    private void use(ObjectStore opened) throws IOException {
        store = opened;
        cache = FileCache.open(directory.resolve("cache"), 1 << 26, store);
        flusher = new PartitionFlusher(
                replica,
                writer,
                new FilePlace(cache, new StoreClaim(store, temporary, () -> "c"), temporary, Publications.NONE),
                FilePolicy.DEFAULT,
                schema -> newest,
                clock::get);
        publisher = new TablePublisher(store, temporary, nowMs::get);
    }

    @AfterEach
    void close() {
        close(cache, store);
        writer.close();
        host.close();
        executor.close();
    }

    @Test
    void readersSeeEveryValueExactly() throws Exception {
        List<Rows.Row> rows = List.of(
                Rows.row("a", NOON + 1, "f", 1.5, "i", Long.MIN_VALUE, "u", -1L, "b", true, "date", "x"),
                Rows.row("a", NOON + 999, "f", Double.NaN, "u", Long.MAX_VALUE),
                Rows.row("ä b", NOON + 1_000, "f", -0.0, "b", false),
                Rows.row("c", NOON - DAY, "f", Double.POSITIVE_INFINITY, "date", ""),
                Rows.row("", -1, "i", Long.MAX_VALUE, "u", 0L));
        write(rows);
        flusher.flushAll();

        TablePublisher.Round round = round();

        assertThat(round.version()).hasValue(0);
        assertThat(round.files()).isEqualTo(3);
        assertThat(round.rewrites()).isEmpty();
        assertThat(read()).containsExactlyInAnyOrderElementsOf(maps(rows));
        Map<String, String> properties = reader().snapshot().getTableProperties();
        assertThat(properties.get("weir.cut.seqs")).isEqualTo("3:7");
        assertThat(Cursor.decode(properties.get("weir.cut"), "t")).isEqualTo(Cursor.of(3, 7));
        assertThat(round().version()).as("nothing new").isEmpty();
    }

    @Test
    void readersSkipFilesByDayAndBounds() throws Exception {
        write(List.of(Rows.row("a", NOON, "f", 1.0), Rows.row("z", NOON + DAY, "f", 2.0)));
        flusher.flushAll();
        round();

        assertThat(filtered("host", "=", Literal.ofString("z"))).isEqualTo(1);
        assertThat(filtered("host", "=", Literal.ofString("m"))).isZero();
        assertThat(filtered("f", ">", Literal.ofDouble(1.5))).isEqualTo(1);
        assertThat(filtered("date", "=", Literal.ofDate(20_000))).isEqualTo(1);
        assertThat(filtered("time", ">", Literal.ofTimestamp((NOON + DAY / 2) / 1000)))
                .isEqualTo(1);
    }

    @Test
    void pointsInTwoFilesWaitUntilTheyAreOne() throws Exception {
        List<Rows.Row> first = List.of(Rows.row("a", NOON, "f", 1.0, "i", 5L), Rows.row("b", NOON, "f", 1.0));
        write(first);
        flusher.flushAll();
        round();
        write(List.of(Rows.row("a", NOON, "f", 2.0), Rows.row("b", NOON + DAY, "f", 3.0)));
        flusher.flushAll();

        TablePublisher.Round waiting = round();

        assertThat(waiting.rewrites()).hasSize(1);
        assertThat(waiting.through().get(3)).as("the cut waits with the day").isEqualTo(4);
        List<Rows.Row> half = new ArrayList<>(first);
        half.add(Rows.row("b", NOON + DAY, "f", 3.0));
        assertThat(read()).containsExactlyInAnyOrderElementsOf(maps(half));

        rewrite(waiting);
        TablePublisher.Round whole = round();

        assertThat(whole.rewrites()).isEmpty();
        assertThat(whole.through().get(3)).isEqualTo(6);
        assertThat(read())
                .containsExactlyInAnyOrderElementsOf(maps(List.of(
                        Rows.row("a", NOON, "f", 2.0, "i", 5L),
                        Rows.row("b", NOON, "f", 1.0),
                        Rows.row("b", NOON + DAY, "f", 3.0))));
        assertThat(dataChanges(2)).containsOnly(true);
    }

    @Test
    void mergesOfTheSameRowsAreNoChange() throws Exception {
        List<Rows.Row> rows = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Rows.Row row = Rows.row("a", NOON + i, "f", 1.0 + i);
            rows.add(row);
            write(List.of(row));
            flusher.flushAll();
        }
        assertThat(round().files()).isEqualTo(3);
        flusher.compact(7);

        assertThat(round().files()).isEqualTo(1);
        assertThat(dataChanges(1)).hasSize(4).containsOnly(false);
        assertThat(read()).containsExactlyInAnyOrderElementsOf(maps(rows));

        // A row came in with the merge.
        Rows.Row more = Rows.row("a", NOON + 9, "f", 9.0);
        rows.add(more);
        write(List.of(more));
        flusher.flushAll();
        flusher.compact(7);
        round();
        assertThat(dataChanges(2)).containsOnly(true);
        assertThat(read()).containsExactlyInAnyOrderElementsOf(maps(rows));
    }

    @Test
    void aRowThatCameWhileAnotherWentIsAChange() throws Exception {
        write(List.of(Rows.row("a", NOON, "f", 1.0), Rows.row("b", NOON, "f", 1.0)));
        flusher.flushAll();
        round();
        write(List.of(Rows.row("c", NOON, "f", 3.0)));
        flusher.flushAll();
        delete(List.of(new Tag("host", "a")), Long.MIN_VALUE, Long.MAX_VALUE);
        flusher.compact(7);

        round();

        assertThat(dataChanges(1)).hasSize(2).containsOnly(true);
        assertThat(read()).hasSize(2);
    }

    @Test
    void deletedRowsGoWhenFilesAreRewritten() throws Exception {
        write(List.of(
                Rows.row("a", NOON, "f", 1.0), Rows.row("b", NOON, "f", 2.0), Rows.row("b", NOON + DAY, "f", 3.0)));
        flusher.flushAll();
        round();
        delete(List.of(new Tag("host", "b")), NOON, NOON);

        TablePublisher.Round waiting = round();
        assertThat(waiting.rewrites()).hasSize(1);
        assertThat(read()).hasSize(3);
        rewrite(waiting);
        TablePublisher.Round done = round();

        assertThat(done.rewrites()).isEmpty();
        assertThat(done.through().get(3))
                .as("the delete's seq is before the cut")
                .isEqualTo(6);
        assertThat(read())
                .containsExactlyInAnyOrderElementsOf(
                        maps(List.of(Rows.row("a", NOON, "f", 1.0), Rows.row("b", NOON + DAY, "f", 3.0))));
        delete(List.of(), Long.MIN_VALUE, Long.MAX_VALUE);
        rewrite(round());
        assertThat(round().files()).isZero();
        assertThat(read()).isEmpty();
    }

    @Test
    void columnsComeGoAndComeAgain() throws Exception {
        write(List.of(Rows.row("a", NOON, "f", 1.0, "i", 1L)));
        flusher.flushAll();
        round();
        newest = schema(2, HOST, DATE, F, U, B);
        write(List.of(Rows.row("a", NOON + 1, "f", 2.0)));
        flusher.flushAll();
        round();
        assertThat(reader().snapshot().getSchema().fieldNames()).doesNotContain("i");

        newest = schema(3, HOST, DATE, F, U, B, new Column(7, "i", ColumnRole.FIELD, FieldType.STRING, false));
        write(List.of(Rows.row("a", NOON + 2, "f", 3.0, "i", "again")));
        flusher.flushAll();
        round();

        assertThat(read())
                .containsExactlyInAnyOrderElementsOf(maps(List.of(
                        Rows.row("a", NOON, "f", 1.0),
                        Rows.row("a", NOON + 1, "f", 2.0),
                        Rows.row("a", NOON + 2, "f", 3.0, "i", "again"))));
        assertThat(maps(List.of(Rows.row("a", NOON, "f", 1.0, "i", 1L))))
                .as("the first version stays as it was")
                .isEqualTo(reader().rows(reader().snapshot(0), Optional.empty()).stream()
                        .map(PublishTest::withoutSeq)
                        .toList());
    }

    @Test
    void wholeNumbersBecomeDoubleAllAtOnce() throws Exception {
        write(List.of(Rows.row("a", NOON, "i", 1L), Rows.row("a", NOON + DAY, "i", 2L)));
        flusher.flushAll();
        round();
        newest = schema(2, HOST, DATE, F, new Column(4, "i", ColumnRole.FIELD, FieldType.FLOAT64, false), U, B);
        write(List.of(Rows.row("a", NOON + 2 * DAY, "i", 2.5)));
        flusher.flushAll();

        TablePublisher.Round waiting = round();

        assertThat(waiting.version()).isEmpty();
        assertThat(waiting.rewrites()).hasSize(2);
        assertThat(read()).hasSize(2);
        rewrite(waiting);
        assertThat(round().version()).hasValue(1);
        assertThat(read())
                .containsExactlyInAnyOrderElementsOf(maps(List.of(
                        Rows.row("a", NOON, "i", 1.0),
                        Rows.row("a", NOON + DAY, "i", 2.0),
                        Rows.row("a", NOON + 2 * DAY, "i", 2.5))));
    }

    @Test
    void aFileWithColumnsThatAreNotKnownYetIsNotWrittenAgain() throws Exception {
        newest = schema(2, HOST, DATE, F, I, U, B, new Column(7, "more", ColumnRole.FIELD, FieldType.INT64, false));
        write(List.of(Rows.row("a", NOON, "more", 1L)));
        flusher.flushAll();
        List<String> keys =
                replica.tableFiles(7).files().stream().map(StoredFile::key).toList();

        newest = CPU;
        assertThat(flusher.rewrite(7, keys)).as("the column would be lost").isFalse();
        newest = schema(2, HOST, DATE, F, I, U, B, new Column(7, "more", ColumnRole.FIELD, FieldType.INT64, false));
        assertThat(flusher.rewrite(7, keys)).isTrue();
    }

    @Test
    void theLogIsCheckpointedAndCutOff() throws Exception {
        List<Rows.Row> rows = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            Rows.Row row = Rows.row("a", NOON + i, "f", 1.0 + i);
            rows.add(row);
            write(List.of(row));
            flusher.flushAll();
            if (i % 10 == 9) {
                flusher.compact(7);
            }
            if (i == 20) {
                // By the store's clock; the first checkpoint's versions are older.
                nowMs.set(System.currentTimeMillis() + TimeUnit.DAYS.toMillis(2));
            }
            assertThat(round().version()).hasValue(i);
        }

        assertThat(read()).containsExactlyInAnyOrderElementsOf(maps(rows));
        try (Stream<Path> log = Files.list(folder().resolve("_delta_log"))) {
            assertThat(log.map(file -> file.getFileName().toString()))
                    .contains("_last_checkpoint", String.format("%020d.checkpoint.parquet", 20))
                    .doesNotContain(String.format("%020d.json", 0));
        }
    }

    @Test
    void readersOfABucketSeeTheSame() throws Exception {
        close(cache, store);
        try (S3Server server = S3Server.start(Files.createDirectories(directory.resolve("s3")))) {
            server.createBucket("bucket");
            use(server.open("s3://bucket/some/prefix"));
            List<Rows.Row> rows = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                Rows.Row row = Rows.row("a", NOON + i, "f", 1.0 + i);
                rows.add(row);
                write(List.of(row));
                flusher.flushAll();
                assertThat(round().version()).hasValue(i);
            }
            flusher.compact(7);
            round();

            DeltaReader reader = DeltaReader.ofStore(store, PREFIX, temporary);
            assertThat(reader.rows().stream().map(PublishTest::withoutSeq))
                    .containsExactlyInAnyOrderElementsOf(maps(rows));
            assertThat(publisher.keys(PREFIX)).hasSize(1);
            assertThat(store.stat(PREFIX + "_delta_log/_last_checkpoint")).isPresent();
        }
    }

    /** A sweep has begun to remove the log of a table that was not published for a while. */
    @Test
    void aLogWithHolesBeginsAnew() throws Exception {
        for (int i = 0; i < 3; i++) {
            write(List.of(Rows.row("a", NOON + i, "f", 1.0 + i)));
            flusher.flushAll();
            round();
        }
        store.delete(PREFIX + "_delta_log/" + String.format("%020d.json", 1));
        assertThatThrownBy(() -> publisher.keys(PREFIX))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("parts are missing, found commits: 2 from 0 to 2");

        assertThat(round().version()).hasValue(0);

        assertThat(read()).hasSize(3);
        assertThat(publisher.keys(PREFIX)).hasSize(3);
    }

    @Test
    void ofTwoPublishersOneCommits() throws Exception {
        write(List.of(Rows.row("a", NOON, "f", 1.0)));
        flusher.flushAll();
        TablePublisher other = new TablePublisher(store, temporary, nowMs::get);

        assertThatThrownBy(() -> publisher.round(
                        PREFIX,
                        () -> {
                            other.round(PREFIX, () -> List.of(replica.tableFiles(7)), () -> newest);
                            return List.of(replica.tableFiles(7));
                        },
                        () -> newest))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(PREFIX);
        assertThat(round().version()).isEmpty();
        assertThat(read()).hasSize(1);
    }

    private static void close(FileCache cache, ObjectStore store) {
        cache.close();
        store.close();
    }

    private TablePublisher.Round round() throws Exception {
        return publisher.round(PREFIX, () -> List.of(replica.tableFiles(7)), () -> newest);
    }

    private void rewrite(TablePublisher.Round round) throws Exception {
        for (Rewrite each : round.rewrites()) {
            assertThat(flusher.rewrite(7, each.keys())).isTrue();
        }
    }

    private void write(List<Rows.Row> rows) throws Exception {
        AppendRequest request = Rows.request(++batch, Rows.block(newest, rows));
        assertThat(writer.append(request).toCompletableFuture().get(10, TimeUnit.SECONDS))
                .isInstanceOf(WriteResult.Answered.class);
    }

    private void delete(List<Tag> tags, long from, long to) throws Exception {
        writer.delete(new DeleteRequest(
                        Rows.PARTITION,
                        Rows.GENERATION,
                        new BatchId("front", 1, ++batch),
                        "t",
                        7,
                        NAME,
                        null,
                        new DeleteRequest.Range(tags, from, to, false),
                        "change"))
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    private Path folder() {
        return directory.resolve("store").resolve(PREFIX);
    }

    private DeltaReader reader() {
        return DeltaReader.ofFolder(folder());
    }

    private List<Map<String, Object>> read() throws IOException {
        return reader().rows().stream().map(PublishTest::withoutSeq).toList();
    }

    private int filtered(String column, String operator, Literal value) throws IOException {
        Predicate filter = new Predicate(operator, new io.delta.kernel.expressions.Column(column), value);
        return reader().files(
                        reader().snapshot().getScanBuilder().withFilter(filter).build())
                .size();
    }

    /** Of all files that a version adds or removes. */
    private List<Boolean> dataChanges(long version) throws IOException {
        List<Boolean> flags = new ArrayList<>();
        for (String line :
                Files.readAllLines(folder().resolve("_delta_log").resolve("%020d.json".formatted(version)))) {
            JsonNode action = new ObjectMapper().readTree(line);
            for (String kind : List.of("add", "remove")) {
                if (action.has(kind)) {
                    flags.add(action.get(kind).get("dataChange").asBoolean());
                }
            }
        }
        return flags;
    }

    private static Map<String, Object> withoutSeq(Map<String, Object> row) {
        Map<String, Object> map = new LinkedHashMap<>(row);
        assertThat(map.remove("_seq")).isInstanceOf(Long.class);
        return map;
    }

    private List<Map<String, Object>> maps(List<Rows.Row> rows) {
        return rows.stream().map(PublishTest::map).toList();
    }

    private static Map<String, Object> map(Rows.Row row) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("nanos", row.time());
        map.put("date", LocalDate.ofEpochDay(Math.floorDiv(row.time(), DAY)));
        if (!row.host().isEmpty()) {
            map.put("host", row.host());
        }
        row.fields().forEach((name, value) -> {
            Object read = name.equals("u") ? new BigInteger(Long.toUnsignedString((long) value)) : value;
            map.put(name.equals("date") ? "date__c2" : name, read);
        });
        return map;
    }

    private static TableSchema schema(int version, Column... columns) {
        return new TableSchema(7, "t", NAME, version, false, List.of(columns));
    }
}
