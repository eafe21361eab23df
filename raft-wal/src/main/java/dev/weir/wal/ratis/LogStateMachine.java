package dev.weir.wal.ratis;

import dev.weir.wal.LogConfig;
import dev.weir.wal.LogPosition;
import dev.weir.wal.ReplicatedState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ratis's face of one {@link ReplicatedState}, for one opening of its group.
 *
 * <p>Data of a log entry: 8 bytes big-endian, the leader's clock in ns since 1970, then the caller's bytes.
 *
 * <p>Threading: Ratis's updater thread applies, snapshots, restores and closes; the gate keeps these apart from the thread that
 * fetches a snapshot. Everything else may come from any thread.
 */
final class LogStateMachine extends BaseStateMachine {
    private static final Logger LOG = LoggerFactory.getLogger(LogStateMachine.class);
    private static final int CLOCK_BYTES = Long.BYTES;
    /** What an entry costs beside its bytes: its record in the heap and its reading at start. */
    private static final int ENTRY_COST_BYTES = 1024;
    /** A leader that noticed a follower of a snapshot within this time keeps its log for it. */
    private static final long INSTALLING_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ReplicatedState state;
    private final Path stateDirectory;
    private final InstantSource clock;
    private final long snapshotEveryBytes;
    private final ReplicaEvents events;
    private final StateGate gate = new StateGate();
    private final SnapshotFetch fetch;
    private final PurgePlan purgePlan;

    private volatile LogPosition snapshot;
    private final AtomicLong appliedBytes = new AtomicLong();
    private volatile long snapshotBytes;
    private volatile long readyTerm = -1;
    private volatile long followerInstallsNanos = System.nanoTime() - INSTALLING_NANOS;
    private volatile @Nullable RaftStorage storage;

    LogStateMachine(
            ReplicatedState state,
            Path stateDirectory,
            LogPosition restored,
            LogConfig config,
            InstantSource clock,
            ReplicaEvents events) {
        this.state = state;
        this.stateDirectory = stateDirectory;
        this.snapshot = restored;
        this.clock = clock;
        this.snapshotEveryBytes = config.snapshotEveryBytes();
        this.events = events;
        this.fetch = new SnapshotFetch(state, gate);
        this.purgePlan = new PurgePlan(2 * snapshotEveryBytes, 16 * snapshotEveryBytes);
    }

    // ---- life

    @Override
    public void initialize(RaftServer raftServer, RaftGroupId group, RaftStorage raftStorage) throws IOException {
        super.initialize(raftServer, group, raftStorage);
        storage = raftStorage;
        getLifeCycle().startAndTransition(() -> setLastAppliedTermIndex(termIndex(snapshot)));
    }

    @Override
    public void pause() {
        if (getLifeCycle().compareAndTransition(LifeCycle.State.RUNNING, LifeCycle.State.PAUSING)) {
            getLifeCycle().transition(LifeCycle.State.PAUSED);
        }
    }

    /** After a snapshot was fetched. */
    @Override
    public void reinitialize() throws IOException {
        gate.enterAnyway();
        try {
            LogPosition installed = fetch.installed();
            LogPosition restored = state.restore(stateDirectory);
            if (restored.compareTo(installed) < 0) {
                throw new IOException("restored to " + restored + ", expected the installed snapshot " + installed);
            }
            snapshot = restored;
            snapshotBytes = appliedBytes.get();
            setLastAppliedTermIndex(termIndex(restored));
            getLifeCycle().transition(LifeCycle.State.STARTING);
            getLifeCycle().transition(LifeCycle.State.RUNNING);
            gate.restored();
        } finally {
            gate.leave();
        }
        events.snapshotInstalled();
    }

    @Override
    public void close() {
        gate.shut();
        getLifeCycle().checkStateAndClose();
    }

    /** Frees what Ratis leaves behind when a group fails to start. */
    void releaseStorage() {
        RaftStorage opened = storage;
        if (opened != null) {
            try {
                opened.close();
            } catch (IOException e) {
                LOG.warn("cannot unlock {}", opened.getStorageDir(), e);
            }
        }
    }

    /** Lets go of entries that wait for a snapshot, so that the group can be closed. */
    void giveUpInstall() {
        if (installing()) {
            gate.shut();
        }
    }

    boolean installing() {
        StateGate.Mode mode = gate.mode();
        return mode == StateGate.Mode.INSTALLING || mode == StateGate.Mode.REPLACED;
    }

    // ---- append

