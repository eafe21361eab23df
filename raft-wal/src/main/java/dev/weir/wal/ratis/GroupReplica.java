package dev.weir.wal.ratis;

import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPosition;
import dev.weir.wal.LogStatus;
import dev.weir.wal.ReplicatedState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's replica of one group: opens and closes it in Ratis, opens it again after its log failed, admits appends.
 *
 * <pre>
 * OPENING ──► RUNNING ──► CLOSING ──► CLOSED
 *    ▲           │
 *    └── FAILED ◄┘   (log failed, or Ratis gave the group up)
 *         RUNNING ──► EXPELLED   (removed from the members, or the state is faulty: waits for close)
 * </pre>
 *
 * <p>Threading: opening and closing run one after the other on the host's threads for blocking work; {@link #tick} comes from the
 * housekeeper; the rest from anywhere, without locks that Ratis could hold for long.
 */
final class GroupReplica implements ReplicaEvents {
    private static final Logger LOG = LoggerFactory.getLogger(GroupReplica.class);

    /** Where the replica stands. */
    enum Phase {
        OPENING,
        RUNNING,
        FAILED,
        EXPELLED,
        CLOSING,
        CLOSED
    }

    private final LogGroupId id;
    private final HostContext host;
    private final ReplicatedState state;
    private final LogMembers firstMembers;
    private final ReopenPlan reopenPlan = new ReopenPlan();
    private final AtomicBoolean recovering = new AtomicBoolean();
    private final Path directory;
    private final SerialTasks tasks;
    private final AppendQueue appends;
    private final LeadershipTeller teller;
    private final LeaderWatch leaderWatch;
    private final ReplicaRequests requests;
    private final AtomicLong leaderChanges = new AtomicLong();
    private final AtomicLong installs = new AtomicLong();
    private final CompletableFuture<Void> opened;

    private volatile Phase phase = Phase.OPENING;
    private volatile @Nullable Opening opening;
    private volatile long knownTerm = -1;
    private volatile boolean keepNothing;
    private volatile boolean faulty;
    private volatile @Nullable String lastLeader;
    private volatile LogMembers lastMembers;
    private volatile boolean snapshotRequested;

    /** One opening of the group in Ratis. */
    record Opening(RaftServer.Division division, LogStateMachine machine) {}

    GroupReplica(LogGroupId id, LogMembers members, ReplicatedState state, HostContext host) {
        this.id = id;
        this.host = host;
        this.state = state;
        this.firstMembers = members;
        this.lastMembers = members;
        this.directory = host.directory(id);
        this.tasks = new SerialTasks(host.blocking());
        this.teller = new LeadershipTeller(state, this::leadershipFacts, host.blocking());
        this.leaderWatch = new LeaderWatch(id, host);
        this.requests = new ReplicaRequests(this, host, leaderWatch);
        this.appends = requests.appends();
        this.opened = tasks.run(this::openNow);
        host.meter().gauge("pending_bytes", id, appends::bytes);
        host.meter().gauge("pending_entries", id, appends::count);
    }

    CompletableFuture<Void> opened() {
        return opened;
    }

    LogGroupId id() {
        return id;
    }

    Phase phase() {
        return phase;
    }

    @Nullable
    Opening opening() {
        return opening;
    }

    /** Null unless the group is open and its log works. */
    @Nullable
    Opening runningOpening() {
        return phase == Phase.RUNNING ? opening : null;
    }

    // ---- opening and closing; each on a thread that may block

    private void openNow() throws Exception {
        phase = Phase.OPENING;
        Files.createDirectories(directory.resolve("state"));
        LogPosition restored = state.restore(directory.resolve("state"));
        Path current = directory.resolve("current");
        long lastTerm =
                LogFiles.mend(current, LogStateMachine.termIndex(restored).getIndex());
        VoteFile.mend(current, Math.max(lastTerm, restored.term()), knownTerm);
        LogStateMachine machine =
                new LogStateMachine(state, directory.resolve("state"), restored, host.config(), host.clock(), this);
        try {
            RaftServer.Division division = host.ratis().open(id, firstMembers, machine);
            opening = new Opening(division, machine);
            snapshotRequested = false; // a request that the last opening broke at is never answered
            phase = Phase.RUNNING;
        } catch (Exception e) {
            machine.releaseStorage();
            throw e;
        }
        host.ratis().nudge(id);
        teller.look();
    }

    /** After the log failed, and again until it is open. The state is not closed, only restored again. */
    private void recoverNow() throws Exception {
        if (phase != Phase.FAILED) {
            return;
        }
        // A leader whose log is closed is half dead, and its peers' calls would fill their logs and ours with errors.
        closeInRatis();
        appends.abandon("the log failed");
        if (reopenPlan.mayOpen(System.nanoTime(), host.freeSpace())) {
            LOG.info("group {}: opening the log again", id);
            openNow();
            reopenPlan.opened();
            host.meter().count("reopened", 1);
        }
    }

    private void closeInRatis() throws Exception {
        Opening current = opening;
        if (current != null) {
            current.machine().giveUpInstall();
            host.ratis().close(id);
            knownTerm = current.division().getInfo().getCurrentTerm();
            lastMembers = Peers.members(current.division().getRaftConf(), host.book());
            opening = null;
        }
    }

