package dev.weir.node.cluster;

import dev.weir.node.config.ClusterConfig;
import dev.weir.node.config.MemberAddress;
import dev.weir.partition.catalog.CatalogLimits;
import dev.weir.partition.catalog.CatalogState;
import dev.weir.partition.catalog.GroupCatalog;
import dev.weir.partition.catalog.GroupCatalogConfig;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.wal.LogHost;
import dev.weir.wal.ratis.RatisLogHost;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Nodes that start in this process, with logs and calls between them that need no network. */
final class BootWorld implements AutoCloseable {
    final LogWorld logs = new LogWorld();
    private final Path root;
    private final BiFunction<NodeRecord, Path, LogHost> hosts;
    private final Function<String, NodeRecord> records;
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    private final Map<String, Node> nodes = new ConcurrentHashMap<>();

    /** Nodes that speak TLS from their next start on. */
    final Set<String> withTls = ConcurrentHashMap.newKeySet();

    /** Change ids of the drops that were driven. */
    final Queue<String> drops = new ConcurrentLinkedQueue<>();

    BootWorld(Path root) {
        this.root = root;
        this.hosts = (node, folder) -> logs.host(node.id(), folder);
        this.records = BootWorld::record;
    }

    /**
     * @param hosts opens the log host of a node with its folder
     * @param records where each node is
     */
    BootWorld(Path root, BiFunction<NodeRecord, Path, LogHost> hosts, Function<String, NodeRecord> records) {
        this.root = root;
        this.hosts = hosts;
        this.records = records;
    }

    static ClusterConfig born(String... ids) {
        return new ClusterConfig(
                "test", List.of(ids).stream().map(BootWorld::member).toList(), List.of(), "secret", 3, 4);
    }

    static ClusterConfig joining(String... ids) {
        return new ClusterConfig(
                "test",
                List.of(),
                List.of(ids).stream().map(id -> member(id).httpAddress()).toList(),
                "secret",
                3,
                4);
    }

    static MemberAddress member(String id) {
        return new MemberAddress(id, "host-" + id, 1, 2, 3);
    }

    static NodeRecord record(String id) {
        return new NodeRecord(id, "host-" + id, 1, 2, 3, 0);
    }

    Node start(String id, ClusterConfig config) {
        return start(id, id, config);
    }

    /** @param folder may be another than the id, for a node that lost its disk */
    Node start(String id, String folder, ClusterConfig config) {
        Node node = new Node(id, root.resolve(folder), config);
        nodes.put(id, node);
        node.thread.start();
        return node;
    }

    private NodeRecord said(String id) {
        NodeRecord plain = records.apply(id);
        return new NodeRecord(
                id,
                plain.host(),
                plain.httpPort(),
                plain.raftPort(),
                plain.hazelcastPort(),
                plain.incarnation(),
                withTls.contains(id));
    }

    private CompletionStage<byte[]> ask(String address, byte[] request) {
        return nodes.values().stream()
                .filter(node -> node.up && node.self.httpUrl().equals(address))
                .findFirst()
                .map(node -> node.desk.answer(request))
                .orElseGet(() -> CompletableFuture.failedFuture(new IOException(address + " refuses")));
    }

    private CompletionStage<byte[]> forward(String to, byte[] proposal) {
        Node node = nodes.get(to);
        return node != null && node.up
                ? node.catalog.answer(proposal)
                : CompletableFuture.failedFuture(new IOException(to + " refuses"));
    }

    private CompletionStage<byte[]> snapshot(String from) {
        return CompletableFuture.completedFuture(
                nodes.get(from).state.newestSnapshot().orElseThrow());
    }

    void stopAll() {
        nodes.values().forEach(Node::stop);
    }

    @Override
    public void close() {
        stopAll();
        timer.shutdownNow();
    }

    /** A node that starts, and then runs a controller. */
    final class Node {
        final String id;
        final Identity identity;
        final NodeRecord self;
        final LogHost host;
        final CatalogState state;
        final GroupCatalog catalog;
        final JoinDesk desk;
        final Joiners joiners = new Joiners();
        final Boot boot;
        final CompletableFuture<Booted> booted = new CompletableFuture<>();
        private final Thread thread;
        private volatile Controller controller;
        private volatile boolean up = true;

        private Node(String id, Path folder, ClusterConfig config) {
            this.id = id;
            identity = Identity.open(folder, Optional.of(id), () -> id);
            self = said(id);
            host = hosts.apply(self, folder.resolve("logs"));
            state = new CatalogState(BootWorld.this::snapshot);
            GroupCatalogConfig catalogConfig = new GroupCatalogConfig(
                    id, Duration.ofSeconds(1), Duration.ofMillis(300), 64, CatalogLimits.DEFAULTS);
            catalog = new GroupCatalog(host, state, BootWorld.this::forward, timer, catalogConfig, Optional::empty);
            desk = new JoinDesk(config.name(), host, catalog, joiners);
            NodeAddresses addresses = new NodeAddresses(catalog::image);
            if (host instanceof RatisLogHost ratis) {
                addresses.tell(ratis::locate);
            }
            catalog.onChange(image -> addresses.changed());
            boot = new Boot(
                    new BootParts(identity, config, self, host, state, catalog, BootWorld.this::ask, desk, addresses),
                    status -> {});
            thread = Thread.ofVirtual().unstarted(this::run);
        }

        private void run() {
            try {
                Booted result = boot.run();
                controller = new Controller(
                        result.catalogGroup(),
                        host,
                        catalog,
                        joiners,
                        drop -> {
                            drops.add(drop.changeId());
                            return CompletableFuture.completedFuture(null);
                        },
                        new NoPartitions());
                controller.start();
                booted.complete(result);
            } catch (InterruptedException | RuntimeException e) {
                booted.completeExceptionally(e);
            }
        }

        void stop() {
            if (!up) {
                return;
            }
            thread.interrupt();
            if (controller != null) {
                controller.close();
            }
            up = false;
            host.close();
            identity.close();
        }
    }

    /** Groups of partitions that take any change at once. */
    private final class NoPartitions implements GroupAdmin {
        private final Map<Integer, List<String>> voters = new ConcurrentHashMap<>();

        @Override
        public CompletionStage<Configuration> configuration(PartitionRecord partition) {
            List<String> now = voters.getOrDefault(partition.id(), partition.replicas());
            return CompletableFuture.completedFuture(new Configuration(now.getFirst(), now));
        }

        @Override
        public CompletionStage<Void> openReplica(NodeRecord node, PartitionRecord partition) {
            return nodes.containsKey(node.id()) && nodes.get(node.id()).up
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(new IOException(node.id() + " refuses"));
        }

        @Override
        public CompletionStage<Void> handOver(String leader, PartitionRecord partition, String to) {
            return CompletableFuture.failedFuture(new UnsupportedOperationException("no leaders here"));
        }

        @Override
        public CompletionStage<Void> setVoters(String leader, PartitionRecord partition, List<NodeRecord> wanted) {
            voters.put(partition.id(), wanted.stream().map(NodeRecord::id).toList());
            return CompletableFuture.completedFuture(null);
        }
    }
}
