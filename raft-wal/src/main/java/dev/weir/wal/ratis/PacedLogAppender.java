package dev.weir.wal.ratis;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.jspecify.annotations.Nullable;

/**
 * Ratis's sender to one follower at our pace.
 *
 * <p>Heartbeats come several times within the shortest election timeout, where Ratis alone sends one in its first half: so a stall of
 * a second does not look like a dead leader. Notices to install a snapshot come a few times a second, where Ratis alone would send
 * hundreds while the follower is at it.
 */
final class PacedLogAppender extends GrpcLogAppender {
    private static final long NOTICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final int heartbeatMs;
    private volatile long noticeNanos = System.nanoTime() - NOTICE_NANOS;
    private volatile boolean noticed;

    PacedLogAppender(RaftServer.Division division, LeaderState leader, FollowerInfo follower, int heartbeatMs) {
        super(division, leader, follower);
        this.heartbeatMs = heartbeatMs;
    }

    @Override
    public GrpcServicesImpl getServerRpc() {
        return ((AddressedRpc) getServer().getRaftServer().getServerRpc()).grpc();
    }

    @Override
    public long getHeartbeatWaitTimeMs() {
        long sinceAnswer = getFollower().getLastRpcResponseTime().elapsedTimeMs();
        long sinceHeartbeat = getFollower().getLastHeartbeatSendTime().elapsedTimeMs();
        long ours = Math.max(heartbeatMs - sinceAnswer, heartbeatMs / 2 - sinceHeartbeat);
        return Math.min(super.getHeartbeatWaitTimeMs(), ours);
    }

    /**
     * A follower whose last entries were torn by a crash has less than it once confirmed. Ratis would insist on what was confirmed,
     * and never send them again.
     */
    @Override
    protected long getNextIndexForInconsistency(long requestFirstIndex, long replyNextIndex) {
        if (replyNextIndex > getFollower().getMatchIndex()) {
            return super.getNextIndexForInconsistency(requestFirstIndex, replyNextIndex);
        }
        boolean sameAgain = replyNextIndex == requestFirstIndex && replyNextIndex > RaftLog.LEAST_VALID_LOG_INDEX;
        return sameAgain ? replyNextIndex - 1 : replyNextIndex;
    }

    @Override
    public @Nullable TermIndex shouldNotifyToInstallSnapshot() {
        TermIndex first = super.shouldNotifyToInstallSnapshot();
        if (first == null) {
            return null;
        }
        long wait = noticeNanos + NOTICE_NANOS - System.nanoTime();
        if (noticed && wait > 0) {
            LockSupport.parkNanos(this, wait);
        }
        noticed = true;
        noticeNanos = System.nanoTime();
        ((LogStateMachine) getServer().getStateMachine()).followerInstalls(noticeNanos);
        return first;
    }
}
