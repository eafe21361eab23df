package dev.weir.wal.ratis;

import dev.weir.wal.LogGroupId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches a leader that may have lost its use: its appends make no progress (a hung disk, heartbeats go on), or most voters do not
 * answer. The first hands leadership over, the second steps down. Ratis does neither while somebody writes.
 *
 * <p>Threading: {@link #check} from the housekeeper; the answers may be read from anywhere.
 */
final class LeaderWatch {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderWatch.class);
    private static final long TRANSFER_MS = 3_000;
    /** Silence after which a connection is given up for a new one. */
    private static final long SILENT_MS = 5_000;

    private final LogGroupId group;
    private final HostContext host;
    private volatile boolean stalled;
    private volatile boolean quorumLost;
    private final AtomicLong stalls = new AtomicLong();
    private long handedOverNanos = System.nanoTime() - TimeUnit.HOURS.toNanos(1);

    LeaderWatch(LogGroupId group, HostContext host) {
        this.group = group;
        this.host = host;
    }

    /** Why this leader cannot acknowledge anything now; null if it can. */
    @Nullable
    String obstacle() {
        if (quorumLost) {
            return "no quorum: most voters do not answer";
        }
        return stalled ? "the leader's appends make no progress" : null;
    }

    /** How often leadership was given up because appends made no progress. */
    long stalls() {
        return stalls.get();
    }

    void check(RaftServer.Division division, AppendQueue appends, long nowNanos) {
        if (!division.getInfo().isLeader()) {
            stalled = false;
            quorumLost = false;
            return;
        }
        List<ServerRpcProto> followers = ReplicaStatus.followerRpcs(division);
        quorumLost = quorumLost(division, followers);
        stalled = appends.stalled(nowNanos, host.config().stallTimeout());
        reconnect(followers, nowNanos);
        if (stalled) {
            appends.expire(nowNanos, host.config().stallTimeout());
        }
        boolean idle = nowNanos - handedOverNanos > TimeUnit.MILLISECONDS.toNanos(2 * TRANSFER_MS);
        if ((stalled || quorumLost) && idle && followers.size() > 0) {
            handedOverNanos = nowNanos;
            stalls.addAndGet(stalled ? 1 : 0);
            String successor = quorumLost ? null : successor(division);
            host.blocking().execute(() -> handOver(successor));
        }
    }

    private boolean quorumLost(RaftServer.Division division, List<ServerRpcProto> followers) {
        long leadsMs = division.getInfo().getRoleInfoProto().getRoleElapsedTimeMs();
        if (leadsMs <= 2 * host.config().electionTimeoutMax().toMillis()) {
            return false; // it was just elected by a majority, which has yet to answer
        }
        Set<String> voters = Peers.ids(division.getRaftConf().getCurrentPeers());
        long answering = followers.stream()
                .filter(follower -> voters.contains(ReplicaStatus.nodeId(follower)))
                .filter(follower -> follower.getLastRpcElapsedTimeMs()
                        <= host.config().electionTimeoutMax().toMillis())
                .count();
        int self = voters.contains(host.config().nodeId()) ? 1 : 0;
        return 2 * (answering + self) <= voters.size();
    }

    /** The voter that has most of the log and answers. */
    @Nullable
    String successor(RaftServer.Division division) {
        Map<String, Long> stored = ReplicaStatus.followers(division);
        Set<String> voters = Peers.ids(division.getRaftConf().getCurrentPeers());
        return ReplicaStatus.followerRpcs(division).stream()
                .filter(follower -> follower.getLastRpcElapsedTimeMs()
                        <= host.config().electionTimeoutMax().toMillis())
                .map(ReplicaStatus::nodeId)
                .filter(voters::contains)
                .max(Comparator.comparing(id -> stored.getOrDefault(id, 0L)))
                .orElse(null);
    }

    private void handOver(@Nullable String successor) {
        LOG.warn(
                "group {}: {}; this leader {}",
                group,
                obstacle(),
                successor == null ? "steps down" : "hands over to " + successor);
        host.meter().count("leader_handed_over", 1);
        if (successor == null) {
            stepDown();
            return;
        }
        host.ratis().transfer(group, successor, TRANSFER_MS).whenComplete((reply, error) -> {
            if (Failures.in(reply, error) != null) {
                host.blocking().execute(this::stepDown);
            }
        });
    }

    private void stepDown() {
        host.ratis().transfer(group, null, TRANSFER_MS);
    }

    /** A peer that answers in other groups has this one closed: a new connection would only harm those. */
    private void reconnect(List<ServerRpcProto> followers, long nowNanos) {
        for (ServerRpcProto follower : followers) {
            String node = ReplicaStatus.nodeId(follower);
            host.answers().answered(node, nowNanos - TimeUnit.MILLISECONDS.toNanos(follower.getLastRpcElapsedTimeMs()));
            long silentMs = TimeUnit.NANOSECONDS.toMillis(host.answers().silentNanos(node, nowNanos));
            if (silentMs > SILENT_MS) {
                host.blocking().execute(() -> host.ratis().reconnect(node, silentMs));
            }
        }
    }
}