    @Override
    public TransactionContext startTransaction(RaftClientRequest request) {
        Instant now = clock.instant();
        ByteBuffer reading = ByteBuffer.allocate(CLOCK_BYTES);
        reading.putLong(0, Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000_000L), now.getNano()));
        return TransactionContext.newBuilder()
                .setStateMachine(this)
                .setClientRequest(request)
                .setLogData(UnsafeByteOperations.unsafeWrap(reading)
                        .concat(request.getMessage().getContent()))
                .setStateMachineContext(request.getMessage())
                .build();
    }

    @Override
    public TransactionContext preAppendTransaction(TransactionContext transaction) {
        if (transaction.getStateMachineContext() instanceof PendingAppend append) {
            append.logged();
        }
        return transaction;
    }

    // ---- apply

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        if (!gate.enter()) {
            return CompletableFuture.completedFuture(Message.EMPTY);
        }
        try {
            ByteString data = entry.getStateMachineLogEntry().getLogData();
            long reading = data.substring(0, CLOCK_BYTES).asReadOnlyByteBuffer().getLong();
            byte[] reply =
                    state.apply(new LogPosition(entry.getTerm(), entry.getIndex()), reading, bytes(transaction, data));
            appliedBytes.addAndGet(data.size() + ENTRY_COST_BYTES);
            updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
            ByteString content = UnsafeByteOperations.unsafeWrap(reply);
            return CompletableFuture.completedFuture(() -> content);
        } catch (Throwable t) {
            throw stop("apply of entry " + entry.getIndex() + " of term " + entry.getTerm(), t);
        } finally {
            gate.leave();
        }
    }

    /** On the leader the caller's own bytes; else a view of what was read from the log, without a copy. */
    private static ByteBuffer bytes(TransactionContext transaction, ByteString data) {
        return transaction.getStateMachineContext() instanceof PendingAppend append
                ? append.entry()
                : data.substring(CLOCK_BYTES).asReadOnlyByteBuffer();
    }

    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        if (!gate.enter()) {
            return;
        }
        try {
            appliedBytes.addAndGet(ENTRY_COST_BYTES);
            updateLastAppliedTermIndex(term, index);
        } finally {
            gate.leave();
        }
    }

    /** A full disk passes: the group is opened again and its state restored. After anything else the replica could drift. */
    private IllegalStateException stop(String what, Throwable cause) {
        gate.shut();
        if (FreeSpace.isDiskFull(cause)) {
            events.logFailed(cause);
        } else {
            events.fault("group " + getGroupId() + ", " + what, cause);
        }
        return new IllegalStateException(what + " failed", cause);
    }

    // ---- snapshots

    @Override
    public @Nullable SnapshotInfo getLatestSnapshot() {
        LogPosition position = snapshot;
        return position.equals(LogPosition.NONE) ? null : new StateSnapshot(termIndex(position));
    }

    LogPosition snapshotPosition() {
        return snapshot;
    }

    /** Enough was logged since the last snapshot. */
    boolean snapshotDue() {
        return appliedBytes.get() - snapshotBytes >= snapshotEveryBytes;
    }

    /** Returns an invalid index always: so Ratis leaves the cutting of its log to us. */
    @Override
    public long takeSnapshot() {
        if (!gate.enter()) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        try {
            LogPosition applied = appliedPosition();
            if (indexOf(applied) > indexOf(snapshot) && events.maySnapshot()) {
                long bytes = appliedBytes.get();
                snapshot = state.snapshot(applied);
                snapshotBytes = bytes;
            }
        } catch (Throwable t) {
            throw stop("snapshot", t);
        } finally {
            gate.leave();
        }
        purge();
        return RaftLog.INVALID_LOG_INDEX;
    }

    private void purge() {
        RaftServer.Division division = division();
        if (division == null || indexOf(snapshot) < 0) {
            return;
        }
        boolean followerInstalls = System.nanoTime() - followerInstallsNanos < INSTALLING_NANOS;
        long forced = purgePlan.snapshotTaken(snapshot.index(), snapshotBytes, followerInstalls);
        // One entry more than all have is kept: without its term a follower at the seam could not be sent the next.
        long everyoneHas = division.getCommitInfos().stream()
                        .mapToLong(CommitInfoProto::getCommitIndex)
                        .min()
                        .orElse(0)
                - 1;
        long purge = Math.min(snapshot.index(), Math.max(everyoneHas, forced));
        if (purge >= RaftLog.LEAST_VALID_LOG_INDEX) {
            division.getRaftLog().purge(purge);
        }
    }

    private RaftServer.@Nullable Division division() {
        try {
            return getServer().join().getDivision(getGroupId());
        } catch (IOException e) {
            return null;
        }
    }

    /** This leader has told a follower to fetch a snapshot. */
    void followerInstalls(long nowNanos) {
        followerInstallsNanos = nowNanos;
    }

    @Override
    public CompletableFuture<@Nullable TermIndex> notifyInstallSnapshotFromLeader(
            RoleInfoProto role, TermIndex firstInLeadersLog) {
        if (firstInLeadersLog.getIndex() <= RaftLog.LEAST_VALID_LOG_INDEX) {
            return CompletableFuture.completedFuture(null);
        }
        String leader = role.getFollowerInfo().getLeaderInfo().getId().getId().toStringUtf8();
        return fetch.start(leader, this::appliedPosition, firstInLeadersLog.getIndex())
                .thenApply(LogStateMachine::termIndex);
    }

    // ---- events

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId newLeader) {
        events.leaderSeen(newLeader.toString());
        events.leadershipChanged();
    }

    @Override
    public void notifyLeaderReady() {
        RaftServer.Division division = division();
        readyTerm = division == null ? -1 : division.getInfo().getCurrentTerm();
        events.leadershipChanged();
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        events.leadershipChanged();
    }

    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto failedEntry) {
        events.logFailed(cause);
    }

    /** The last term in which this replica, as leader, had applied all entries of earlier terms. */
    long readyTerm() {
        return readyTerm;
    }

    // ---- positions

    private LogPosition appliedPosition() {
        TermIndex applied = getLastAppliedTermIndex();
        return applied.getIndex() < 0 ? LogPosition.NONE : new LogPosition(applied.getTerm(), applied.getIndex());
    }

    private static long indexOf(LogPosition position) {
        return position.equals(LogPosition.NONE) ? RaftLog.INVALID_LOG_INDEX : position.index();
    }

    static TermIndex termIndex(LogPosition position) {
        return TermIndex.valueOf(position.term(), indexOf(position));
    }

    private record StateSnapshot(TermIndex termIndex) implements SnapshotInfo {
        @Override
        public TermIndex getTermIndex() {
            return termIndex;
        }

        @Override
        public List<FileInfo> getFiles() {
            return List.of();
        }
    }
}
