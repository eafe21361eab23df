package dev.weir.node.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.partition.catalog.NodeRecord;
import dev.weir.wal.FreePorts;
import dev.weir.wal.LogConfig;
import dev.weir.wal.LogException;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPeer;
import dev.weir.wal.LogPosition;
import dev.weir.wal.LogStatus;
import dev.weir.wal.ReplicatedState;
import dev.weir.wal.ratis.LogMeter;
import dev.weir.wal.ratis.RatisLogHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Three nodes in this process with real logs, each with a preferred leader, and what nodes say of themselves under the test's hand. */
final class LeadWorld implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final PreferredLeaders.Pace PACE = new PreferredLeaders.Pace(
            Duration.ofMillis(200),
            Duration.ofSeconds(2),
            Duration.ofMillis(300),
            Duration.ofSeconds(5),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20));

    final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
    private final Map<String, Node> nodes = new TreeMap<>();
    private final List<String> preferred;
    private final List<LogGroupId> groups = new ArrayList<>();
    private final List<Writer> writers = new ArrayList<>();
    private final Map<String, String> refusals = new ConcurrentHashMap<>();

    /** One node. */
    private final class Node {
        private final NodeRecord record = new NodeRecord(freeId(), "127.0.0.1", 1, FreePorts.next(), 2, 1);
        private final Map<LogGroupId, Journal> journals = new ConcurrentHashMap<>();
        private final RatisLogHost host;
        private final LeadKeeper keeper;
        private volatile Duration clockAhead = Duration.ZERO;
        private volatile boolean full;
        private volatile boolean nearlyFull;
        private volatile boolean silent;
        private final AtomicLong stalls = new AtomicLong();

        private Node(Path root) throws IOException {
            LogConfig config = new LogConfig(
                    id(),
                    "127.0.0.1",
                    record.raftAddress(),
                    root.resolve(id()),
                    Duration.ofMillis(1000),
                    Duration.ofMillis(1600),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(5),
                    1 << 20,
                    16L << 20,
                    4L << 20,
                    0);
            host = RatisLogHost.start(
                    config, this::now, LogMeter.NONE, (what, cause) -> faults.add(id() + ": " + what + " " + cause));
            keeper = new LeadKeeper(
                    new LeadKeeper.Node(id(), this::now, () -> !full, () -> !nearlyFull, stalls::get),
                    new LeadKeeper.Cluster(host, this::held, LeadWorld.this::records, LeadWorld.this::ask),
                    true,
                    PACE);
        }

        private String id() {
            return record.id();
        }

        private Instant now() {
            return Instant.now().plus(clockAhead);
        }

        private List<HeldLog> held() {
            List<HeldLog> held = new ArrayList<>();
            for (int i = 0; i < groups.size(); i++) {
                String name = "log " + i;
                String first = preferred.get(i);
                LogGroupId group = groups.get(i);
                host.status(group)
                        .ifPresent(status -> held.add(new HeldLog(name, group, first, status, this::admission)));
            }
            return held;
        }

        private void admission(String why) {
            if (why == null) {
                refusals.remove(id());
            } else {
                refusals.put(id(), why);
            }
        }
    }

    /** @param preferred the preferred leader of each log */
    LeadWorld(Path root, List<String> preferred) {
        this.preferred = preferred;
        try {
            for (int i = 0; i < 3; i++) {
                Node node = new Node(root);
                nodes.put(node.id(), node);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        LogMembers members = LogMembers.voters(nodes.values().stream()
                .map(node -> new LogPeer(node.id(), node.record.raftAddress()))
                .toList());
        for (int i = 0; i < preferred.size(); i++) {
            LogGroupId group = new LogGroupId(UUID.randomUUID());
            groups.add(group);
            nodes.values().forEach(node -> {
                Journal journal = new Journal();
                node.journals.put(group, journal);
                node.host.open(group, members, journal).toCompletableFuture().join();
            });
        }
    }

    private String freeId() {
        return "n" + (nodes.size() + 1);
    }

    private Collection<NodeRecord> records() {
        return nodes.values().stream().map(node -> node.record).toList();
    }

    private CompletionStage<NodePulse> ask(NodeRecord asked) {
        Node node = nodes.get(asked.id());
        return node.silent
                ? CompletableFuture.failedFuture(new IOException(asked.id() + " is silent"))
                : CompletableFuture.completedFuture(node.keeper.pulse());
    }

    LeadKeeper keeper(String id) {
        return nodes.get(id).keeper;
    }

    void clockAhead(String id, Duration ahead) {
        nodes.get(id).clockAhead = ahead;
    }

    void full(String id, boolean full) {
        nodes.get(id).full = full;
    }

    /** Above the reserve, but not far. */
    void nearlyFull(String id, boolean nearlyFull) {
        nodes.get(id).nearlyFull = nearlyFull;
    }

    void silent(String id, boolean silent) {
        nodes.get(id).silent = silent;
    }

    void stalled(String id) {
        nodes.get(id).stalls.incrementAndGet();
    }

    String refusal(String id) {
        return refusals.get(id);
    }

    List<String> preferred() {
        return preferred;
    }

    /** Who leads each log; empty text where nobody does. */
    List<String> leaders() {
        return groups.stream().map(this::leader).toList();
    }

    private String leader(LogGroupId group) {
        return nodes.values().stream()
                .filter(node -> node.host.status(group).map(LogStatus::leads).orElse(false))
                .map(Node::id)
                .findFirst()
                .orElse("");
    }

    void leadAllBy(String id) {
        for (LogGroupId group : groups) {
            await().pollInterval(Duration.ofMillis(100)).atMost(SOON).until(() -> leads(group, id));
        }
    }

    private boolean leads(LogGroupId group, String id) {
        String leader = leader(group);
        if (!leader.isEmpty() && !leader.equals(id)) {
            nodes.get(leader)
                    .host
                    .transferLeadership(group, id)
                    .handle((done, failure) -> null)
                    .toCompletableFuture()
                    .join();
        }
        return leader(group).equals(id);
    }

    void startKeepers() {
        nodes.values().forEach(node -> node.keeper.start());
    }

    /** All have told each other of themselves: a clock that is off is known. */
    void awaitPulses() {
        Set<String> ids = nodes.keySet();
        await().pollDelay(Duration.ofSeconds(1))
                .atMost(SOON)
                .until(() -> ids.stream().allMatch(id -> nodes.get(id).keeper.hears(ids)));
    }

    List<Writer> startWriters() {
        groups.forEach(group -> writers.add(new Writer(group)));
        return writers;
    }

    @Override
    public void close() {
        writers.forEach(Writer::stop);
        nodes.values().forEach(node -> node.keeper.close());
        List<Thread> closing = nodes.values().stream()
                .map(node -> Thread.ofPlatform().start(node.host::close))
                .toList();
        for (Thread thread : closing) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Writes one number after another to whoever leads; a number of which the outcome is unknown is not written again. */
    final class Writer {
        private final LogGroupId group;
        private final List<Long> acknowledged = new CopyOnWriteArrayList<>();
        private final Thread thread = Thread.ofVirtual().unstarted(this::run);
        private volatile boolean stopped;

        private Writer(LogGroupId group) {
            this.group = group;
            thread.start();
        }

        int acknowledged() {
            return acknowledged.size();
        }

        private void run() {
            long value = 0;
            while (!stopped) {
                value += write(value) ? 1 : 0;
            }
        }

        /** False when nothing was appended. */
        private boolean write(long value) {
            String leader = leader(group);
            if (leader.isEmpty()) {
                return false;
            }
            try {
                nodes.get(leader)
                        .host
                        .append(group, ByteBuffer.allocate(64).putLong(0, value))
                        .toCompletableFuture()
                        .join();
                acknowledged.add(value);
                return true;
            } catch (CompletionException e) {
                return ((LogException) e.getCause()).kind() == LogException.Kind.UNKNOWN;
            }
        }

        void stop() {
            stopped = true;
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** On every replica, and nothing twice. */
        void assertEachAcknowledgedOnce() {
            for (Node node : nodes.values()) {
                List<Long> applied = List.copyOf(node.journals.get(group).values);
                assertThat(applied).doesNotHaveDuplicates().containsAll(acknowledged);
            }
        }
    }

    /** Keeps the numbers that it was given. Takes no part in snapshots: the logs here stay short. */
    private static final class Journal implements ReplicatedState {
        private final ConcurrentLinkedQueue<Long> values = new ConcurrentLinkedQueue<>();

        @Override
        public LogPosition restore(Path directory) {
            return LogPosition.NONE;
        }

        @Override
        public byte[] apply(LogPosition position, long leaderClockNanos, ByteBuffer entry) {
            values.add(entry.getLong(entry.position()));
            return new byte[0];
        }

        @Override
        public LogPosition snapshot(LogPosition position) {
            return position;
        }

        @Override
        public CompletionStage<LogPosition> install(String leaderNodeId) {
            return CompletableFuture.failedFuture(new IOException("no snapshots here"));
        }

        @Override
        public void leadership(boolean leads, String leader, long term) {}

        @Override
        public void close() {}
    }
}
