package dev.weir.node.server;

import dev.weir.partition.engine.BufferBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes files of what is buffered in the partitions that this node leads, merges them, moves their history, and removes files of nobody: so many partitions at a time as
 * {@link Work} says, each a second after its last turn at the earliest, and later after each failure. Nothing is compacted while buffers are more than half
 * full. Whatever fails, rows stay buffered until a flush holds.
 */
final class Flushes implements AutoCloseable {
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
    private final Moves moves;
    private final Turns<Work> turns = new Turns<>(
            Work.class, Arrays.stream(Work.values()).collect(Collectors.toMap(work -> work, Work::atOnce)), LOOK_NANOS);
    private final Map<Work, Map<Integer, Trouble>> troubles = new EnumMap<>(Work.class);
    private final Map<Integer, Long> swept = new ConcurrentHashMap<>();
    /** Platform threads: this work computes for long, and virtual threads, as those of writes and streams are, would have to wait for its end. */
    private final ExecutorService workers = Executors.newFixedThreadPool(
            Arrays.stream(Work.values()).mapToInt(Work::atOnce).sum(),
            Thread.ofPlatform().name("weir-flush-", 0).daemon().factory());

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("weir-flush-timer").daemon().factory());
    private volatile boolean closing;

    /** What is done to partitions, the most urgent first. */
    enum Work {
        FLUSH("flush", 2),
        MOVE("move", 1),
        COMPACTION("compaction", 1),
        SWEEP("sweep", 1);

        private final String title;
        private final int atOnce;

        Work(String title, int atOnce) {
            this.title = title;
            this.atOnce = atOnce;
        }

        /** As operators read it. */
        String title() {
            return title;
        }

        int atOnce() {
            return atOnce;
        }
    }

    /**
     * How much history stays on disks.
     *
     * @param localBytes {@code retention.local-bytes}
     * @param trims lets go what may altogether: that need not be moved
     * @param hasSpace whether disks have room for so much of a partition's
     */
    record Moves(long localBytes, Trims trims, IntPredicate hasSpace) {
        /** Returns before which seq, whether or not it could go yet. */
        interface Trims {
            long letGo(HeldPartition partition) throws IOException;
        }

        boolean areDue(HeldPartition partition) {
            return localBytes > 0 && partition.replica().stats().segmentBytes() > bytes(partition);
        }

        long bytes(HeldPartition partition) {
            return hasSpace.test(partition.partition()) ? localBytes : 0;
        }
    }

    /** After a failure: when the next turn may begin. */
    private record Trouble(long pauseMs, long untilNanos) {}

    /**
     * @param blocking runs the last flushes, of a stop
     * @param budget of this node's buffers
     * @param moves of history
     * @param orphanAge of files of nobody, which are looked for {@link #LOOKS_AN_AGE} times as often
     */
    Flushes(
            Supplier<List<HeldPartition>> held,
            ExecutorService blocking,
            BufferBudget budget,
            Moves moves,
            Duration orphanAge) {
        this.held = held;
        this.budget = budget;
        this.moves = moves;
        this.blocking = blocking;
        this.sweepNanos = orphanAge.toNanos() / LOOKS_AN_AGE;
        for (Work work : Work.values()) {
            troubles.put(work, new ConcurrentHashMap<>());
        }
    }

    void start() {
        timer.scheduleWithFixedDelay(this::lookSafely, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    }

    /** Partitions led here whose last flush, merge, move of history or sweep failed. */
    int troubled() {
        return (int) troubles.values().stream()
                .flatMap(each -> each.keySet().stream())
                .distinct()
                .count();
    }

    /** A timer drops a task that throws. */
    private void lookSafely() {
        try {
            look();
        } catch (RuntimeException e) {
            LOG.error("looking for what is to be flushed; tried again in {} ms", LOOK_MS, e);
        }
    }

    private void look() {
        Map<Integer, HeldPartition> led = new LinkedHashMap<>();
        for (HeldPartition each : held.get()) {
            if (each.leads()) {
                led.put(each.partition(), each);
            } else {
                troubles.values().forEach(troubled -> troubled.remove(each.partition()));
                swept.remove(each.partition());
            }
        }
        for (Work work : Work.values()) {
            while (!closing && begin(work, led)) {}
        }
    }

    /** Whether a turn could be begun. */
    private boolean begin(Work work, Map<Integer, HeldPartition> led) {
        Optional<Integer> next = turns.begin(
                work,
                led.keySet(),
                partition -> mayBegin(work, Objects.requireNonNull(led.get(partition))),
                System.nanoTime());
        next.ifPresent(partition -> start(work, Objects.requireNonNull(led.get(partition))));
        return next.isPresent();
    }

    private void start(Work work, HeldPartition partition) {
        try {
            workers.execute(() -> {
                try {
                    run(work, partition);
                } finally {
                    turns.end(partition.partition(), System.nanoTime());
                }
                lookSafely();
            });
        } catch (RejectedExecutionException e) {
            turns.end(partition.partition(), System.nanoTime());
            throw e;
        }
    }

    private boolean mayBegin(Work work, HeldPartition partition) {
        Trouble trouble = troubles(work).get(partition.partition());
        boolean due = switch (work) {
            case FLUSH -> true;
            case COMPACTION -> budget.fill() < COMPACT_FILL_MAX;
            case MOVE -> moves.areDue(partition);
            case SWEEP -> sweepIsDue(partition.partition());
        };
        return due && (trouble == null || System.nanoTime() - trouble.untilNanos >= 0);
    }

    private void run(Work work, HeldPartition partition) {
        try {
            switch (work) {
                case FLUSH -> partition.flusher().flushDue();
                case COMPACTION -> partition.flusher().compactDue();
                case MOVE ->
                    partition
                            .flusher()
                            .moveDue(moves.bytes(partition), moves.trims().letGo(partition));
                case SWEEP -> sweep(partition);
            }
            partition.works(work);
            if (troubles(work).remove(partition.partition()) != null) {
                LOG.info("partition {}: a {} holds again", partition.partition(), work.title());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            failed(work, partition, e);
        }
    }

    private void sweep(HeldPartition partition) throws IOException, InterruptedException {
        List<String> left = partition.flusher().sweep();
        swept.put(partition.partition(), System.nanoTime());
        partition.sweepLeft(left);
        left.forEach(why -> LOG.warn("partition {}: files of nobody stay, {}", partition.partition(), why));
    }

    private boolean sweepIsDue(int partition) {
        long now = System.nanoTime();
        Long last = swept.putIfAbsent(partition, now);
        return last != null && now - last >= sweepNanos;
    }

    private Map<Integer, Trouble> troubles(Work work) {
        return Objects.requireNonNull(troubles.get(work));
    }

    private void failed(Work work, HeldPartition held, Exception e) {
        int partition = held.partition();
        Trouble before = troubles(work).get(partition);
        long pauseMs = before == null ? LOOK_MS : Math.min(PAUSE_MS_MAX, 2 * before.pauseMs);
        String why = e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs);
        troubles(work).put(partition, new Trouble(pauseMs, untilNanos));
        held.fails(work, why);
        if (e instanceof IOException) {
            LOG.warn("partition {}: a {} failed, the next in {} ms: {}", partition, work.title(), pauseMs, why);
        } else {
            LOG.error(
                    "partition {}: a {} failed, the next in {} ms; its rows are where they were",
                    partition,
                    work.title(),
                    pauseMs,
                    e);
        }
    }

    /** Flushes all that is buffered in the partitions led here, within {@link #STOP_SECONDS_MAX}: what is left stays in the log. */
    @Override
    public void close() throws InterruptedException {
        closing = true;
        timer.shutdownNow();
        Semaphore slots = new Semaphore(Work.FLUSH.atOnce());
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
        workers.shutdown();
        for (Future<?> each : last) {
            try {
                each.get(Math.max(0, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                each.cancel(true);
            } catch (ExecutionException e) {
                LOG.info("not flushed before the stop: {}", String.valueOf(e.getCause()));
                // Where others stop too there is no quorum: the next would wait in vain.
                last.forEach(other -> other.cancel(true));
                return;
            }
        }
    }
}
