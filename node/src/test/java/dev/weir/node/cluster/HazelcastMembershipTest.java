package dev.weir.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.node.config.ClusterConfig;
import dev.weir.node.config.HazelcastConfig;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.wal.FreePorts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class HazelcastMembershipTest {
    private static final Duration SOON = Duration.ofSeconds(120);

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final List<HazelcastMembership> started = new ArrayList<>();

    @AfterEach
    void stop() {
        started.forEach(HazelcastMembership::close);
    }

    @Test
    void nodesSeeEachOtherAndWhoLeads() {
        List<NodeRecord> nodes = List.of(node("n1"), node("n2"));
        HazelcastMembership first = start(nodes.getFirst(), nodes, "secret");
        first.announceLeader(7);
        await().atMost(SOON).until(() -> first.up().contains("n1"));
        AtomicInteger changes = new AtomicInteger();
        first.onChange(changes::incrementAndGet);
        HazelcastMembership second = start(nodes.getLast(), nodes, "secret");
        second.announceLeader(Membership.CATALOG);

        await().atMost(SOON).untilAsserted(() -> {
            assertThat(first.up()).containsExactlyInAnyOrder("n1", "n2");
            assertThat(second.up()).containsExactlyInAnyOrder("n1", "n2");
            assertThat(second.leader(7)).contains("n1");
            assertThat(first.leader(Membership.CATALOG)).contains("n2");
        });
        assertThat(first.leader(9)).isEmpty();
        assertThat(changes.get()).isPositive();

        second.close();
        await().atMost(SOON).untilAsserted(() -> assertThat(first.up()).containsExactly("n1"));
    }

    @Test
    void portInUseStopsNobody() throws IOException {
        NodeRecord node = node("n1");
        try (ServerSocket taken = new ServerSocket(node.hazelcastPort(), 1, InetAddress.getLoopbackAddress())) {
            HazelcastMembership membership = start(node, List.of(node), "secret", metrics);

            await().atMost(SOON)
                    .until(() ->
                            metrics.get("weir_membership_failures").counter().count() > 0);
            assertThat(taken.isBound()).isTrue();
            assertThat(membership.up()).isEmpty();
            membership.announceLeader(1);
            assertThat(membership.leader(1)).contains("n1");
        }
    }

    @Test
    void secretIsPartOfTheNameAndNotReadable() {
        NodeRecord node = node("n1");

        String name = HazelcastSettings.config(tcp(node), cluster("hush"), node, "127.0.0.1", List.of())
                .getClusterName();

        assertThat(name).doesNotContain("hush");
        assertThat(HazelcastSettings.config(tcp(node), cluster("other"), node, "127.0.0.1", List.of())
                        .getClusterName())
                .isNotEqualTo(name);
    }

    private HazelcastMembership start(NodeRecord self, List<NodeRecord> seeds, String secret) {
        return start(self, seeds, secret, new SimpleMeterRegistry());
    }

    private HazelcastMembership start(
            NodeRecord self, List<NodeRecord> seeds, String secret, SimpleMeterRegistry registry) {
        HazelcastMembership membership = new HazelcastMembership(
                self.id(),
                () -> HazelcastSettings.config(tcp(self), cluster(secret), self, "127.0.0.1", seeds),
                registry);
        started.add(membership);
        membership.begin();
        return membership;
    }

    private static HazelcastConfig tcp(NodeRecord self) {
        return new HazelcastConfig(self.hazelcastPort(), HazelcastConfig.Discovery.TCP, "");
    }

    private static ClusterConfig cluster(String secret) {
        return new ClusterConfig("test", List.of(), List.of(), secret, 3, 8);
    }

    private static NodeRecord node(String id) {
        return new NodeRecord(id, "127.0.0.1", 1, 2, FreePorts.next(), 0);
    }
}
