package dev.weir.wal.ratis;

import dev.weir.wal.LogException;
import dev.weir.wal.LogException.Kind;
import dev.weir.wal.LogPosition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.jspecify.annotations.Nullable;

/** What callers ask of one replica: refused at once where it cannot be done, else handed to Ratis. Called from any thread. */
final class ReplicaRequests {
    private final GroupReplica replica;
    private final HostContext host;
    private final LeaderWatch leaderWatch;
    private final AppendQueue appends;

    ReplicaRequests(GroupReplica replica, HostContext host, LeaderWatch leaderWatch) {
        this.replica = replica;
        this.host = host;
        this.leaderWatch = leaderWatch;
        this.appends =
                new AppendQueue(replica.id().toString(), host.config().pendingBytesMax(), this::submit, host.meter());
    }

    AppendQueue appends() {
        return appends;
    }

    /** @param frees the entry gives space back where it is applied */
    CompletableFuture<byte[]> append(ByteBuffer entry, boolean frees) {
        LogException refusal = admission(entry.remaining(), frees);
        return refusal != null
                ? AppendQueue.refused(refusal)
                : appends.append(new PendingAppend(entry, System.nanoTime()));
    }

    private @Nullable LogException admission(int size, boolean frees) {
        if (size > host.config().entryBytesMax()) {
            return new LogException(
                    Kind.TOO_LARGE,
                    "entry of " + size + " bytes: expected at most entryBytesMax "
                            + host.config().entryBytesMax());
        }
        if (replica.phase() == GroupReplica.Phase.FAILED) {
            return logFailed();
        }
        if (replica.lacksSpace(frees)) {
            return new LogException(
                    Kind.DISK_FULL,
                    host.freeSpace().bytes() + " bytes free, expected at least diskReserveBytes "
                            + host.config().diskReserveBytes());
        }
        LogException refusal = refusalAsLeader();
        String obstacle = leaderWatch.obstacle();
        return refusal == null && obstacle != null ? new LogException(Kind.UNAVAILABLE, obstacle) : refusal;
    }

    private LogException logFailed() {
        Throwable cause = replica.failure();
        boolean full =
                host.freeSpace().belowReserve() || !host.freeSpace().fitsLogFile() || FreeSpace.isDiskFull(cause);
        return new LogException(
                full ? Kind.DISK_FULL : Kind.UNAVAILABLE,
                "the log failed and is being reopened" + (cause == null ? "" : ": " + cause.getMessage()),
                null,
                cause);
    }

    /** Null if this replica leads and has applied what came before its term. */
    @Nullable
    LogException refusalAsLeader() {
        GroupReplica.Opening opening = replica.runningOpening();
        if (opening == null) {
            return notRunning();
        }
        if (replica.leads() && opening.division().getInfo().isLeader()) {
            return null;
        }
        String leader = replica.leadershipFacts().leader();
        if (leader == null) {
            return new LogException(Kind.UNAVAILABLE, "no leader is known");
        }
        return leader.equals(host.config().nodeId())
                ? new LogException(Kind.UNAVAILABLE, "this leader is not ready yet")
                : new LogException(Kind.NOT_LEADER, "node " + leader + " leads", leader, null);
    }

    private LogException notRunning() {
        return new LogException(Kind.UNAVAILABLE, "this replica is " + replica.phase());
    }

    private CompletableFuture<RaftClientReply> submit(PendingAppend append) throws IOException {
        GroupReplica.Opening opening = replica.runningOpening();
        if (opening == null) {
            throw notRunning();
        }
        return ask(opening, host.ratis().newRequest(replica.id(), append, RaftClientRequest.writeRequestType()));
    }

    private static CompletableFuture<RaftClientReply> ask(GroupReplica.Opening opening, RaftClientRequest request)
            throws IOException {
        return ((RaftClientAsynchronousProtocol) opening.division()).submitClientRequestAsync(request);
    }

    CompletableFuture<Void> linearize() {
        GroupReplica.Opening opening = replica.runningOpening();
        if (opening == null) {
            return CompletableFuture.failedFuture(notRunning());
        }
        // A sole voter would answer at once, before it has applied what it had acknowledged before its restart.
        if (opening.division().getInfo().isLeader()
                && !opening.division().getInfo().isLeaderReady()) {
            return CompletableFuture.failedFuture(new LogException(Kind.UNAVAILABLE, "this leader is not ready yet"));
        }
        CompletableFuture<Void> result = new CompletableFuture<>();
        RaftClientRequest.Type read = RaftClientRequest.readRequestType(false, false, true);
        try {
            ask(opening, host.ratis().newRequest(replica.id(), null, read))
                    .orTimeout(host.config().appendTimeout().toMillis(), TimeUnit.MILLISECONDS)
                    .whenComplete((reply, error) -> Failures.settle(result, reply, error, Failures::of));
        } catch (IOException | RuntimeException e) {
            result.completeExceptionally(Failures.of(e));
        }
        return result;
    }

    CompletableFuture<LogPosition> snapshot() {
        GroupReplica.Opening opening = replica.runningOpening();
        if (opening == null) {
            return CompletableFuture.failedFuture(notRunning());
        }
        CompletableFuture<LogPosition> result = new CompletableFuture<>();
        host.blocking()
                .execute(() -> host.ratis().snapshot(replica.id()).whenComplete((reply, error) -> {
                    Throwable failure = Failures.in(reply, error);
                    if (failure == null) {
                        result.complete(opening.machine().snapshotPosition());
                    } else {
                        result.completeExceptionally(Failures.of(failure));
                    }
                }));
        return result;
    }
}
