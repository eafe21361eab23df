package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.entry.EntryBuilder;
import dev.weir.partition.model.SeriesHash;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.TenantSeriesQuota;
import dev.weir.partition.write.WriteResult;
import dev.weir.partition.write.WriterConfig;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogMembers;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults of one entry: every request gets an answer, and the entries after it go on. */
class EntrySenderTest {
    private static final LogGroupId GROUP = new LogGroupId(new UUID(1, 2));
    private static final PartitionFence ALL =
            new PartitionFence(List.of(new SlotRange(0, SeriesHash.SLOTS)), 1, Rows.GENERATION);

    @TempDir
    private Path directory;

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final PartitionReplica replica = new PartitionReplica(
            Rows.PARTITION,
            Rows.GENERATION,
            ReplicaSettings.DEFAULT,
            new BufferBudget(100, 1 << 30),
            PartitionWriterTest.noSource(),
            MovedSegments.NONE,
            executor);
    private MemoryLogHost host;
    private EntrySender.Log log;
    private EntrySender sender;

    @BeforeEach
    void open() throws Exception {
        host = new MemoryLogHost(directory, () -> 1_000);
        host.open(GROUP, LogMembers.joining(), replica).toCompletableFuture().get(10, TimeUnit.SECONDS);
        log = entry -> host.append(GROUP, entry);
        sender = new EntrySender(
                entry -> log.append(entry), replica, WriterConfig.DEFAULT, () -> ALL, executor, new WriterCounters());
    }

    @AfterEach
    void close() {
        sender.close();
        host.close();
        executor.close();
    }

    private static PendingWrite rows(int number) {
        return new PendingWrite.Rows(
                Rows.request(number, Rows.block(Rows.schema(7, "t", "cpu", 1), Rows.row("a", number, "f", 1.5))),
                100,
                TenantSeriesQuota.NONE);
    }

    private AppendOutcome outcome(PendingWrite write) throws Exception {
        WriteResult result = sender.enqueue(write).toCompletableFuture().get(10, TimeUnit.SECONDS);
        return ((WriteResult.Answered) result).outcome();
    }

    private void goesOn() throws Exception {
        log = entry -> host.append(GROUP, entry);
        assertThat(outcome(rows(2))).isInstanceOf(AppendOutcome.Applied.class);
        assertThat(sender.stats().bytes()).isZero();
        assertThat(sender.stats().inFlight()).isZero();
    }

    @Test
    void aLogThatThrows() throws Exception {
        log = entry -> {
            throw new IllegalStateException("no log");
        };
        assertThat(outcome(rows(1)))
                .isInstanceOfSatisfying(
                        AppendOutcome.Unknown.class,
                        unknown -> assertThat(unknown.message()).contains("no log"));
        goesOn();
    }

    @Test
    void aReplyThatCantBeRead() throws Exception {
        log = entry -> CompletableFuture.completedFuture(new byte[] {99});
        assertThat(outcome(rows(1))).isInstanceOf(AppendOutcome.Unknown.class);
        goesOn();
    }

    @Test
    void aRequestThatCantBeAdded() throws Exception {
        CompletableFuture<WriteResult> result = new CompletableFuture<>();
        PendingWrite broken = new PendingWrite() {
            @Override
            public int bytes() {
                return 100;
            }

            @Override
            public void addTo(EntryBuilder entry) {
                throw new IllegalStateException("a fault");
            }

            @Override
            public CompletableFuture<WriteResult> result() {
                return result;
            }
        };
        assertThat(outcome(broken))
                .isInstanceOfSatisfying(
                        AppendOutcome.Refused.class,
                        refused -> assertThat(refused.refusal().message()).contains("a fault"));
        goesOn();
    }
}
