package dev.weir.cdc;

import dev.weir.partition.feed.FeedDirectory;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.wal.segment.SeqTrimmedException;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * How far the slowest stream of a node is behind in time: the age of the oldest event that any of them has not taken. Looked at every few seconds, by reading
 * one record at most of each partition in which one is behind, on a thread of its own.
 */
final class LagWatch implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final FeedDirectory directory;
    private final InstantSource clock;
    private final Signal signal = new Signal();
    private volatile double seconds;
    private volatile boolean closed;

    LagWatch(FeedDirectory directory, InstantSource clock) {
        this.directory = directory;
        this.clock = clock;
    }

    /** @param positions of the streams that are open */
    void start(Supplier<? extends Collection<Position>> positions) {
        Thread.ofVirtual().name("cdc-lag").start(() -> {
            while (!closed) {
                look(positions.get());
                signal.await(System.nanoTime() + PAUSE.toNanos());
            }
        });
    }

    /** As of the last look. */
    double seconds() {
        return seconds;
    }

    void look(Collection<Position> positions) {
        Map<Integer, Long> slowest = new TreeMap<>();
        for (Position position : positions) {
            for (int i = 0; i < position.size(); i++) {
                slowest.merge(position.partitionAt(i), position.nextAt(i), Math::min);
            }
        }
        long now = Clocks.nanos(clock.instant());
        long oldest = now;
        for (Map.Entry<Integer, Long> each : slowest.entrySet()) {
            PartitionFeed feed = directory.feed(each.getKey()).orElse(null);
            if (feed != null && feed.nextSeq() > each.getValue()) {
                oldest = Math.min(oldest, committedAt(feed, each.getValue(), now));
            }
        }
        seconds = (now - oldest) / 1e9;
    }

    /** Of the event at the seq, or of the oldest that is left. */
    private static long committedAt(PartitionFeed feed, long seq, long otherwise) {
        try {
            long committedAt = feed.kept(seq).committedAtNanos();
            return committedAt == 0 ? otherwise : committedAt;
        } catch (SeqTrimmedException e) {
            return e.oldestSeq() > seq ? committedAt(feed, e.oldestSeq(), otherwise) : otherwise;
        } catch (IOException e) {
            // The replica closes or its disk fails; the next look is at another.
            return otherwise;
        }
    }

    @Override
    public void close() {
        closed = true;
        signal.raise();
    }
}
