package dev.weir.partition.catalog;

import dev.weir.wal.LogException;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogHost;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPeer;
import dev.weir.wal.LogPosition;
import dev.weir.wal.LogStatus;
import dev.weir.wal.ReplicatedState;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One log in this process, with a leader that a test names, replicas that may be cut off, and answers that may get lost. */
final class TinyCluster {
    static final LogGroupId GROUP = new LogGroupId(new UUID(1, 2));

    private final List<byte[]> log = new ArrayList<>();
    private final Map<String, Host> hosts = new LinkedHashMap<>();
    private String leader = "";
    private boolean answersLost;

    Host add(String nodeId, Path folder, CatalogState state) {
        Host host = new Host(nodeId, folder, state);
        hosts.put(nodeId, host);
        return host;
    }

    synchronized void lead(String nodeId) {
        leader = nodeId;
    }

    /** Appends take effect, and nobody hears of it. */
    synchronized void loseAnswers(boolean lost) {
        answersLost = lost;
    }

    synchronized void appendRaw(byte[] entry) {
        log.add(entry);
        catchUp();
    }

    synchronized int length() {
        return log.size();
    }

    private void catchUp() {
        hosts.values().forEach(Host::applyAll);
    }

    /** A node's replica. */
    final class Host implements LogHost {
        private final String nodeId;
        private final Path folder;
        private final CatalogState state;
        private long applied;
        private boolean reachable = true;
        private boolean applies = true;
        private byte[] lastReply = {};

        private Host(String nodeId, Path folder, CatalogState state) {
            this.nodeId = nodeId;
            this.folder = folder;
            this.state = state;
            this.applied = state.restore(folder).index();
        }

        void reachable(boolean yes) {
            synchronized (TinyCluster.this) {
                reachable = yes;
            }
        }

        boolean reachable() {
            synchronized (TinyCluster.this) {
                return reachable;
            }
        }

        /** Receives entries late while off. */
        void applies(boolean yes) {
            synchronized (TinyCluster.this) {
                applies = yes;
                applyAll();
            }
        }

        void snapshotNow() {
            synchronized (TinyCluster.this) {
                state.snapshot(new LogPosition(1, applied));
            }
        }

        /** As after a crash: back to the last snapshot, then the log again. */
        void restart() {
            synchronized (TinyCluster.this) {
                applied = state.restore(folder).index();
                applyAll();
            }
        }

        private void applyAll() {
            while (applies && applied < log.size()) {
                byte[] entry = log.get((int) applied);
                applied++;
                lastReply = state.apply(new LogPosition(1, applied), 0, ByteBuffer.wrap(entry));
            }
        }

        @Override
        public CompletionStage<byte[]> appendFreeing(LogGroupId group, ByteBuffer entry) {
            return append(group, entry);
        }

        @Override
        public CompletionStage<byte[]> append(LogGroupId group, ByteBuffer entry) {
            synchronized (TinyCluster.this) {
                if (!leader.equals(nodeId)) {
                    return CompletableFuture.failedFuture(new LogException(
                            LogException.Kind.NOT_LEADER,
                            "node " + nodeId + " does not lead",
                            leader.isEmpty() ? null : leader,
                            null));
                }
                byte[] bytes = new byte[entry.remaining()];
                entry.duplicate().get(bytes);
                log.add(bytes);
                catchUp();
                return answersLost
                        ? CompletableFuture.failedFuture(new LogException(LogException.Kind.UNKNOWN, "lost"))
                        : CompletableFuture.completedFuture(lastReply);
            }
        }

        @Override
        public CompletionStage<Void> linearize(LogGroupId group) {
            synchronized (TinyCluster.this) {
                if (leader.isEmpty()) {
                    return CompletableFuture.failedFuture(
                            new LogException(LogException.Kind.UNAVAILABLE, "no leader is known"));
                }
                applyAll();
                return CompletableFuture.completedFuture(null);
            }
        }

        @Override
        public Optional<LogStatus> status(LogGroupId group) {
            synchronized (TinyCluster.this) {
                List<LogPeer> voters = hosts.keySet().stream()
                        .map(id -> new LogPeer(id, id + ":1"))
                        .toList();
                boolean leads = leader.equals(nodeId);
                return Optional.of(new LogStatus(
                        leads ? LogStatus.Role.LEADER : LogStatus.Role.FOLLOWER,
                        1,
                        leads ? nodeId : null,
                        leads,
                        log.size(),
                        applied,
                        Map.of(),
                        LogMembers.voters(voters),
                        "running",
                        0,
                        0));
            }
        }

        @Override
        public CompletionStage<Void> open(LogGroupId group, LogMembers members, ReplicatedState opened) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Void> close(LogGroupId group) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Void> retire(LogGroupId group) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Set<LogGroupId> onDisk() {
            return Set.of(GROUP);
        }

        @Override
        public CompletionStage<Void> setMembers(LogGroupId group, LogMembers members) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Void> transferLeadership(LogGroupId group, String target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<LogPosition> snapshot(LogGroupId group) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
