package dev.weir.wal.ratis;

import static org.awaitility.Awaitility.await;

import dev.weir.wal.FreePorts;
import dev.weir.wal.LogConfig;
import dev.weir.wal.LogException;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPeer;
import dev.weir.wal.LogStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Several hosts in one process, each with one state of the group under test. */
final class Cluster implements AutoCloseable {
    static final Duration SOON = Duration.ofSeconds(60);

    final LogGroupId group = new LogGroupId(UUID.randomUUID());
    final Map<String, RatisLogHost> hosts = new ConcurrentHashMap<>();
    final Map<String, JournalState> states = new ConcurrentHashMap<>();
    final Map<String, Path> folders = JournalState.newFolders();
    final Map<String, String> addresses = new LinkedHashMap<>();
    final Map<String, Path> directories = new LinkedHashMap<>();
    final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
    UnaryOperator<LogConfig> config = c -> c;
    private final Path root;

    Cluster(Path root, int nodes) {
        this.root = root;
        for (int i = 1; i <= nodes; i++) {
            addNode("n" + i);
        }
    }

    void addNode(String id) {
        addresses.put(id, "localhost:" + FreePorts.next());
        directories.put(id, root.resolve(id));
    }

    /** Short elections, small limits. */
    LogConfig configOf(String id) {
        return config.apply(new LogConfig(
                id,
                "127.0.0.1",
                addresses.get(id),
                directories.get(id),
                Duration.ofMillis(1000),
                Duration.ofMillis(1600),
                Duration.ofSeconds(10),
                Duration.ofSeconds(3),
                1 << 20,
                16L << 20,
                4L << 20,
                0));
    }

    Cluster startAll() {
        return startAll(members(nodes()));
    }

    Cluster startAll(LogMembers members) {
        nodes().forEach(this::startHost);
        nodes().forEach(id -> open(id, members));
        return this;
    }

    List<String> nodes() {
        return List.copyOf(addresses.keySet());
    }

    LogPeer peer(String id) {
        return new LogPeer(id, addresses.get(id));
    }

    LogMembers members(List<String> voters) {
        return LogMembers.voters(voters.stream().map(this::peer).toList());
    }

    LogMembers members(List<String> voters, List<String> listeners) {
        return new LogMembers(
                voters.stream().map(this::peer).toList(),
                listeners.stream().map(this::peer).toList());
    }

    RatisLogHost startHost(String id) {
        try {
            RatisLogHost host = RatisLogHost.start(
                    configOf(id), InstantSource.system(), LogMeter.NONE, (what, cause) -> faults.add(id + ": " + what));
            hosts.put(id, host);
            return host;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JournalState open(String id, LogMembers members) {
        JournalState state = new JournalState(id, folders);
        states.put(id, state);
        get(hosts.get(id).open(group, members, state));
        return state;
    }

    void start(String id) {
        startHost(id);
        open(id, members(nodes()));
    }

    void stop(String id) {
        RatisLogHost host = hosts.remove(id);
        if (host != null) {
            host.close();
        }
    }

    /** The node that leads and may be written to. */
    String leader() {
        return await().pollInterval(Duration.ofMillis(20))
                .atMost(SOON)
                .until(
                        () -> hosts.entrySet().stream()
                                .filter(host -> host.getValue()
                                        .status(group)
                                        .map(LogStatus::leads)
                                        .orElse(false))
                                .map(Map.Entry::getKey)
                                .findFirst()
                                .orElse(null),
                        id -> id != null);
    }

    /** Makes a node lead, again until it does: on a busy machine another may be elected meanwhile. */
    void leadBy(String id) {
        await().pollInterval(Duration.ofMillis(100)).atMost(SOON).until(() -> {
            if (status(id).leads()) {
                return true;
            }
            try {
                get(hosts.get(leader()).transferLeadership(group, id));
            } catch (LogException e) {
                return false;
            }
            return status(id).leads();
        });
    }

    String follower() {
        String leader = leader();
        return hosts.keySet().stream()
                .filter(id -> !id.equals(leader))
                .sorted()
                .findFirst()
                .orElseThrow();
    }

    LogStatus status(String id) {
        return hosts.get(id).status(group).orElseThrow();
    }

    static ByteBuffer entry(long value, int size) {
        return ByteBuffer.allocate(Math.max(8, size)).putLong(0, value);
    }

    /** Appends through whoever leads, again until it is acknowledged; for tests that do not count doubles. */
    void write(long value) {
        write(value, 8);
    }

    void write(long value, int size) {
        await().pollInterval(Duration.ofMillis(20)).atMost(SOON).until(() -> {
            try {
                get(hosts.get(leader()).append(group, entry(value, size)));
                return true;
            } catch (LogException e) {
                return false;
            }
        });
    }

    void awaitApplied(String id, int count) {
        await().atMost(SOON).until(() -> states.get(id).size() >= count);
    }

    static <T> T get(java.util.concurrent.CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof LogException ours) {
                throw ours;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        List<Thread> closers = new ArrayList<>();
        for (RatisLogHost host : hosts.values()) {
            closers.add(Thread.ofPlatform().start(host::close));
        }
        closers.forEach(closer -> {
            try {
                closer.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
