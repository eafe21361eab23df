package dev.weir.node.lead;

import dev.weir.partition.catalog.NodeRecord;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogHost;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the logs that this node leads, every two seconds, by what nodes say of themselves: gives a log away while this node's clock is
 * too far ahead or its disk is full, refuses writes while a majority lacks free space, and hands logs to their preferred leaders. What it does wrong costs time
 * only: leadership moves by the log's own rules.
 *
 * <p>One thread of its own, which waits for each transfer; {@link #pulse} and {@link #causes} from any thread.
 */
public final class LeadKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeadKeeper.class);
    public static final long CLOCK_AHEAD_MS_MAX = 10_000;
    private static final long TRANSFER_MS = 10_000;
    private static final String DISK_WORDS = "this node's free space is below disk.reserve-bytes";

    private final Node node;
    private final LogHost host;
    private final Supplier<List<HeldLog>> held;
    private final boolean balance;
    private final PreferredLeaders.Pace pace;
    private final Pulses pulses = new Pulses();
    private final PulseRound round;
    private final Voters voters;
    private final NodeFitness fitness;
    private final PreferredLeaders preferred;
    private final Waits<LogGroupId> leaveWaits = new Waits<>(Duration.ofSeconds(5), Duration.ofMinutes(1));
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("weir-leads").daemon().factory());
    private final LongAdder transfers = new LongAdder();
    private volatile long clockAheadMs;
    private volatile boolean started;

    /**
     * This node.
     *
     * @param clock the one whose readings go into entries
     * @param aboveReserve its free space is above the reserve
     * @param farAboveReserve its free space is at least four times the reserve
     * @param stalls how often a log was given up because its appends made no progress
     */
    public record Node(
            String id,
            InstantSource clock,
            BooleanSupplier aboveReserve,
            BooleanSupplier farAboveReserve,
            LongSupplier stalls) {}

    /**
     * What it works on.
     *
     * @param held the logs with a replica here, as they are now
     * @param nodes of the cluster
     */
    public record Cluster(
            LogHost host, Supplier<List<HeldLog>> held, Supplier<Collection<NodeRecord>> nodes, PulseSource source) {}

    /** @param balance logs are handed to their preferred leaders */
    public LeadKeeper(Node node, Cluster cluster, boolean balance) {
        this(node, cluster, balance, PreferredLeaders.Pace.DEFAULT);
    }

    LeadKeeper(Node node, Cluster cluster, boolean balance, PreferredLeaders.Pace pace) {
        this.node = node;
        this.host = cluster.host();
        this.held = cluster.held();
        this.balance = balance;
        this.pace = pace;
        this.round = new PulseRound(node.id(), cluster.nodes(), cluster.source(), node.clock(), pulses);
        this.voters = new Voters(node.id(), node.aboveReserve(), pulses);
        this.fitness = new NodeFitness(node.stalls(), pace.unfit());
        this.preferred = new PreferredLeaders(pace);
    }

    public void start() {
        started = true;
        worker.scheduleWithFixedDelay(this::tick, 0, pace.tick().toMillis(), TimeUnit.MILLISECONDS);
    }

    /** What this node says of itself. */
    public NodePulse pulse() {
        return new NodePulse(
                node.clock().millis(),
                node.aboveReserve().getAsBoolean(),
                started && fitness.fit(System.nanoTime()),
                node.farAboveReserve().getAsBoolean());
    }

    /** Whether each of these nodes that answers has free space far above its reserve. */
    public boolean farAboveReserve(Collection<String> nodeIds) {
        long now = System.nanoTime();
        return nodeIds.stream().allMatch(id -> farAboveReserve(id, now));
    }

    private boolean farAboveReserve(String nodeId, long nowNanos) {
        return nodeId.equals(node.id())
                ? node.farAboveReserve().getAsBoolean()
                : pulses.fresh(nodeId, nowNanos)
                        .map(reading -> reading.pulse().farAboveReserve())
                        .orElse(true);
    }

    /** How far this node's clock is ahead of the median of the voters' clocks, ms, where that is most; not above 0 where it is behind. */
    public long clockAheadMs() {
        return clockAheadMs;
    }

    /** Logs that were handed to another node since the start. */
    public long transfers() {
        return transfers.sum();
    }

    /** Why this node should not lead, for its health; empty while it may. */
    public List<String> causes() {
        List<String> causes = new ArrayList<>();
        if (clockAheadMs > CLOCK_AHEAD_MS_MAX) {
            causes.add(clockWords(clockAheadMs));
        }
        fitness.cause(System.nanoTime()).ifPresent(causes::add);
        return causes;
    }

    private static String clockWords(long aheadMs) {
        return String.format(
                Locale.ROOT,
                "this node's clock is %.1f s ahead of the median of the voters' clocks (at most %d s): it hands"
                        + " leadership over",
                aheadMs / 1000.0,
                CLOCK_AHEAD_MS_MAX / 1000);
    }

    /** All of these nodes have told of themselves just now. */
    boolean hears(Collection<String> nodeIds) {
        long nowNanos = System.nanoTime();
        return nodeIds.stream()
                .allMatch(
                        id -> id.equals(node.id()) || pulses.fresh(id, nowNanos).isPresent());
    }

    private void tick() {
        try {
            tick(System.nanoTime());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) { // the next look must come, whatever this one met
            LOG.error("looking after leadership failed", e);
        }
    }

    void tick(long nowNanos) throws InterruptedException {
        round.ask();
        List<HeldLog> logs = held.get();
        clockAheadMs = logs.stream()
                .mapToLong(log -> voters.aheadMs(log, node.id(), nowNanos))
                .max()
                .orElse(0);
        logs.forEach(log -> log.admission().accept(log.status().leads() ? voters.shortage(log, nowNanos) : null));
        List<HeldLog> mine = logs.stream().filter(log -> log.status().leads()).toList();
        for (HeldLog log : mine) {
            long aheadMs = voters.aheadMs(log, node.id(), nowNanos);
            if (aheadMs > CLOCK_AHEAD_MS_MAX) {
                fitness.leftByClock(nowNanos);
                leave(log, clockWords(aheadMs), nowNanos);
            } else if (!node.aboveReserve().getAsBoolean()) {
                leave(log, DISK_WORDS, nowNanos);
            }
        }
        if (balance) {
            balance(mine, nowNanos);
        }
    }

    private void balance(List<HeldLog> mine, long nowNanos) throws InterruptedException {
        Optional<HeldLog> next = preferred.next(
                mine, (log, id) -> voters.mayLead(log, pace.stable(), nowNanos).anyMatch(id::equals), nowNanos);
        if (next.isPresent()) {
            handOver(next.get(), String.valueOf(next.get().preferred()), "it is the preferred leader");
            preferred.tried(next.get(), System.nanoTime());
        }
    }

    private void leave(HeldLog log, String why, long nowNanos) throws InterruptedException {
        if (leaveWaits.waits(log.group(), nowNanos)) {
            return;
        }
        Optional<String> successor = voters.mayLead(log, Duration.ZERO, nowNanos)
                .max(Comparator.comparing(id -> log.status().followers().get(id)));
        if (successor.isPresent()) {
            handOver(log, successor.get(), why);
        } else {
            LOG.warn("{}: {}, but no other voter can lead", log.name(), why);
        }
        leaveWaits.tried(log.group(), System.nanoTime());
    }

    private void handOver(HeldLog log, String successor, String why) throws InterruptedException {
        try {
            host.transferLeadership(log.group(), successor)
                    .toCompletableFuture()
                    .get(TRANSFER_MS, TimeUnit.MILLISECONDS);
            transfers.increment();
            LOG.info("{}: leadership handed to {}: {}", log.name(), successor, why);
        } catch (ExecutionException e) {
            LOG.info(
                    "{}: {} does not take leadership, it is tried later: {}",
                    log.name(),
                    successor,
                    String.valueOf(e.getCause()));
        } catch (TimeoutException e) {
            LOG.info("{}: {} has not taken leadership within {} ms", log.name(), successor, TRANSFER_MS);
        }
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }
}
