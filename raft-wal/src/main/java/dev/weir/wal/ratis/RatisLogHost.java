package dev.weir.wal.ratis;

import dev.weir.wal.LogConfig;
import dev.weir.wal.LogException;
import dev.weir.wal.LogException.Kind;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogHost;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPeer;
import dev.weir.wal.LogPosition;
import dev.weir.wal.LogStatus;
import dev.weir.wal.ReplicatedState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.ratis.protocol.RaftClientReply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link LogHost} on Apache Ratis: one Ratis server with gRPC for all groups of the node.
 *
 * <p>Durability: an append is answered after a majority of voters has synced it. The log of a group is cut at its snapshots, except for
 * what some member still lacks, up to twice {@code snapshotEveryBytes}. Host names are resolved at each connect; the JVM keeps them for
 * {@code networkaddress.cache.ttl}, 30 s unless set.
 *
 * <p>On disk, below the configured directory: {@code <group>/current} is Ratis's log, {@code <group>/state} the state's own;
 * {@code removed/} holds what was retired.
 */
public final class RatisLogHost implements LogHost {
    private static final Logger LOG = LoggerFactory.getLogger(RatisLogHost.class);
    private static final long TRANSFER_MS = 3_000;
    private static final long HAND_OVER_MS = 1_500;
    private static final long CLOSE_MS = 20_000;

    private final HostContext host;
    private final AddressResolvers resolvers;
    private final ExecutorService blocking;
    private final Housekeeper housekeeper;
    private final Map<LogGroupId, GroupReplica> replicas = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private RatisLogHost(HostContext host, AddressResolvers resolvers, ExecutorService blocking) {
        this.host = host;
        this.resolvers = resolvers;
        this.blocking = blocking;
        this.housekeeper = Housekeeper.start(host.config().nodeId(), replicas.values(), host.freeSpace());
    }