    CompletableFuture<Void> close(boolean retire) {
        keepNothing = retire;
        Opening current = opening;
        if (current != null) {
            current.machine().giveUpInstall();
        }
        return tasks.run(() -> closeNow(retire));
    }

    private void closeNow(boolean retire) throws Exception {
        if (phase == Phase.CLOSED) {
            return;
        }
        phase = Phase.CLOSING;
        try {
            closeInRatis();
        } finally {
            appends.close();
            state.close();
            phase = Phase.CLOSED;
            host.meter().forget(id);
        }
        if (retire) {
            host.setAside(directory);
        }
    }

    // ---- what is asked of it

    /**
     * Too little space for what its log takes.
     *
     * @param frees the entry gives space back
     */
    boolean lacksSpace(boolean frees) {
        return (frees || state.usesReserve())
                ? !host.freeSpace().fitsLogFile()
                : host.freeSpace().belowReserve();
    }

    /** What callers ask. */
    ReplicaRequests requests() {
        return requests;
    }

    @Nullable
    Throwable failure() {
        return reopenPlan.failure();
    }

    /** The voter to which leadership could go; null if this replica does not lead or there is none. */
    @Nullable
    String successor() {
        Opening current = runningOpening();
        return current == null ? null : leaderWatch.successor(current.division());
    }

    LogStatus status() {
        return ReplicaStatus.of(this, host);
    }

    long leaderChanges() {
        return leaderChanges.get();
    }

    long stalls() {
        return leaderWatch.stalls();
    }

    long installs() {
        return installs.get();
    }

    /** As they were when the group was open last. */
    LogMembers lastMembers() {
        return lastMembers;
    }

    /** True once the state was told that this replica leads. */
    boolean leads() {
        return teller.told().leads();
    }

    // ---- housekeeping

    void tick(long nowNanos) {
        appends.expire(nowNanos, host.config().appendTimeout());
        Opening current = runningOpening();
        if (current != null) {
            watch(current, nowNanos);
        } else if (phase == Phase.FAILED && reopenPlan.due(nowNanos) && recovering.compareAndSet(false, true)) {
            tasks.run(this::recoverNow).whenComplete((done, error) -> recovered(error));
        }
    }

    private void watch(Opening current, long nowNanos) {
        if (!current.division().getInfo().isAlive()) {
            givenUp(current);
            return;
        }
        if (!teller.told().sameAs(leadershipFacts())) {
            teller.look();
        }
        if (current.machine().snapshotDue() && !snapshotRequested && maySnapshot()) {
            snapshotRequested = true;
            requests.snapshot().whenComplete((done, error) -> snapshotRequested = false);
        }
        reopenPlan.runs(nowNanos);
        leaderWatch.check(current.division(), appends, nowNanos);
    }

    /** Ratis has closed the group by itself: because we are no member any more, or because something in it broke. */
    private void givenUp(Opening current) {
        boolean member = current.division().getRaftConf().getPeer(host.ratis().self(), RatisGroups.ANY_ROLE) != null;
        if (faulty || !member) {
            LOG.warn("group {}: closed by Ratis, {}", id, faulty ? "its state is faulty" : "not a member any more");
            phase = Phase.EXPELLED;
            appends.abandon("the log was closed");
            teller.look();
        } else {
            logFailed(new IOException("Ratis closed the group"));
        }
    }

    private void recovered(@Nullable Throwable error) {
        if (error != null) {
            LOG.warn("group {}: cannot open the log again", id, error);
            reopenPlan.failed(error, System.nanoTime());
            phase = phase == Phase.OPENING ? Phase.FAILED : phase;
        }
        recovering.set(false);
    }

    // ---- what the state machine tells

    LeadershipTeller.View leadershipFacts() {
        Opening current = runningOpening();
        if (current == null) {
            return LeadershipTeller.View.NOBODY;
        }
        var info = current.division().getInfo();
        long term = info.getCurrentTerm();
        boolean leads =
                info.isLeader() && info.isLeaderReady() && current.machine().readyTerm() == term;
        var leader = info.getLeaderId();
        return new LeadershipTeller.View(leads, leader == null ? null : leader.toString(), term);
    }

    @Override
    public void leadershipChanged() {
        teller.look();
    }

    @Override
    public void leaderSeen(String leaderNodeId) {
        if (!leaderNodeId.equals(lastLeader)) {
            lastLeader = leaderNodeId;
            leaderChanges.incrementAndGet();
            host.meter().count("leader_changes", 1);
        }
    }

    @Override
    public void logFailed(Throwable cause) {
        if (phase == Phase.RUNNING) {
            LOG.error("group {}: the log failed, appends are refused until it is open again", id, cause);
            reopenPlan.failed(cause, System.nanoTime());
            phase = Phase.FAILED;
            host.meter().count("log_failures", 1);
            host.blocking().execute(() -> appends.abandon("the log failed"));
            teller.look();
        }
    }

    @Override
    public void snapshotInstalled() {
        installs.incrementAndGet();
        host.meter().count("snapshots_installed", 1);
    }

    @Override
    public boolean maySnapshot() {
        return !keepNothing
                && !faulty
                && phase != Phase.FAILED
                && host.freeSpace().fitsLogFile();
    }

    @Override
    public void fault(String what, Throwable cause) {
        faulty = true;
        host.faults().fault(what, cause);
    }
}
