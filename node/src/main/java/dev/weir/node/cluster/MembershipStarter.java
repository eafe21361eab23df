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
     * Begins to start and returns at once; a layer that can't start gives no hints and stops nobody.
     *
     * @param addresses the nodes to look for; asked again when the catalog changes
     */
    public static Membership start(
            NodeConfig config, NodeRecord self, NodeAddresses addresses, Catalog catalog, MeterRegistry metrics) {
        if (config.hazelcast().discovery() == HazelcastConfig.Discovery.NONE) {
            return new Alone();
        }
        HazelcastMembership membership = HazelcastMembership.start(
                self.id(),
                () -> HazelcastSettings.config(
                        config.hazelcast(),
                        config.cluster(),
                        self,
                        config.raft().host(),
                        addresses.all()),
                metrics);
        if (config.hazelcast().discovery() == HazelcastConfig.Discovery.TCP) {
            catalog.onChange(new SeedWatch(self, membership));
        }
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
