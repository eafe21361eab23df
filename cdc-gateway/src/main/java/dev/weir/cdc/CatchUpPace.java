package dev.weir.cdc;

import dev.weir.partition.feed.FeedDirectory;
import dev.weir.partition.feed.PartitionFeed;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Makes streams that are behind give way to writers: while events are appended, the time in which pages are made for all streams of a node that are behind is a
 * share of one processor. The share falls to the least one where processors are busy, and rises where they are not; it is always enough to read several times
 * what is appended, so that nobody falls further behind by it. Where nothing is appended, and was not for some seconds, nobody waits. Threading: any.
 */
final class CatchUpPace {
    /** Share of the machine's processors above which the share falls. */
    private static final double BUSY = 0.5;

    private static final double SLOWER = 0.7;
    private static final double FASTER = 1.4;
    private static final double SHARE_MAX = 1024;
    /** So many times the rate of appends is always allowed. */
    private static final int KEEP_UP = 4;
    /** The weight of the newest look in the rate of appends. */
    private static final double NEWEST = 0.5;

    private static final long LOOK_NANOS = Duration.ofMillis(500).toNanos();
    /** What a page is reckoned to take at most: some wait for the object store. */
    private static final long TOOK_NANOS_MAX = Duration.ofMillis(100).toNanos();
    /** Nobody waits longer than that for one page, however many are behind. */
    private static final long WAIT_NANOS_MAX = Duration.ofSeconds(1).toNanos();

    private final FeedDirectory directory;
    private final double shareMin;
    private final DoubleSupplier busy;
    private final LongSupplier clock;
    private final LongAdder waitedNanos = new LongAdder();

    private final Map<Integer, Long> heads = new HashMap<>();
    private long lookedAt;
    private double appended;
    private boolean paced;
    private double share;
    private double usualNanos;
    private long freeAt;

    /**
     * The turn of a page.
     *
     * @param waitNanos until then
     * @param keptNanos after it, for the page
     */
    record Turn(long waitNanos, long keptNanos) {}

    /**
     * @param shareMin of one processor, that is theirs however busy the machine is
     * @param busy share of the machine's processors in use, 0 to 1; negative where not known
     * @param clock as {@link System#nanoTime}
     */
    CatchUpPace(FeedDirectory directory, double shareMin, DoubleSupplier busy, LongSupplier clock) {
        this.directory = directory;
        this.shareMin = shareMin;
        this.busy = busy;
        this.clock = clock;
        this.share = shareMin;
        this.freeAt = clock.getAsLong();
        this.lookedAt = freeAt - LOOK_NANOS;
    }

    /**
     * Waits for the turn of a page.
     *
     * @param events about as many as will be in it
     * @return to be given back with {@link #made}
     */
    Turn await(long events) throws InterruptedException {
        Turn turn = reserve(events);
        if (turn.waitNanos() > 0) {
            waitedNanos.add(turn.waitNanos());
            Thread.sleep(Duration.ofNanos(turn.waitNanos()));
        }
        return turn;
    }

    synchronized Turn reserve(long events) {
        long now = clock.getAsLong();
        if (now - lookedAt >= LOOK_NANOS) {
            look(now);
        }
        if (!paced) {
            freeAt = now;
            return new Turn(0, 0);
        }
        long start = freeAt - now > 0 ? freeAt : now;
        long wait = Math.min(start - now, WAIT_NANOS_MAX);
        long kept = allowance(usualNanos, events);
        freeAt = now + wait + kept;
        return new Turn(wait, kept);
    }

    /** @param tookNanos from the end of the wait on */
    synchronized void made(Turn turn, long tookNanos, long events) {
        long took = Math.min(tookNanos, TOOK_NANOS_MAX);
        usualNanos = NEWEST * took + (1 - NEWEST) * usualNanos;
        if (paced) {
            freeAt += allowance((double) took, events) - turn.keptNanos();
        }
    }

    /** The share of one processor that pages may take now; 0 where there is no limit. */
    synchronized double share() {
        return paced ? share : 0;
    }

    private long allowance(double tookNanos, long events) {
        return (long) Math.min(tookNanos / share, 1e9 * events / (KEEP_UP * appended));
    }

    double waitedSeconds() {
        return waitedNanos.sum() / 1e9;
    }

    private void look(long now) {
        double seconds = (now - lookedAt) / 1e9;
        lookedAt = now;
        double fresh = appendedSince() / seconds;
        appended = appended < 1 ? fresh : NEWEST * fresh + (1 - NEWEST) * appended;
        paced = appended >= 1;
        if (!paced) {
            share = shareMin;
            return;
        }
        boolean held = freeAt - now > -LOOK_NANOS;
        double used = busy.getAsDouble();
        if (used > BUSY) {
            share = Math.max(shareMin, share * SLOWER);
        } else if (used >= 0 && held) {
            share = Math.min(SHARE_MAX, share * FASTER);
        }
    }

    /** Events that partitions got here since the last look, those seen for the first time left out. */
    private long appendedSince() {
        long sum = 0;
        for (int partition : directory.partitions()) {
            PartitionFeed feed = directory.feed(partition).orElse(null);
            if (feed == null || !feed.isHere()) {
                heads.remove(partition);
                continue;
            }
            long head = feed.nextSeq();
            Long before = heads.put(partition, head);
            if (before != null) {
                sum += Math.max(0, head - before);
            }
        }
        return sum;
    }
}
