package dev.weir.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.node.config.ClusterConfig;
import dev.weir.node.config.MemberAddress;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.wal.FreePorts;
import dev.weir.wal.LogConfig;
import dev.weir.wal.LogHost;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPeer;
import dev.weir.wal.ratis.LogMeter;
import dev.weir.wal.ratis.RatisLogHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The same starts as in {@link BootTest}, on real logs. */
@Execution(ExecutionMode.CONCURRENT) // most of each is waiting
final class BootOnRatisTest {
    private static final Duration SOON = Duration.ofSeconds(120);

    @TempDir
    Path root;

    private final Map<String, NodeRecord> records = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
    private BootWorld world;

    @AfterEach
    void end() {
        world.close();
        assertThat(faults).isEmpty();
    }

    @Test
    void oneNodeGrowsToThreeVotersAndTheClusterStartsAgain() {
        world = new BootWorld(root, this::host, this::record);
        ClusterConfig alone = new ClusterConfig("test", List.of(), List.of(), "secret", 3, 2);
        Booted booted = opened(world.start("n1", alone));
        ClusterConfig join = new ClusterConfig("test", List.of(), List.of(http("n1")), "secret", 3, 2);
        BootWorld.Node second = world.start("n2", join);
        opened(second);
        BootWorld.Node third = world.start("n3", join);
        opened(third);

        await().atMost(SOON).untilAsserted(() -> {
            LogMembers members =
                    third.host.status(booted.catalogGroup()).orElseThrow().members();
            assertThat(ids(members.voters())).containsExactlyInAnyOrder("n1", "n2", "n3");
            assertThat(members.listeners()).isEmpty();
        });
        third.catalog
                .propose(new CatalogCommand.CreateTenant("kept"))
                .toCompletableFuture()
                .join();
        world.stopAll();

        List<BootWorld.Node> again =
                Stream.of("n1", "n2", "n3").map(id -> world.start(id, alone)).toList();
        for (BootWorld.Node node : again) {
            assertThat(opened(node).clusterId()).isEqualTo(booted.clusterId());
            assertThat(node.booted.join().incarnation()).isEqualTo(2);
            assertThat(node.catalog.image().tenants()).containsKey("kept");
        }
    }

    @Test
    void threeInitialMembersAreBornAndAFourthListens() {
        world = new BootWorld(root, this::host, this::record);
        ClusterConfig initial = new ClusterConfig(
                "test", Stream.of("n1", "n2", "n3").map(this::member).toList(), List.of(), "secret", 3, 2);
        List<BootWorld.Node> born =
                Stream.of("n1", "n2", "n3").map(id -> world.start(id, initial)).toList();
        born.forEach(BootOnRatisTest::opened);
        BootWorld.Node fourth =
                world.start("n4", new ClusterConfig("test", List.of(), List.of(http("n2")), "secret", 3, 2));

        Booted booted = opened(fourth);
        fourth.catalog
                .propose(new CatalogCommand.CreateTenant("seen"))
                .toCompletableFuture()
                .join();
        assertThat(fourth.catalog.image().tenants()).containsKey("seen");
        assertThat(ids(fourth.host
                        .status(booted.catalogGroup())
                        .orElseThrow()
                        .members()
                        .listeners()))
                .containsExactly("n4");
    }

    @Test
    void nodesThatComeBackUnderOtherAddressesAreFound() {
        world = new BootWorld(root, this::host, this::record);
        List<BootWorld.Node> born = startInitialMembers();
        born.getLast().stop();
        propose(born.getFirst(), "while-away");
        records.remove("n3");

        BootWorld.Node moved = world.start("n3", initialMembers());
        opened(moved);
        assertThat(moved.catalog.image().tenants()).containsKey("while-away");

        world.stopAll();
        records.clear();
        List<BootWorld.Node> allMoved = startInitialMembers();
        propose(allMoved.getLast(), "after");
        for (BootWorld.Node node : allMoved) {
            await().atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(node.catalog.image().tenants()).containsKeys("while-away", "after"));
        }
    }

    private List<BootWorld.Node> startInitialMembers() {
        ClusterConfig config = initialMembers();
        List<BootWorld.Node> nodes =
                Stream.of("n1", "n2", "n3").map(id -> world.start(id, config)).toList();
        nodes.forEach(BootOnRatisTest::opened);
        return nodes;
    }

    private ClusterConfig initialMembers() {
        return new ClusterConfig(
                "test", Stream.of("n1", "n2", "n3").map(this::member).toList(), List.of(), "secret", 3, 2);
    }

    private static void propose(BootWorld.Node node, String tenant) {
        assertThat(node.catalog.propose(new CatalogCommand.CreateTenant(tenant)))
                .succeedsWithin(SOON);
    }

    private LogHost host(NodeRecord node, Path folder) {
        LogConfig config = new LogConfig(
                node.id(),
                "127.0.0.1",
                node.raftAddress(),
                folder,
                Duration.ofMillis(800),
                Duration.ofMillis(1400),
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                1 << 20,
                16L << 20,
                4L << 20,
                0);
        try {
            return RatisLogHost.start(
                    config, Clock.systemUTC(), LogMeter.NONE, (what, cause) -> faults.add(node.id() + ": " + what));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private NodeRecord record(String id) {
        return records.computeIfAbsent(
                id, node -> new NodeRecord(node, "127.0.0.1", FreePorts.next(), FreePorts.next(), FreePorts.next(), 0));
    }

    private MemberAddress member(String id) {
        NodeRecord node = record(id);
        return new MemberAddress(id, node.host(), node.httpPort(), node.raftPort(), node.hazelcastPort());
    }

    private String http(String id) {
        return record(id).host() + ":" + record(id).httpPort();
    }

    private static Booted opened(BootWorld.Node node) {
        assertThat(node.booted).as(node.id).succeedsWithin(SOON);
        return node.booted.join();
    }

    private static List<String> ids(List<LogPeer> peers) {
        return peers.stream().map(LogPeer::nodeId).toList();
    }
}
