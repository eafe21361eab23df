package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.node.image.PartitionImages;
import dev.weir.node.ingest.FoldingCatalog;
import dev.weir.partition.engine.BufferBudget;
import dev.weir.partition.engine.FilePlace;
import dev.weir.partition.engine.FilePolicy;
import dev.weir.partition.engine.LogHold;
import dev.weir.partition.engine.MovedSegments;
import dev.weir.partition.engine.Publications;
import dev.weir.partition.engine.ReplicaSettings;
import dev.weir.partition.store.FileCache;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.StoreClaim;
import dev.weir.partition.store.StoreConfig;
import dev.weir.partition.write.WriterConfig;
import dev.weir.wal.LogGroupId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Partition 0 of a node whose log takes longer to open than one step waits. */
final class ReplicasTest {
    private static final String CLUSTER = "c";

    @TempDir
    Path directory;

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final SlowLogHost host = new SlowLogHost();
    private Replicas replicas;

    @BeforeEach
    void open() throws IOException {
        BufferBudget budget = new BufferBudget(100, 1 << 20);
        ObjectStore store = ObjectStore.open(StoreConfig.folder(directory.resolve("store")));
        FilePlace place = new FilePlace(
                FileCache.open(directory.resolve("cache"), 1, store),
                new StoreClaim(store, directory, () -> CLUSTER),
                directory,
                Publications.NONE);
        replicas = new Replicas(
                "n1",
                host,
                new FoldingCatalog(1),
                new Replicas.Shared(
                        ReplicaSettings.DEFAULT,
                        budget,
                        WriterConfig.DEFAULT,
                        (node, partition, generation) -> {
                            throw new IOException("no other node");
                        },
                        executor,
                        executor,
                        new Replicas.Files(
                                place,
                                FilePolicy.DEFAULT,
                                MovedSegments.NONE,
                                new PartitionImages(new RootAllocator(), 1 << 20)),
                        partition -> LogHold.NONE,
                        new PartitionMetrics(new SimpleMeterRegistry(), WriterConfig.DEFAULT, budget)),
                Duration.ofMillis(20));
    }

    /** Other nodes may know it before it knows itself, as when it restarts; a log opened then would be of no cluster. */
    @Test
    void opensNothingBeforeItHasFoundItsCluster() {
        assertThat(replicas.join(0, 1).toCompletableFuture())
                .failsWithin(20, TimeUnit.SECONDS)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("not found its cluster");
        assertThat(host.states).isEmpty();
    }

    @AfterEach
    void close() {
        replicas.close();
        executor.close();
    }

    @Test
    void aReplicaThatOpensLateIsTheOneThatTheHostHolds() throws Exception {
        replicas.start(CLUSTER);
        LogGroupId group = GroupNames.partition(CLUSTER, 0, 1);
        waitInVain(1);
        waitInVain(1);

        host.opening(group).complete(null);

        await().atMost(20, TimeUnit.SECONDS).until(() -> !replicas.held().isEmpty());
        assertThat(replicas.held().getFirst().replica()).isSameAs(host.states.get(group));
    }

    @Test
    void aLaterGenerationDoesNotWaitForAnEarlierOne() throws Exception {
        replicas.start(CLUSTER);
        LogGroupId later = GroupNames.partition(CLUSTER, 0, 2);
        waitInVain(1);
        host.opening(later).complete(null);

        replicas.join(0, 2).toCompletableFuture().get(20, TimeUnit.SECONDS);
        host.opening(GroupNames.partition(CLUSTER, 0, 1)).complete(null);

        assertThat(replicas.held()).singleElement().satisfies(held -> {
            assertThat(held.generation()).isEqualTo(2);
            assertThat(held.replica()).isSameAs(host.states.get(later));
        });
        assertThat(host.retired).containsExactly(GroupNames.partition(CLUSTER, 0, 1));
    }

    /** Until the node waits no longer for the opening. */
    private void waitInVain(int generation) throws Exception {
        replicas.join(0, generation).toCompletableFuture().get(20, TimeUnit.SECONDS);
        assertThat(replicas.held()).isEmpty();
    }
}
