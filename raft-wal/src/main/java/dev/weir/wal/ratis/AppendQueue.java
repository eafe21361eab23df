package dev.weir.wal.ratis;

import dev.weir.wal.LogException;
import dev.weir.wal.LogException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.RaftClientReply;
import org.jspecify.annotations.Nullable;

/**
 * The appends of one group that are not answered yet: hands them to Ratis in the order in which they came, counts their bytes until
 * Ratis lets go of them, and answers for Ratis where it does not in time.
 *
 * <p>Threading: {@link #append} from any thread; one thread of its own hands over, since Ratis takes the group's lock there, which a
 * hung disk can hold for long; {@link #expire} from the housekeeper.
 */
final class AppendQueue implements AutoCloseable {
    /** Hands one append to Ratis. */
    interface Submitter {
        CompletableFuture<RaftClientReply> submit(PendingAppend append) throws IOException;
    }

    private final Submitter submitter;
    private final long bytesMax;
    private final LogMeter meter;
    private final ThreadPoolExecutor thread;
    private final AtomicLong bytes = new AtomicLong();
    /** In the order of their coming. Guarded by itself. */
    private final LinkedHashSet<PendingAppend> waiting = new LinkedHashSet<>();

    private volatile long answeredNanos = System.nanoTime();

    AppendQueue(String name, long bytesMax, Submitter submitter, LogMeter meter) {
        this.submitter = submitter;
        this.bytesMax = bytesMax;
        this.meter = meter;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name("weir-append-" + name).factory());
        thread.allowCoreThreadTimeOut(true);
    }

    long bytes() {
        return bytes.get();
    }

    int count() {
        synchronized (waiting) {
            return waiting.size();
        }
    }

    CompletableFuture<byte[]> append(PendingAppend append) {
        if (bytes.addAndGet(append.size()) > bytesMax) {
            bytes.addAndGet(-append.size());
            return refused(new LogException(Kind.OVERLOADED, "more than pendingBytesMax " + bytesMax + " bytes wait"));
        }
        synchronized (waiting) {
            if (waiting.size() < RatisSettings.PENDING_MAX) {
                waiting.add(append);
            } else {
                bytes.addAndGet(-append.size());
                return refused(new LogException(Kind.OVERLOADED, RatisSettings.PENDING_MAX + " entries wait"));
            }
        }
        try {
            thread.execute(() -> submit(append));
        } catch (RejectedExecutionException e) {
            forget(append);
            return refused(new LogException(Kind.UNAVAILABLE, "the log is closing"));
        }
        return append.future();
    }

    static CompletableFuture<byte[]> refused(LogException refusal) {
        return CompletableFuture.failedFuture(refusal);
    }

    private void submit(PendingAppend append) {
        if (!append.submit()) {
            forget(append);
            return;
        }
        try {
            submitter.submit(append).whenComplete((reply, error) -> finish(append, reply, error));
        } catch (IOException | RuntimeException e) {
            finish(append, null, e);
        }
    }

    private void finish(PendingAppend append, @Nullable RaftClientReply reply, @Nullable Throwable error) {
        if (!forget(append)) {
            return;
        }
        long now = System.nanoTime();
        Throwable failure = Failures.in(reply, error);
        if (failure != null || reply == null) {
            fail(append, Failures.ofAppend(append, failure == null ? new IllegalStateException("no reply") : failure));
            return;
        }
        answeredNanos = now;
        meter.time("append", now - append.startNanos());
        append.future().complete(reply.getMessage().getContent().toByteArray());
    }

    private void fail(PendingAppend append, LogException failure) {
        meter.count("append_failed_" + failure.kind(), 1);
        append.future().completeExceptionally(failure);
    }

    /** True for the first who lets go of it. */
    private boolean forget(PendingAppend append) {
        synchronized (waiting) {
            if (!waiting.remove(append)) {
                return false;
            }
        }
        bytes.addAndGet(-append.size());
        return true;
    }

    /** Answers those who have waited for longer than the time-out. They still count until Ratis lets go of them. */
    void expire(long nowNanos, Duration timeout) {
        for (PendingAppend append : copy()) {
            if (nowNanos - append.startNanos() < timeout.toNanos()) {
                return;
            }
            if (!append.future().isDone()) {
                Kind kind = append.cancel() ? Kind.UNAVAILABLE : Kind.UNKNOWN;
                fail(append, new LogException(kind, "no answer within appendTimeout " + timeout));
            }
        }
    }

    /** True if somebody has waited for so long and nobody was answered meanwhile. */
    boolean stalled(long nowNanos, Duration timeout) {
        if (nowNanos - answeredNanos < timeout.toNanos()) {
            return false;
        }
        synchronized (waiting) {
            return !waiting.isEmpty() && nowNanos - waiting.getFirst().startNanos() >= timeout.toNanos();
        }
    }

    /** Ratis will answer none of them any more. */
    void abandon(String why) {
        for (PendingAppend append : copy()) {
            boolean untouched = append.cancel();
            if (forget(append) && !append.future().isDone()) {
                fail(append, new LogException(untouched ? Kind.UNAVAILABLE : Kind.UNKNOWN, why));
            }
        }
    }

    private List<PendingAppend> copy() {
        synchronized (waiting) {
            return waiting.isEmpty() ? List.of() : new ArrayList<>(waiting);
        }
    }

    @Override
    public void close() {
        abandon("the log was closed");
        thread.shutdown();
    }
}