    /**
     * Starts a host without any open group; {@link LogHost#open} opens them.
     *
     * @param clock the wall clock that is put into entries while this node leads
     * @throws IOException if the port cannot be bound or the directory cannot be written
     */
    public static RatisLogHost start(LogConfig config, InstantSource clock, LogMeter meter, FaultHandler faults)
            throws IOException {
        Files.createDirectories(config.directory());
        AddressBook book = new AddressBook();
        AddressResolvers resolvers = AddressResolvers.register(book);
        try {
            FreeSpace freeSpace = new FreeSpace(config.directory(), config.diskReserveBytes());
            freeSpace.refresh();
            RatisGroups ratis = RatisGroups.start(
                    config, new HostRpcFactory.Context(book, resolvers, RatisSettings.heartbeatMs(config)));
            ExecutorService blocking = Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("weir-log-", 0).factory());
            HostContext host =
                    new HostContext(config, clock, meter, faults, freeSpace, book, new AnswerTimes(), ratis, blocking);
            return new RatisLogHost(host, resolvers, blocking);
        } catch (IOException | RuntimeException e) {
            resolvers.close();
            throw e;
        }
    }

    /** Says where a node is reached from now on; what a group's members say counts as well, whichever was said last. */
    public void locate(LogPeer peer) {
        host.book().say(peer.nodeId(), peer.address());
    }

    /** Free space is above {@code diskReserveBytes}, as of half a second ago at most. */
    public boolean aboveReserve() {
        return !host.freeSpace().belowReserve();
    }

    /** Free space is at least four times {@code diskReserveBytes}, as of half a second ago at most. */
    public boolean farAboveReserve() {
        return host.freeSpace().farAboveReserve();
    }

    /** How often an open log that led here was given up because its appends made no progress. */
    public long stalls() {
        return replicas.values().stream().mapToLong(GroupReplica::stalls).sum();
    }

    @Override
    public CompletionStage<Void> open(LogGroupId group, LogMembers members, ReplicatedState state) {
        learn(members);
        if (closed) {
            return failed(Kind.UNAVAILABLE, "this host is closed");
        }
        GroupReplica replica = replicas.computeIfAbsent(group, id -> new GroupReplica(id, members, state, host));
        CompletableFuture<Void> result = new CompletableFuture<>();
        replica.opened().whenComplete((done, error) -> {
            if (error == null) {
                result.complete(null);
            } else {
                replicas.remove(group, replica);
                replica.close(false);
                result.completeExceptionally(Failures.of(error));
            }
        });
        return result;
    }

    private void learn(LogMembers members) {
        members.voters().forEach(this::locate);
        members.listeners().forEach(this::locate);
    }

    @Override
    public CompletionStage<Void> close(LogGroupId group) {
        return close(group, false);
    }

    @Override
    public CompletionStage<Void> retire(LogGroupId group) {
        GroupReplica replica = replicas.get(group);
        if (replica != null) {
            return close(group, true);
        }
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        host.setAside(host.directory(group));
                    } catch (IOException e) {
                        throw Failures.of(e);
                    }
                },
                blocking);
    }

    private CompletionStage<Void> close(LogGroupId group, boolean retire) {
        GroupReplica replica = replicas.get(group);
        return replica == null
                ? CompletableFuture.completedFuture(null)
                : replica.close(retire).whenComplete((done, error) -> replicas.remove(group, replica));
    }

    @Override
    public Set<LogGroupId> onDisk() {
        Set<LogGroupId> groups = new HashSet<>();
        try (Stream<Path> paths = Files.list(host.config().directory())) {
            paths.filter(Files::isDirectory)
                    .map(path -> groupOf(path.getFileName().toString()))
                    .flatMap(Optional::stream)
                    .forEach(groups::add);
        } catch (IOException e) {
            throw new LogException(
                    Kind.UNAVAILABLE, "cannot list " + host.config().directory(), null, e);
        }
        return groups;
    }

    private static Optional<LogGroupId> groupOf(String name) {
        try {
            UUID value = UUID.fromString(name);
            return value.toString().equals(name) ? Optional.of(new LogGroupId(value)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public CompletionStage<byte[]> append(LogGroupId group, ByteBuffer entry) {
        GroupReplica replica = replicas.get(group);
        return replica == null ? noSuchGroup(group) : replica.requests().append(entry, false);
    }

    @Override
    public CompletionStage<byte[]> appendFreeing(LogGroupId group, ByteBuffer entry) {
        GroupReplica replica = replicas.get(group);
        return replica == null ? noSuchGroup(group) : replica.requests().append(entry, true);
    }

    @Override
    public CompletionStage<Void> linearize(LogGroupId group) {
        GroupReplica replica = replicas.get(group);
        return replica == null ? noSuchGroup(group) : replica.requests().linearize();
    }

    @Override
    public Optional<LogStatus> status(LogGroupId group) {
        return Optional.ofNullable(replicas.get(group))
                .filter(replica -> replica.opened().isDone())
                .map(GroupReplica::status);
    }

    @Override
    public CompletionStage<Void> setMembers(LogGroupId group, LogMembers members) {
        learn(members);
        return asLeader(group, () -> host.ratis().setMembers(group, members));
    }

    @Override
    public CompletionStage<Void> transferLeadership(LogGroupId group, String nodeId) {
        return asLeader(group, () -> {
            GroupReplica replica = replicas.get(group);
            // Ratis would refuse all writes for ever after being asked for a node that it does not send to.
            boolean known = replica != null
                    && (nodeId.equals(host.config().nodeId())
                            || replica.status().followers().containsKey(nodeId));
            if (!known) {
                throw new LogException(Kind.UNAVAILABLE, "node " + nodeId + " is not a follower of this leader");
            }
            return host.ratis().transfer(group, nodeId, TRANSFER_MS);
        });
    }

    private CompletionStage<Void> asLeader(LogGroupId group, Supplier<CompletableFuture<RaftClientReply>> request) {
        GroupReplica replica = replicas.get(group);
        if (replica == null) {
            return noSuchGroup(group);
        }
        LogException refusal = replica.requests().refusalAsLeader();
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        CompletableFuture<Void> result = new CompletableFuture<>();
        blocking.execute(() -> {
            try {
                request.get().whenComplete((reply, error) -> Failures.settle(result, reply, error, Failures::ofChange));
            } catch (RuntimeException e) {
                result.completeExceptionally(Failures.of(e));
            }
        });
        return result;
    }

    @Override
    public CompletionStage<LogPosition> snapshot(LogGroupId group) {
        GroupReplica replica = replicas.get(group);
        return replica == null ? noSuchGroup(group) : replica.requests().snapshot();
    }

    private static <T> CompletionStage<T> noSuchGroup(LogGroupId group) {
        return failed(Kind.NO_SUCH_GROUP, "group " + group + " is not open on this node");
    }

    private static <T> CompletionStage<T> failed(Kind kind, String message) {
        return CompletableFuture.failedFuture(new LogException(kind, message));
    }

    @Override
    public void close() {
        synchronized (this) { // the second who closes does nothing
            if (closed) {
                return;
            }
            closed = true;
        }
        handOverAll();
        List<CompletableFuture<Void>> closing = new ArrayList<>();
        replicas.values().forEach(replica -> closing.add(replica.close(false)));
        await(closing, CLOSE_MS, "not all groups were closed in time");
        housekeeper.close();
        closeServer();
        blocking.shutdownNow();
        resolvers.close();
    }

    /** So that nobody has to wait for an election while this node restarts. */
    private void handOverAll() {
        List<CompletableFuture<Void>> transfers = new ArrayList<>();
        for (GroupReplica replica : replicas.values()) {
            String successor = replica.successor();
            if (successor != null) {
                transfers.add(transferLeadership(replica.id(), successor).toCompletableFuture());
            }
        }
        await(transfers, HAND_OVER_MS, "not all leaderships were handed over");
    }

    private void closeServer() {
        CompletableFuture<Void> closing = CompletableFuture.runAsync(
                () -> {
                    try {
                        host.ratis().close();
                    } catch (IOException e) {
                        LOG.warn("cannot close the server", e);
                    }
                },
                blocking);
        await(List.of(closing), CLOSE_MS, "the server was not closed in time");
    }

    private static void await(List<CompletableFuture<Void>> all, long timeoutMs, String otherwise) {
        try {
            CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
                    .exceptionally(e -> null)
                    .get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn(otherwise);
        }
    }
}
