package dev.weir.node.cluster;

import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.config.ReplicatedMapConfig;
import dev.weir.node.config.ClusterConfig;
import dev.weir.node.config.HazelcastConfig;
import dev.weir.partition.catalog.NodeRecord;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The membership layer's own configuration: one fixed port, few threads, no call home, no discovery but the one asked for. */
final class HazelcastSettings {
    static final String NODE_ID = "weir-node-id";
    static final String HTTP = "weir-http";
    static final String LEADERS = "weir-leaders";

    private HazelcastSettings() {}

    /** @param bindHost the address that the port listens on */
    static Config config(
            HazelcastConfig hazelcast,
            ClusterConfig cluster,
            NodeRecord self,
            String bindHost,
            Collection<NodeRecord> seeds) {
        Config config = new Config();
        config.setInstanceName("weir-" + self.id() + "-" + self.hazelcastPort());
        config.setClusterName("weir-" + cluster.name() + "-"
                + SecretHash.hex("hazelcast " + cluster.secret()).substring(0, 16));
        config.getMemberAttributeConfig()
                .setAttribute(NODE_ID, self.id())
                .setAttribute(HTTP, self.host() + ":" + self.httpPort());
        NetworkConfig network = config.getNetworkConfig();
        network.setPort(hazelcast.port()).setPortAutoIncrement(false).setReuseAddress(true);
        network.setPublicAddress(self.host() + ":" + self.hazelcastPort());
        address(bindHost)
                .ifPresent(address -> network.getInterfaces().setEnabled(true).addInterface(address));
        join(network.getJoin(), hazelcast, self, seeds);
        config.addReplicatedMapConfig(new ReplicatedMapConfig(LEADERS)
                .setInMemoryFormat(InMemoryFormat.OBJECT)
                .setAsyncFillup(true));
        config.getJetConfig().setEnabled(false);
        config.getMetricsConfig().setEnabled(false);
        PROPERTIES.forEach(property -> config.setProperty(property.name, property.value));
        return config;
    }

    /** {@code host:port} of the nodes to look for. */
    static List<String> members(NodeRecord self, Collection<NodeRecord> seeds) {
        return seeds.stream()
                .filter(node -> !node.id().equals(self.id()))
                .map(node -> node.host() + ":" + node.hazelcastPort())
                .distinct()
                .sorted()
                .toList();
    }

    /** Empty where every address is meant. */
    private static Optional<String> address(String bindHost) {
        try {
            InetAddress address = InetAddress.getByName(bindHost);
            return address.isAnyLocalAddress() ? Optional.empty() : Optional.of(address.getHostAddress());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("membership: no address for " + bindHost, e);
        }
    }

    private static void join(
            JoinConfig join, HazelcastConfig hazelcast, NodeRecord self, Collection<NodeRecord> seeds) {
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(hazelcast.discovery() == HazelcastConfig.Discovery.MULTICAST);
        join.getTcpIpConfig().setEnabled(hazelcast.discovery() == HazelcastConfig.Discovery.TCP);
        join.getTcpIpConfig().setConnectionTimeoutSeconds(5).setMembers(members(self, seeds));
        if (hazelcast.discovery() == HazelcastConfig.Discovery.KUBERNETES) {
            join.getKubernetesConfig()
                    .setEnabled(true)
                    .setProperty("service-dns", hazelcast.kubernetesService())
                    .setProperty("service-port", String.valueOf(hazelcast.port()));
        }
    }

    private record Property(String name, String value) {}

    private static final List<Property> PROPERTIES = List.of(
            new Property("hazelcast.logging.type", "slf4j"),
            new Property("hazelcast.phone.home.enabled", "false"),
            new Property("hazelcast.shutdownhook.enabled", "false"),
            new Property("hazelcast.socket.bind.any", "false"),
            new Property("hazelcast.partition.count", "13"),
            new Property("hazelcast.operation.thread.count", "2"),
            new Property("hazelcast.operation.generic.thread.count", "2"),
            new Property("hazelcast.io.thread.count", "1"),
            new Property("hazelcast.event.thread.count", "1"),
            new Property("hazelcast.clientengine.thread.count", "1"),
            new Property("hazelcast.wait.seconds.before.join", "0"),
            new Property("hazelcast.max.wait.seconds.before.join", "0"),
            new Property("hazelcast.merge.first.run.delay.seconds", "10"),
            new Property("hazelcast.merge.next.run.delay.seconds", "5"),
            new Property("hazelcast.heartbeat.interval.seconds", "2"),
            new Property("hazelcast.max.no.heartbeat.seconds", "10"));
}
