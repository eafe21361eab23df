package dev.weir.node.server;

import dev.weir.partition.engine.BufferBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes files of what is buffered in the partitions that this node leads, and merges them: {@link #AT_ONCE} partitions are flushed at a time and
 * {@link #COMPACTED_AT_ONCE} compacted, each a second after its last turn at the earliest, and later after each failure. Nothing is compacted while buffers are
 * more than half full. Whatever fails, rows stay buffered until a flush holds.
 */
final class Flushes implements AutoCloseable {
    /** Partitions flushed at a time. */
    static final int AT_ONCE = 2;

    /** Partitions compacted at a time, besides. */
    static final int COMPACTED_AT_ONCE = 1;

    private static final int LOOKS_AN_AGE = 4;
    private static final Logger LOG = LoggerFactory.getLogger(Flushes.class);
    private static final long LOOK_MS = 1000;
    private static final long LOOK_NANOS = 1_000_000 * LOOK_MS;
    private static final double COMPACT_FILL_MAX = 0.5;
    private static final long PAUSE_MS_MAX = 60_000;
    private static final long STOP_SECONDS_MAX = 5;

    private final Supplier<List<HeldPartition>> held;
    private final ExecutorService blocking;
    private final long sweepNanos;
    private final BufferBudget budget;
    private final Work flushing = new Work("a flush", AT_ONCE, this::flush);
    private final Work compacting = new Work("a compaction", COMPACTED_AT_ONCE, this::compact);
    private final Map<Integer, Long> swept = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("weir-flush-timer").daemon().factory());
    private volatile boolean closing;

    /** After a failure: when the next turn may begin. */
    private record Trouble(long pauseMs, long untilNanos, String why) {}

    /** A partition's turn. */
    @FunctionalInterface
    private interface Turn {
        void of(HeldPartition partition) throws IOException, InterruptedException;
    }

    /** Flushes, or compactions. */
    private static final class Work {
        private final String name;
        private final Turns turns;
        private final Turn turn;
        private final Map<Integer, Trouble> troubles = new ConcurrentHashMap<>();

        Work(String name, int atOnce, Turn turn) {
            this.name = name;
            this.turns = new Turns(atOnce, LOOK_NANOS);
            this.turn = turn;
        }

        boolean mayTry(int partition) {
            Trouble trouble = troubles.get(partition);
            return trouble == null || System.nanoTime() - trouble.untilNanos >= 0;
        }
    }

    /**
     * @param blocking runs flushes
     * @param budget of this node's buffers
     * @param orphanAge of files of nobody, which are looked for {@link #LOOKS_AN_AGE} times as often
     */
    Flushes(Supplier<List<HeldPartition>> held, ExecutorService blocking, BufferBudget budget, Duration orphanAge) {
        this.held = held;
        this.budget = budget;
        this.blocking = blocking;
        this.sweepNanos = orphanAge.toNanos() / LOOKS_AN_AGE;
    }

    void start() {
        timer.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    }

    /** Partitions led here whose last flush or merge failed. */
    int troubled() {
        Set<Integer> partitions = new HashSet<>(flushing.troubles.keySet());
        partitions.addAll(compacting.troubles.keySet());
        return partitions.size();
    }

    private void look() {
        Map<Integer, HeldPartition> led = new LinkedHashMap<>();
        for (HeldPartition each : held.get()) {
            if (each.leads()) {
                led.put(each.partition(), each);
            } else {
                flushing.troubles.remove(each.partition());
                compacting.troubles.remove(each.partition());
            }
        }
        boolean begun = !closing;
        while (begun) {
            begun = begin(flushing, compacting, led)
                    || (budget.fill() < COMPACT_FILL_MAX && begin(compacting, flushing, led));
        }
    }

    /** Whether a turn could be begun, of a partition on which the other work does not run. */
    private boolean begin(Work work, Work other, Map<Integer, HeldPartition> led) {
        Optional<Integer> next = work.turns.begin(
                List.copyOf(led.keySet()),
                partition -> work.mayTry(partition) && !other.turns.isRunning(partition),
                System.nanoTime());
        next.ifPresent(partition -> blocking.execute(() -> {
            try {
                run(work, Objects.requireNonNull(led.get(partition)));
            } finally {
                work.turns.end(partition, System.nanoTime());
            }
            look();
        }));
        return next.isPresent();
    }

    private void run(Work work, HeldPartition partition) {
        try {
            work.turn.of(partition);
            if (work.troubles.remove(partition.partition()) != null) {
                LOG.info("partition {}: {} holds again", partition.partition(), work.name);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            failed(work, partition.partition(), e);
        }
        partition.flushFails(Stream.of(flushing, compacting)
                .map(each -> each.troubles.get(partition.partition()))
                .filter(Objects::nonNull)
                .map(Trouble::why)
                .findFirst()
                .orElse(null));
    }

    private void flush(HeldPartition partition) throws IOException, InterruptedException {
        partition.flusher().flushDue();
    }

    private void compact(HeldPartition partition) throws IOException, InterruptedException {
        partition.flusher().compactDue();
        if (sweepIsDue(partition.partition())) {
            swept(partition, partition.flusher().sweep());
        }
    }

    private static void swept(HeldPartition partition, List<String> left) {
        partition.sweepLeft(left);
        left.forEach(why -> LOG.warn("partition {}: files of nobody stay, {}", partition.partition(), why));
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

    private void failed(Work work, int partition, Exception e) {
        Trouble before = work.troubles.get(partition);
        long pauseMs = before == null ? LOOK_MS : Math.min(PAUSE_MS_MAX, 2 * before.pauseMs);
        String why = e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs);
        work.troubles.put(partition, new Trouble(pauseMs, untilNanos, why));
        if (e instanceof IOException) {
            LOG.warn("partition {}: {} failed, the next in {} ms: {}", partition, work.name, pauseMs, why);
        } else {
            LOG.error(
                    "partition {}: {} failed, the next in {} ms; its rows are where they were",
                    partition,
                    work.name,
                    pauseMs,
                    e);
        }
    }

    /** Flushes all that is buffered in the partitions led here, within {@link #STOP_SECONDS_MAX}: what is left stays in the log. */
    @Override
    public void close() throws InterruptedException {
        closing = true;
        timer.shutdownNow();
        Semaphore slots = new Semaphore(AT_ONCE);
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
