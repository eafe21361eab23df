package dev.weir.node.cluster;

import static dev.weir.node.cluster.BootWorld.born;
import static dev.weir.node.cluster.BootWorld.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.node.config.ClusterConfig;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BootTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path root;

    private BootWorld world;

    @BeforeEach
    void begin() {
        world = new BootWorld(root);
    }

    @AfterEach
    void end() {
        world.close();
    }

    @Test
    void nodeAloneIsBornAndStartsAgain() {
        BootWorld.Node first = world.start("n1", born());
        Booted booted = opened(first);
        assertThat(booted.incarnation()).isEqualTo(1);
        assertThat(first.boot.status().open()).isTrue();
        first.stop();

        BootWorld.Node again = world.start("n1", born());
        assertThat(opened(again)).isEqualTo(new Booted(booted.catalogGroup(), booted.clusterId(), 2));
    }

    @Test
    void threeNodesAreBornAsOneCluster() {
        ClusterConfig config = born("n1", "n2", "n3");
        List<BootWorld.Node> nodes =
                List.of(world.start("n3", config), world.start("n2", config), world.start("n1", config));

        String clusterId = opened(nodes.getFirst()).clusterId();
        for (BootWorld.Node node : nodes) {
            assertThat(opened(node).clusterId()).isEqualTo(clusterId);
            CatalogImage image = node.catalog.image();
            assertThat(image.nodes()).containsOnlyKeys("n1", "n2", "n3");
            assertThat(image.partitions()).hasSize(4);
            assertThat(image.partitions().values())
                    .allSatisfy(p -> assertThat(p.replicas()).hasSize(3));
            assertThat(node.identity.clusterId()).contains(clusterId);
        }
    }

    /** In the log world nodes answer only who asks them as they speak. */
    @Test
    void nodesAreSwitchedToTlsOneAfterTheOther() {
        ClusterConfig config = born("n1", "n2", "n3");
        List<BootWorld.Node> nodes = new ArrayList<>();
        for (String id : List.of("n1", "n2", "n3")) {
            nodes.add(world.start(id, config));
        }
        nodes.forEach(BootTest::opened);
        for (int i = 0; i < 3; i++) {
            BootWorld.Node old = nodes.get(i);
            old.stop();
            world.withTls.add(old.id);
            nodes.set(i, world.start(old.id, config));
            opened(nodes.get(i));
            for (BootWorld.Node node : nodes) {
                await().atMost(SOON)
                        .until(() -> node.catalog.image().nodes().get(old.id).tls());
            }
        }

        BootWorld.Node plain = world.start("n4", joiningAt("https://host-n1:1"));
        assertThat(opened(plain).clusterId()).isEqualTo(opened(nodes.getFirst()).clusterId());
    }

    private static ClusterConfig joiningAt(String url) {
        return new ClusterConfig("test", List.of(), List.of(url), "secret", 3, 4);
    }

    @Test
    void birthWaitsForAMajorityAndSaysSo() {
        BootWorld.Node first = world.start("n1", born("n1", "n2", "n3"));

        await().atMost(SOON).until(() -> first.boot.status().text().contains("1 of 3 are there, 2 are needed"));
        BootWorld.Node second = world.start("n2", born("n1", "n2", "n3"));

        opened(first);
        opened(second);
        BootWorld.Node late = world.start("n3", born("n1", "n2", "n3"));
        assertThat(opened(late).clusterId()).isEqualTo(opened(first).clusterId());
    }

    @Test
    void membersThatDisagreeAreNotBornTogether() {
        BootWorld.Node first = world.start("n1", born("n1", "n2"));
        world.start("n2", born("n1", "n2", "n3"));

        await().atMost(SOON).until(() -> first.boot.status().text().contains("other cluster.initial-members"));
        assertThat(first.booted).isNotDone();
    }

    @Test
    void memberOfAnotherClusterNameIsRefused() {
        BootWorld.Node first = world.start("n1", born("n1", "n2"));
        ClusterConfig other = new ClusterConfig("other", born("n1", "n2").initialMembers(), List.of(), "secret", 3, 4);
        world.start("n2", other);

        await().atMost(SOON).until(() -> first.boot.status().text().contains("this is cluster 'other'"));
    }

    @Test
    void memberThatLostItsFolderDoesNotComeBackAsNew() {
        ClusterConfig config = born("n1", "n2", "n3");
        BootWorld.Node lost = world.start("n1", config);
        world.start("n2", config);
        world.start("n3", config);
        opened(lost);
        lost.stop();

        BootWorld.Node back = world.start("n1", "another-folder", config);

        assertThatThrownBy(() -> back.booted.get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("n1")
                .hasMessageContaining("folder is new");
        assertThat(back.boot.status().phase()).isEqualTo(BootStatus.Phase.CLOSED);
    }

    @Test
    void joiningNodesRaiseTheVotersToThreeAndFillReplicas() {
        BootWorld.Node first = world.start("n1", born());
        Booted booted = opened(first);
        assertThat(first.catalog.image().partitions().values())
                .allSatisfy(p -> assertThat(p.replicas()).containsExactly("n1"));

        BootWorld.Node second = world.start("n2", joining("n1"));
        assertThat(opened(second).clusterId()).isEqualTo(booted.clusterId());
        assertThat(ids(world.logs.members(booted.catalogGroup()).voters())).containsExactly("n1");

        BootWorld.Node third = world.start("n3", joining("n9", "n2"));
        opened(third);
        await().atMost(SOON).untilAsserted(() -> {
            LogMembers members = world.logs.members(booted.catalogGroup());
            assertThat(ids(members.voters())).containsExactlyInAnyOrder("n1", "n2", "n3");
            assertThat(members.listeners()).isEmpty();
            assertThat(third.catalog.image().partitions().values())
                    .allSatisfy(p -> assertThat(p.replicas()).containsExactlyInAnyOrder("n1", "n2", "n3"));
        });

        BootWorld.Node fourth = world.start("n4", joining("n3"));
        opened(fourth);
        assertThat(ids(world.logs.members(booted.catalogGroup()).listeners())).containsExactly("n4");
    }

    @Test
    void joiningWaitsUntilAClusterIsThere() {
        BootWorld.Node joiner = world.start("n2", joining("n1"));
        await().atMost(SOON).until(() -> joiner.boot.status().text().contains("no node of a born cluster"));

        opened(world.start("n1", born()));
        opened(joiner);
    }

    @Test
    void restartedNodeWaitsForTheQuorum() {
        ClusterConfig config = born("n1", "n2", "n3");
        List<BootWorld.Node> nodes =
                List.of(world.start("n1", config), world.start("n2", config), world.start("n3", config));
        nodes.forEach(BootTest::opened);
        nodes.forEach(BootWorld.Node::stop);

        BootWorld.Node first = world.start("n1", config);
        await().atMost(SOON).until(() -> first.boot.status().text().contains("no quorum"));
        assertThat(first.booted).isNotDone();
        assertThat(first.boot.status().open()).isFalse();

        BootWorld.Node second = world.start("n2", config);
        assertThat(opened(first).incarnation()).isEqualTo(2);
        assertThat(opened(second).incarnation()).isEqualTo(2);
    }

    @Test
    void nodeThatIsNoLongerInTheCatalogSetsItsFolderAside() throws IOException {
        ClusterConfig config = born("n1", "n2", "n3");
        BootWorld.Node first = world.start("n1", config);
        opened(world.start("n2", config));
        Booted booted = opened(first);
        Path folder = root.resolve("n4");
        Files.createDirectories(folder);
        new IdentityFile(folder)
                .write(new IdentityRecord(
                        "n4", Optional.of(booted.catalogGroup().value()), Optional.of(booted.clusterId()), true));

        BootWorld.Node removed = world.start("n4", joining("n1"));

        assertThatThrownBy(() -> removed.booted.get(30, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("no longer part of cluster")
                .hasMessageContaining("set aside");
        assertThat(folder.resolve("node.json")).doesNotExist();
        assertThat(folder.resolve("set-aside")).isNotEmptyDirectory();
    }

    @Test
    void folderOfAnotherClusterDoesNotJoin() throws IOException {
        opened(world.start("n1", born()));
        Path folder = root.resolve("n2");
        Files.createDirectories(folder);
        new IdentityFile(folder)
                .write(new IdentityRecord("n2", Optional.of(new UUID(7, 7)), Optional.of("another"), false));

        BootWorld.Node foreign = world.start("n2", joining("n1"));

        assertThatThrownBy(() -> foreign.booted.get(30, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("belongs to cluster another");
    }

    @Test
    void unfinishedDropIsDrivenAndFinishedByTheController() {
        BootWorld.Node node = world.start("n1", born());
        opened(node);
        node.catalog.propose(new CatalogCommand.AgreeSchema("default", "cpu", List.of()));
        node.catalog.propose(new CatalogCommand.DropTable("default", "cpu", "change-1"));

        await().atMost(SOON).until(() -> world.drops.contains("change-1"));
        await().atMost(SOON).until(() -> node.catalog.image().drops().isEmpty());
    }

    private static Booted opened(BootWorld.Node node) {
        assertThat(node.booted).as(node.id).succeedsWithin(SOON);
        return node.booted.join();
    }

    private static List<String> ids(List<LogPeer> peers) {
        return peers.stream().map(LogPeer::nodeId).toList();
    }
}
