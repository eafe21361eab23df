package dev.weir.node.cluster;

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
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * All the logs of a cluster in this process. The first voter (by id) that is up leads while a majority of voters is up; entries reach
 * everyone who is up and a member; what a host has opened stays on its disk.
 */
final class LogWorld {
    private final Map<LogGroupId, Log> logs = new HashMap<>();
    private final Map<String, Host> hosts = new TreeMap<>();

    private static final class Log {
        private LogMembers members;
        private final List<byte[]> entries = new ArrayList<>();
        private String leader = "";

        private Log(LogMembers members) {
            this.members = members;
        }

        private boolean holds(String nodeId) {
            return peers().anyMatch(peer -> peer.nodeId().equals(nodeId));
        }

        private Stream<LogPeer> peers() {
            return Stream.concat(members.voters().stream(), members.listeners().stream());
        }
    }

    private static final class Replica {
        private final ReplicatedState state;
        private long applied;
        private byte[] reply = {};

        private Replica(ReplicatedState state) {
            this.state = state;
        }
    }

    synchronized Host host(String nodeId, Path folder) {
        Host host = hosts.computeIfAbsent(nodeId, id -> new Host(id, folder));
        host.replicas.clear();
        host.up = true;
        settle();
        return host;
    }

    synchronized LogMembers members(LogGroupId group) {
        return logs.get(group).members;
    }

    synchronized void setMembersBy(LogGroupId group, LogMembers members) {
        logs.get(group).members = members;
        settle();
    }

    private void settle() {
        logs.forEach((group, log) -> {
            elect(group, log);
            hosts.values().forEach(host -> host.apply(group, log));
        });
    }

    private void elect(LogGroupId group, Log log) {
        List<String> ready = log.members.voters().stream()
                .map(LogPeer::nodeId)
                .filter(id -> hosts.containsKey(id)
                        && hosts.get(id).up
                        && hosts.get(id).replicas.containsKey(group))
                .sorted()
                .toList();
        boolean majority = ready.size() > log.members.voters().size() / 2;
        String leader = !majority ? "" : ready.contains(log.leader) ? log.leader : ready.getFirst();
        if (!leader.equals(log.leader)) {
            log.leader = leader;
            hosts.values().forEach(host -> host.tell(group, leader));
        }
    }

    /** One node's. */
    final class Host implements LogHost {
        private final String nodeId;
        private final Path folder;
        private final Set<LogGroupId> disk = new HashSet<>();
        private final Map<LogGroupId, Replica> replicas = new HashMap<>();
        private boolean up = true;

        private Host(String nodeId, Path folder) {
            this.nodeId = nodeId;
            this.folder = folder;
        }

        /** The process ends or is cut off; its disk stays. */
        void down() {
            synchronized (LogWorld.this) {
                up = false;
                settle();
            }
        }

        private void tell(LogGroupId group, String leader) {
            Replica replica = replicas.get(group);
            if (replica != null) {
                replica.state.leadership(leader.equals(nodeId), leader.isEmpty() ? null : leader, 1);
            }
        }

        private void apply(LogGroupId group, Log log) {
            Replica replica = replicas.get(group);
            if (!up || replica == null || !log.holds(nodeId)) {
                return;
            }
            while (replica.applied < log.entries.size()) {
                byte[] entry = log.entries.get((int) replica.applied);
                replica.applied++;
                replica.reply = replica.state.apply(new LogPosition(1, replica.applied), 0, ByteBuffer.wrap(entry));
            }
        }

        @Override
        public CompletionStage<Void> open(LogGroupId group, LogMembers members, ReplicatedState state) {
            synchronized (LogWorld.this) {
                boolean joins = members.voters().isEmpty();
                if (!joins && disk.add(group)) {
                    logs.computeIfAbsent(group, id -> new Log(members));
                }
                disk.add(group);
                if (!replicas.containsKey(group)) {
                    Replica replica = new Replica(state);
                    replica.applied =
                            state.restore(folder.resolve(group.toString())).index();
                    replicas.put(group, replica);
                }
                settle();
                return CompletableFuture.completedFuture(null);
            }
        }

        @Override
        public CompletionStage<byte[]> appendFreeing(LogGroupId group, ByteBuffer entry) {
            return append(group, entry);
        }

        @Override
        public CompletionStage<byte[]> append(LogGroupId group, ByteBuffer entry) {
            synchronized (LogWorld.this) {
                Log log = logs.get(group);
                if (!up || log == null || !log.leader.equals(nodeId)) {
                    String leader = log == null || log.leader.isEmpty() ? null : log.leader;
                    return CompletableFuture.failedFuture(
                            new LogException(LogException.Kind.NOT_LEADER, nodeId + " does not lead", leader, null));
                }
                byte[] bytes = new byte[entry.remaining()];
                entry.duplicate().get(bytes);
                log.entries.add(bytes);
                settle();
                return CompletableFuture.completedFuture(replicas.get(group).reply);
            }
        }

        @Override
        public CompletionStage<Void> linearize(LogGroupId group) {
            synchronized (LogWorld.this) {
                Log log = logs.get(group);
                boolean answered = up && log != null && !log.leader.isEmpty() && log.holds(nodeId);
                return answered
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(
                                new LogException(LogException.Kind.UNAVAILABLE, "no leader is known"));
            }
        }

        @Override
        public Optional<LogStatus> status(LogGroupId group) {
            synchronized (LogWorld.this) {
                Replica replica = replicas.get(group);
                Log log = logs.get(group);
                if (replica == null) {
                    return Optional.empty();
                }
                if (log == null || !log.holds(nodeId)) {
                    return Optional.of(status(LogStatus.Role.FOLLOWER, null, 0, Map.of(), LogMembers.joining()));
                }
                boolean leads = log.leader.equals(nodeId);
                Map<String, Long> followers = new LinkedHashMap<>();
                log.peers().forEach(peer -> {
                    Host other = hosts.get(peer.nodeId());
                    if (leads && other != null && other != this && other.replicas.containsKey(group)) {
                        followers.put(peer.nodeId(), other.replicas.get(group).applied);
                    }
                });
                return Optional.of(status(
                        leads ? LogStatus.Role.LEADER : LogStatus.Role.FOLLOWER,
                        log.leader.isEmpty() ? null : log.leader,
                        log.entries.size(),
                        followers,
                        log.members));
            }
        }

        private LogStatus status(
                LogStatus.Role role, String leader, long committed, Map<String, Long> followers, LogMembers members) {
            return new LogStatus(
                    role,
                    1,
                    leader,
                    role == LogStatus.Role.LEADER,
                    committed,
                    committed,
                    followers,
                    members,
                    "running",
                    0,
                    0);
        }

        @Override
        public CompletionStage<Void> setMembers(LogGroupId group, LogMembers members) {
            synchronized (LogWorld.this) {
                setMembersBy(group, members);
                return CompletableFuture.completedFuture(null);
            }
        }

        @Override
        public CompletionStage<Void> close(LogGroupId group) {
            synchronized (LogWorld.this) {
                replicas.remove(group);
                settle();
                return CompletableFuture.completedFuture(null);
            }
        }

        @Override
        public CompletionStage<Void> retire(LogGroupId group) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Set<LogGroupId> onDisk() {
            synchronized (LogWorld.this) {
                return Set.copyOf(disk);
            }
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
        public void close() {
            down();
        }
    }
}
