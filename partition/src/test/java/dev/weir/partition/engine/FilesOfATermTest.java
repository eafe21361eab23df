package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.entry.EntryBuilder;
import dev.weir.partition.entry.Section.FlushSection;
import dev.weir.partition.model.SeriesHash;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.store.FileCache;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.StoreClaim;
import dev.weir.partition.store.StoreConfig;
import dev.weir.partition.write.WriterConfig;
import dev.weir.wal.LogException;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogMembers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that one leader stored is committed under that leader or never, so that another may sweep it, however young it is. */
final class FilesOfATermTest {
    private static final LogGroupId GROUP = new LogGroupId(new UUID(1, 2));
    private static final TableSchema CPU = Rows.schema(7, "t", "cpu", 1);
    private static final PartitionFence ALL =
            new PartitionFence(java.util.List.of(new SlotRange(0, SeriesHash.SLOTS)), 1, Rows.GENERATION);

    @TempDir
    private Path directory;

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
    private MemoryLogHost host;
    private PartitionWriter writer;
    private ObjectStore store;
    private FileCache cache;
    private PartitionFlusher flusher;
    private Path temporary;

    @BeforeEach
    void open() throws Exception {
        host = new MemoryLogHost(directory.resolve("log"), () -> 1_000);
        host.open(GROUP, LogMembers.joining(), replica).toCompletableFuture().get(10, TimeUnit.SECONDS);
        writer = new PartitionWriter(host, GROUP, replica, budget, WriterConfig.DEFAULT, () -> ALL, executor);
        temporary = Files.createDirectories(directory.resolve("unfinished"));
        store = ObjectStore.open(StoreConfig.folder(directory.resolve("store")));
        cache = FileCache.open(directory.resolve("cache"), 1 << 26, store);
        flusher = new PartitionFlusher(
                replica,
                writer,
                new FilePlace(cache, new StoreClaim(store, temporary, () -> "c"), temporary, Publications.NONE),
                new FilePolicy(FlushPolicy.DEFAULT, Duration.ofNanos(1)),
                schema -> CPU,
                () -> 1_000);
        writer.append(Rows.request(1, Rows.block(CPU, Rows.row("a", 1, "f", 1.0))))
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() {
        cache.close();
        store.close();
        writer.close();
        host.close();
        executor.close();
    }

    @Test
    void aFileThatMayBeCommittedStillIsKeptWhileTheTermLasts() throws Exception {
        storeWithoutCommitting();

        sweepTwice();
        assertThat(files()).as("in the same term").isEqualTo(1);

        lead(2);
        sweepTwice();
        assertThat(files()).as("in the next term").isZero();
        assertThat(flusher.orphansRemoved()).isEqualTo(1);
    }

    @Test
    void aFlushOfAnEarlierTermIsVoid() throws Exception {
        OpenReplica open = replica.opened();
        FlushSection late =
                new TableFlush(Rows.PARTITION, open, schema -> CPU, new FileOutput(store, temporary)).write(7, 1);
        assertThat(late).isNotNull();
        lead(2);

        append(late);
        assertThat(replica.fileStats().files()).isZero();
        assertThat(replica.fileStats().voidFlushes()).isEqualTo(1);

        assertThat(flusher.flushAll()).as("its rows are there still").isEqualTo(1);
        sweepTwice();
        assertThat(files()).as("the file of the void one is gone").isEqualTo(1);
    }

    @Test
    void entriesOfBeforeThereWereTermsHold() throws Exception {
        FlushSection old = new TableFlush(
                        Rows.PARTITION, replica.opened(), schema -> CPU, new FileOutput(store, temporary))
                .write(7, dev.weir.partition.entry.Section.ANY_TERM);
        assertThat(old).isNotNull();
        lead(3);
        append(old);
        assertThat(replica.fileStats().files()).isEqualTo(1);
    }

    private void storeWithoutCommitting() {
        host.failure = new LogException(LogException.Kind.UNKNOWN, "lost");
        assertThatThrownBy(() -> flusher.flushAll()).isInstanceOf(UncommittedException.class);
        host.failure = null;
    }

    private void append(FlushSection section) throws Exception {
        EntryBuilder entry = new EntryBuilder(replica.opened().definitions());
        entry.add(section);
        host.append(GROUP, entry.build()).toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private void lead(long term) {
        host.term = term;
        replica.leadership(true, "self", term);
    }

    /** Once to see, once to remove. */
    private void sweepTwice() throws Exception {
        assertThat(flusher.sweep()).isEmpty();
        assertThat(flusher.sweep()).isEmpty();
    }

    private long files() throws Exception {
        return store.list("t/", "", 1000).size();
    }
}
