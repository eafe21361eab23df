package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FeedPage;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.SeriesHash;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.read.LatestQuery;
import dev.weir.partition.read.SeriesRow;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendOutcome.Applied;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.BatchId;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.partition.write.WriteResult;
import dev.weir.partition.write.WriterConfig;
import dev.weir.wal.LogException;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogMembers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionWriterTest {
    private static final LogGroupId GROUP = new LogGroupId(new UUID(1, 2));
    private static final TableSchema CPU = Rows.schema(7, "t", "cpu", 1);
    private static final PartitionFence ALL =
            new PartitionFence(List.of(new SlotRange(0, SeriesHash.SLOTS)), 1, Rows.GENERATION);

    @TempDir
    private Path directory;

    private final AtomicLong clock = new AtomicLong(1_000);
    private volatile Runnable onApply = () -> {};
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final BufferBudget budget = new BufferBudget(100, 1 << 30);
    private final PartitionReplica replica = new PartitionReplica(
            Rows.PARTITION, Rows.GENERATION, ReplicaSettings.DEFAULT, budget, noSource(), MovedSegments.NONE, executor);
    private MemoryLogHost host;
    private PartitionWriter writer;

    @BeforeEach
    void open() throws Exception {
        host = new MemoryLogHost(directory, () -> {
            onApply.run();
            return clock.addAndGet(1_000);
        });
        host.open(GROUP, LogMembers.joining(), replica).toCompletableFuture().get(10, TimeUnit.SECONDS);
        writer = new PartitionWriter(host, GROUP, replica, budget, WriterConfig.DEFAULT, () -> ALL, executor);
    }

    @AfterEach
    void close() {
        writer.close();
        host.close();
        executor.close();
    }

    @Test
    void tellsInsertFromUpdateAndShowsBothInTheFeed() throws Exception {
        Applied first =
                applied(Rows.request(1, Rows.block(CPU, Rows.row("a", 10, "f", 1.5), Rows.row("b", 10, "i", 7L))));
        Applied second =
                applied(Rows.request(2, Rows.block(CPU, Rows.row("a", 10, "s", "x"), Rows.row("a", 11, "f", 2.0))));

        assertThat(first).isEqualTo(new Applied(4, 2, 0, List.of()));
        assertThat(second).isEqualTo(new Applied(6, 1, 1, List.of()));
        List<ChangeEvent> events = events();
        assertThat(events).extracting(ChangeEvent::seq).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(events.getFirst().type()).isEqualTo(EventType.SCHEMA_CHANGED);
        assertThat(events)
                .extracting(ChangeEvent::operation)
                .containsExactly(
                        Operation.NONE, Operation.INSERT, Operation.INSERT, Operation.UPDATE, Operation.INSERT);
        assertThat(events.get(3).fields()).isEqualTo(Map.of("s", "x"));
        assertThat(events.get(3).tags()).containsExactly(new Tag("host", "a"));
    }

    @Test
    void mergesTheLatestPointByField() throws Exception {
        applied(Rows.request(1, Rows.block(CPU, Rows.row("a", 10, "f", 1.5, "i", 1L), Rows.row("b", 10, "i", 7L))));
        applied(Rows.request(2, Rows.block(CPU, Rows.row("a", 10, "i", 2L, "s", "x"))));
        applied(Rows.request(3, Rows.block(CPU, Rows.row("a", 9, "f", 9.0))));

        List<SeriesRow> rows = latest();

        assertThat(rows).hasSize(2);
        assertThat(rows.get(0).timestampNanos()).isEqualTo(10);
        assertThat(rows.get(0).fields()).isEqualTo(Map.of("f", 1.5, "i", 2L, "s", "x"));
        assertThat(rows.get(1).fields()).isEqualTo(Map.of("i", 7L));
    }

    @Test
    void aFullDiskTakesATrim() throws Exception {
        applied(Rows.request(1, Rows.block(CPU, Rows.row("a", 10, "f", 1.5))));
        host.failure = new LogException(LogException.Kind.DISK_FULL, "0 bytes free, expected at least 1");

        assertThat(writer.tick().toCompletableFuture()).failsWithin(10, TimeUnit.SECONDS);
        assertThat(writer.trim(1).toCompletableFuture()).succeedsWithin(10, TimeUnit.SECONDS);
    }

    @Test
    void answersARepeatedBatchWithoutAppending() throws Exception {
        AppendRequest request = Rows.request(1, Rows.block(CPU, Rows.row("a", 10, "f", 1.5)));
        Applied first = applied(request);
        Applied again = applied(request);

        assertThat(again).isEqualTo(first);
        assertThat(events()).hasSize(2);
        assertThat(replica.stats().repeatedBatches()).isEqualTo(1);
    }

    /** Several times, since a slow machine can make any one gap long. */
    @RepeatedTest(3)
    void requestsThatFoundCompanyGatherLongerWhereAppendsAreSlow() throws Exception {
        for (int round = 0; round < 5; round++) {
            assertThat(gapAfterASlowAppend(10 * round)).isGreaterThanOrEqualTo(GatherPace.LONGEST_NANOS);
        }
    }

    /** From the apply of an entry that took long to that of the request that came meanwhile, in nanoseconds. */
    private long gapAfterASlowAppend(int number) throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        List<Long> applied = Collections.synchronizedList(new ArrayList<>());
        onApply = () -> {
            awaitQuietly(slow);
            applied.add(System.nanoTime());
        };
        long start = System.nanoTime();
        CompletionStage<WriteResult> first =
                writer.append(Rows.request(number + 1, Rows.block(CPU, Rows.row("a", number, "f", 1.5))));
        await().until(() -> writer.stats().inFlight() == 1);
        CompletionStage<WriteResult> second =
                writer.append(Rows.request(number + 2, Rows.block(CPU, Rows.row("b", number, "f", 1.5))));
        await().until(() -> writer.stats().waiting() == 1
                && System.nanoTime() - start > 2 * (GatherPace.CALM_NANOS + GatherPace.LONGEST_NANOS));
        slow.countDown();
        first.toCompletableFuture().get(10, TimeUnit.SECONDS);
        second.toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertThat(applied).hasSize(2);
        return applied.get(1) - applied.get(0);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void deletesASeriesAndDropsATable() throws Exception {
        applied(Rows.request(1, Rows.block(CPU, Rows.row("a", 10, "f", 1.5), Rows.row("b", 10, "i", 7L))));
        applied(delete(2, List.of(new Tag("host", "a"))));
        assertThat(latest()).extracting(SeriesRow::tags).containsExactly(List.of(new Tag("host", "b")));
        assertThat(budget.rows()).as("until a flush, deleted ones too").isEqualTo(2);

        Applied dropped = applied(delete(3, null));
        Applied late = applied(Rows.request(4, Rows.block(CPU, Rows.row("a", 12, "f", 1.5))));

        assertThat(latest()).isEmpty();
        assertThat(dropped.nextSeq()).isEqualTo(6);
        assertThat(late.voided())
                .singleElement()
                .satisfies(row -> assertThat(row.code()).isEqualTo(ErrorCode.TABLE_DROPPED));
        assertThat(events())
                .extracting(ChangeEvent::type)
                .endsWith(EventType.SERIES_DELETED, EventType.MEASUREMENT_DROPPED);
    }

    @Test
    void refusesRowsOnceBuffersAreFull() throws Exception {
        List<Rows.Row> rows = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            rows.add(Rows.row("a", i, "f", 1.0));
        }
        applied(Rows.request(1, Rows.block(CPU, rows)));

        WriteResult refused = get(Rows.request(2, Rows.block(CPU, Rows.row("a", 1000, "f", 1.0))));

        assertThat(refused)
                .isInstanceOfSatisfying(
                        WriteResult.Answered.class,
                        answered -> assertThat(answered.outcome())
                                .isInstanceOfSatisfying(
                                        AppendOutcome.Refused.class,
                                        no -> assertThat(no.refusal().code()).isEqualTo(ErrorCode.BUFFERS_FULL)));
    }

    @Test
    void namesTheLeaderWhenAnotherNodeLeads() throws Exception {
        host.failure = new LogException(LogException.Kind.NOT_LEADER, "node-2 leads", "node-2", null);
        WriteResult result = get(Rows.request(1, Rows.block(CPU, Rows.row("a", 10, "f", 1.5))));
        assertThat(result)
                .isInstanceOfSatisfying(
                        WriteResult.TryElsewhere.class,
                        elsewhere -> assertThat(elsewhere.leader()).isEqualTo("node-2"));
    }

    private List<SeriesRow> latest() throws IOException {
        return replica.latest(new LatestQuery("t", "cpu", Map.of(), 100), OneReplica.NO_FILES)
                .rows();
    }

    private List<ChangeEvent> events() throws IOException {
        List<ChangeEvent> events = new ArrayList<>();
        long seq = replica.feed().oldestSeq();
        while (seq < replica.feed().nextSeq()) {
            FeedPage page = replica.feed().read(seq, 100);
            for (ChangeBatch batch : page.batches()) {
                for (int row = 0; row < batch.count(); row++) {
                    events.add(batch.event(row));
                }
            }
            seq = page.nextSeq();
        }
        return events;
    }

    private Applied applied(AppendRequest request) throws Exception {
        return (Applied) ((WriteResult.Answered) get(request)).outcome();
    }

    private Applied applied(DeleteRequest request) throws Exception {
        return (Applied) ((WriteResult.Answered)
                        writer.delete(request).toCompletableFuture().get(10, TimeUnit.SECONDS))
                .outcome();
    }

    private WriteResult get(AppendRequest request) throws Exception {
        return writer.append(request).toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private static DeleteRequest delete(long counter, List<Tag> tags) {
        return new DeleteRequest(
                Rows.PARTITION, Rows.GENERATION, new BatchId("front", 1, counter), "t", 7, "cpu", tags, "change-1");
    }

    static ReplicaSource noSource() {
        return (node, partition, generation) -> {
            throw new IOException("no other node");
        };
    }
}
