package dev.weir.node.cluster;

import dev.weir.node.config.HazelcastConfig;
import dev.weir.node.config.NodeConfig;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.NodeRecord;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.Set;

/** Chooses and starts the membership layer that the configuration asks for. */
public final class MembershipStarter {
    private MembershipStarter() {}

    /**
     * Starts the layer once the catalog's image is born here, since it names the nodes to look for; returns at once. A layer that can't start
     * gives no hints and stops nobody.
     */
    public static Membership start(
            NodeConfig config, NodeRecord self, NodeAddresses addresses, Catalog catalog, MeterRegistry metrics) {
        if (config.hazelcast().discovery() == HazelcastConfig.Discovery.NONE) {
            return new Alone();
        }
        HazelcastMembership membership = new HazelcastMembership(
                self.id(),
                () -> HazelcastSettings.config(
                        config.hazelcast(),
                        config.cluster(),
                        self,
                        config.raft().host(),
                        addresses.all()),
                metrics);
        SeedWatch watch = new SeedWatch(self, membership);
        catalog.onChange(watch);
        watch.accept(catalog.image());
        return membership;
    }

    private static final class Alone implements Membership {
        @Override
        public Set<String> up() {
            return Set.of();
        }

        @Override
        public AutoCloseable onChange(Runnable listener) {
            return () -> {};
        }

        @Override
        public void announceLeader(int partition) {}

        @Override
        public Optional<String> leader(int partition) {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }
}
