package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.node.image.PartitionImages;
import dev.weir.node.internal.Attempt;
import dev.weir.node.internal.InternalRoutes;
import dev.weir.node.internal.LocalPartition;
import dev.weir.node.internal.LocalPartitions;
import dev.weir.node.internal.PeerAuth;
import dev.weir.node.internal.PeerClient;
import dev.weir.node.tls.PeerTls;
import dev.weir.partition.engine.BufferBudget;
import dev.weir.partition.engine.FilePlace;
import dev.weir.partition.engine.FilePolicy;
import dev.weir.partition.engine.MovedSegments;
import dev.weir.partition.engine.PartitionFlusher;
import dev.weir.partition.engine.PartitionReplica;
import dev.weir.partition.engine.PartitionWriter;
import dev.weir.partition.engine.Publications;
import dev.weir.partition.engine.ReplicaSettings;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.store.FileCache;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.StoreClaim;
import dev.weir.partition.store.StoreConfig;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.BatchId;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.partition.write.WriterConfig;
import dev.weir.wal.FreePorts;
import dev.weir.wal.LogConfig;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogHost;
import dev.weir.wal.ratis.LogMeter;
import dev.weir.wal.ratis.RatisLogHost;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HeldPartitionTest {
    private static final LogGroupId GROUP = new LogGroupId(new UUID(0, 3));

    @TempDir
    Path directory;

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final BufferBudget budget = new BufferBudget(100, 1 << 20);
    private final PartitionReplica replica = new PartitionReplica(
            3,
            1,
            ReplicaSettings.DEFAULT,
            budget,
            (node, partition, generation) -> {
                throw new IOException("no other node");
            },
            MovedSegments.NONE,
            executor);
    private LogHost host;
    private HeldPartition held;

    @BeforeEach
    void open() throws IOException {
        host = RatisLogHost.start(
                LogConfig.defaults("n1", "127.0.0.1", "127.0.0.1:" + FreePorts.next(), directory),
                InstantSource.system(),
                LogMeter.NONE,
                (what, cause) -> {});
        PartitionWriter writer =
                new PartitionWriter(host, GROUP, replica, budget, WriterConfig.DEFAULT, () -> null, executor);
        ObjectStore store = ObjectStore.open(StoreConfig.folder(directory.resolve("store")));
        FileCache cache = FileCache.open(directory.resolve("cache"), 1, store);
        StoreClaim claim = new StoreClaim(store, directory, () -> "cluster");
        PartitionFlusher flusher = new PartitionFlusher(
                replica,
                writer,
                new FilePlace(cache, claim, directory, Publications.NONE),
                FilePolicy.DEFAULT,
                schema -> schema,
                System::nanoTime);
        held = new HeldPartition(
                host,
                GROUP,
                new HeldPartition.Engine(replica, writer, flusher),
                new PartitionImages(new RootAllocator(), 1 << 20),
                executor);
    }

    @AfterEach
    void close() {
        host.close();
        executor.close();
    }

    @Test
    void refusesWritesAsDiskFullWhileAMajorityLacksSpace() {
        replica.leadership(true, "n1", 1);
        held.admission("free space is below disk.reserve-bytes on n2, n3");

        for (Attempt attempt : List.of(append(), delete())) {
            assertThat(attempt)
                    .isInstanceOfSatisfying(
                            Attempt.Done.class,
                            done -> assertThat(done.outcome())
                                    .isInstanceOfSatisfying(AppendOutcome.Refused.class, refused -> {
                                        assertThat(refused.refusal().code()).isEqualTo(ErrorCode.DISK_FULL);
                                        assertThat(refused.refusal().message())
                                                .isEqualTo(
                                                        "partition 3: free space is below disk.reserve-bytes on n2, n3");
                                    }));
        }

        held.admission(null);
        assertThat(append()).as("the log is asked, which is not open").isInstanceOf(Attempt.Elsewhere.class);
    }

    @Test
    void whoDoesNotLeadNamesTheLeaderWhateverTheSpace() {
        replica.leadership(false, "n2", 1);
        held.admission("free space is below disk.reserve-bytes on n2, n3");
        assertThat(append())
                .isInstanceOfSatisfying(
                        Attempt.Elsewhere.class,
                        elsewhere -> assertThat(elsewhere.leader()).isEqualTo("n2"));
    }

    @Test
    void thatThereIsNothingToFlushOnlyALeaderSays() {
        replica.leadership(false, "n2", 1);
        CompletionStage<Boolean> flush = held.flush(1);
        assertThatThrownBy(() -> flush.toCompletableFuture().join())
                .cause()
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(ErrorCode.NO_LEADER));
    }

    /** Else it would be asked again at once, without end. */
    @Test
    void whoFollowsAClosedReplicaIsSentAway() throws Exception {
        assertThat(replica.feed().closed()).isTrue();
        Vertx vertx = Vertx.vertx();
        PeerAuth auth = new PeerAuth("c", "secret");
        Router router = Router.router(vertx);
        new InternalRoutes(vertx, router, auth, new OnlyPartition(held), executor).mount();
        int port = vertx.createHttpServer()
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS)
                .actualPort();
        try (PeerClient peers = new PeerClient(PeerTls.unchecked(vertx, new SimpleMeterRegistry()), auth)) {
            for (long from : new long[] {-1, 1_000}) {
                CompletionStage<Buffer> answer = peers.post(
                        "http://127.0.0.1:" + port,
                        "/partitions/3/wait?from=" + from,
                        Buffer.buffer(),
                        Duration.ofSeconds(20));
                assertThatThrownBy(() -> answer.toCompletableFuture().get(20, TimeUnit.SECONDS))
                        .as("from " + from)
                        .hasMessageContaining("answered 421");
            }
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        }
    }

    private record OnlyPartition(LocalPartition only) implements LocalPartitions {
        @Override
        public Optional<LocalPartition> find(int partition) {
            return Optional.of(only);
        }

        @Override
        public CompletionStage<Void> join(int partition, int generation) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public AutoCloseable onChange(Runnable listener) {
            return () -> {};
        }
    }

    private Attempt append() {
        AppendRequest request = new AppendRequest(3, 1, 1, new BatchId("n1", 1, 1), null, List.of());
        return held.append(request).toCompletableFuture().join();
    }

    private Attempt delete() {
        DeleteRequest request = new DeleteRequest(3, 1, new BatchId("n1", 1, 2), "t", 7, "cpu", null, "change");
        return held.delete(request).toCompletableFuture().join();
    }
}
