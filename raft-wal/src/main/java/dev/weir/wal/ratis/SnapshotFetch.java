package dev.weir.wal.ratis;

import dev.weir.wal.LogPosition;
import dev.weir.wal.ReplicatedState;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings in a snapshot when the leader's log no longer reaches back far enough. A failed try is answered only after a pause that grows
 * up to some seconds; since the leader asks again at once, this is the pace of the tries.
 *
 * <p>Threading: Ratis starts one at a time; it runs on a thread of its own.
 */
final class SnapshotFetch {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotFetch.class);
    private static final long PAUSE_MS_MAX = 5_000;

    private final ReplicatedState state;
    private final StateGate gate;
    private volatile LogPosition installed = LogPosition.NONE;
    private final AtomicInteger failures = new AtomicInteger();

    SnapshotFetch(ReplicatedState state, StateGate gate) {
        this.state = state;
        this.gate = gate;
    }

    /** The position of the snapshot that was fetched last. */
    LogPosition installed() {
        return installed;
    }

    /**
     * Completes with the position of the new snapshot.
     *
     * @param leader the node to fetch from
     * @param appliedNow tells what is applied here
     * @param firstInLog the first entry that the leader still has
     */
    CompletableFuture<LogPosition> start(String leader, Supplier<LogPosition> appliedNow, long firstInLog) {
        CompletableFuture<LogPosition> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("weir-install").start(() -> run(leader, appliedNow, firstInLog, result));
        return result;
    }

    private void run(
            String leader, Supplier<LogPosition> appliedNow, long firstInLog, CompletableFuture<LogPosition> result) {
        if (!gate.beginInstall()) {
            failLater(new IllegalStateException("the state is " + gate.mode()), result);
            return;
        }
        LogPosition applied = appliedNow.get();
        try {
            // Nothing is missing but the leader's memory of the entry before its first one: our own snapshot gives it
            // that.
            CompletionStage<LogPosition> fetched = applied.index() + 1 >= firstInLog && applied.index() > 0
                    ? CompletableFuture.completedFuture(state.snapshot(applied))
                    : state.install(leader);
            fetched.whenComplete((position, error) -> finish(applied, position, error, result));
        } catch (RuntimeException | Error e) {
            // Too little memory among them: without an answer Ratis would never try again.
            finish(applied, LogPosition.NONE, e, result);
        }
    }

    private void finish(
            LogPosition applied,
            @Nullable LogPosition position,
            @Nullable Throwable error,
            CompletableFuture<LogPosition> result) {
        if (error != null || position == null || position.compareTo(applied) < 0) {
            gate.endInstall(false);
            failLater(
                    error != null
                            ? error
                            : new IllegalStateException("fetched a snapshot of " + position + ", have " + applied),
                    result);
            return;
        }
        installed = position;
        failures.set(0);
        if (gate.endInstall(true)) {
            result.complete(position);
        } else {
            result.completeExceptionally(new IllegalStateException("the state is " + gate.mode()));
        }
    }

    private void failLater(Throwable error, CompletableFuture<LogPosition> result) {
        long pauseMs = Math.min(PAUSE_MS_MAX, 100L << Math.min(failures.getAndIncrement(), 10));
        LOG.warn("cannot install a snapshot, next try in {} ms", pauseMs, error);
        Executor later = CompletableFuture.delayedExecutor(pauseMs, TimeUnit.MILLISECONDS);
        later.execute(() -> result.completeExceptionally(error));
    }
}
