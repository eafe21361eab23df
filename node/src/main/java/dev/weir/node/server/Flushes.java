package dev.weir.node.server;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes files of what is buffered in the partitions that this node leads: looks every second, flushes {@link #AT_ONCE} partitions at a time, and
 * waits longer after each failure. Whatever fails, rows stay buffered until a flush holds.
 */
final class Flushes implements AutoCloseable {
    /** Partitions flushed at a time. */
    static final int AT_ONCE = 2;

    private static final Logger LOG = LoggerFactory.getLogger(Flushes.class);
    private static final long LOOK_MS = 1000;
    private static final long PAUSE_MS_MAX = 60_000;
    private static final long STOP_SECONDS_MAX = 5;

    private final Supplier<List<HeldPartition>> held;
    private final ExecutorService blocking;
    private final long sweepNanos;
    private final Semaphore slots = new Semaphore(AT_ONCE);
    private final Map<Integer, Trouble> troubles = new ConcurrentHashMap<>();
    private final Map<Integer, Long> swept = new ConcurrentHashMap<>();
    private final Map<Integer, HeldPartition> running = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("weir-flush-timer").daemon().factory());
    private volatile boolean closing;

    /** After a failed flush: when the next one may begin. */
    private record Trouble(long pauseMs, long untilNanos) {}

    /**
     * @param blocking runs flushes
     * @param orphanAge files of nobody are looked for so often
     */
    Flushes(Supplier<List<HeldPartition>> held, ExecutorService blocking, Duration orphanAge) {
        this.held = held;
        this.blocking = blocking;
        this.sweepNanos = orphanAge.toNanos();
    }

    void start() {
        timer.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    }

    /** Partitions led here whose last flush or merge failed. */
    int troubled() {
        return troubles.size();
    }

    private void look() {
        for (HeldPartition each : held.get()) {
            if (!each.leads()) {
                troubles.remove(each.partition());
            } else if (!closing && mayTry(each.partition()) && slots.tryAcquire()) {
                if (running.putIfAbsent(each.partition(), each) == null) {
                    blocking.execute(() -> flush(each));
                } else {
                    slots.release();
                }
            }
        }
    }

    private boolean mayTry(int partition) {
        Trouble trouble = troubles.get(partition);
        return trouble == null || System.nanoTime() - trouble.untilNanos >= 0;
    }

    private void flush(HeldPartition partition) {
        try {
            partition.flusher().flushDue();
            partition.flusher().compactDue();
            if (sweepIsDue(partition.partition())) {
                partition.flusher().sweep();
            }
            partition.flushFails(null);
            if (troubles.remove(partition.partition()) != null) {
                LOG.info("partition {}: flushes hold again", partition.partition());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            failed(partition, e);
        } finally {
            running.remove(partition.partition());
            slots.release();
        }
    }

    private boolean sweepIsDue(int partition) {
        long now = System.nanoTime();
        Long last = swept.putIfAbsent(partition, now);
        boolean due = last != null && now - last >= sweepNanos;
        if (due) {
            swept.put(partition, now);
        }
        return due;
    }

    private void failed(HeldPartition held, Exception e) {
        int partition = held.partition();
        Trouble before = troubles.get(partition);
        long pauseMs = before == null ? LOOK_MS : Math.min(PAUSE_MS_MAX, 2 * before.pauseMs);
        String why = e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
        troubles.put(partition, new Trouble(pauseMs, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs)));
        held.flushFails(why);
        if (e instanceof IOException) {
            LOG.warn("partition {}: a flush failed, the next in {} ms: {}", partition, pauseMs, why);
        } else {
            LOG.error(
                    "partition {}: a flush failed, the next in {} ms; its rows stay in the buffer",
                    partition,
                    pauseMs,
                    e);
        }
    }

    /** Flushes all that is buffered in the partitions led here, within {@link #STOP_SECONDS_MAX}: what is left stays in the log. */
    @Override
    public void close() throws InterruptedException {
        closing = true;
        timer.shutdownNow();
        List<Future<?>> last = new ArrayList<>();
        for (HeldPartition each : held.get()) {
            if (each.leads()) {
                last.add(blocking.submit(() -> {
                    slots.acquire();
                    try {
                        return each.flusher().flushAll();
                    } finally {
                        slots.release();
                    }
                }));
            }
        }
        long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS_MAX);
        for (Future<?> each : last) {
            try {
                each.get(Math.max(0, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                each.cancel(true);
            } catch (java.util.concurrent.ExecutionException e) {
                LOG.info("not flushed before the stop: {}", String.valueOf(e.getCause()));
                // Where others stop too there is no quorum: the next would wait in vain.
                last.forEach(other -> other.cancel(true));
                return;
            }
        }
    }
}
