package dev.weir.cdc;

import dev.weir.partition.feed.FeedDirectory;
import dev.weir.partition.feed.PartitionFeed;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The feeds that one reader uses, opened when first asked for, replaced when they close or move. Raises the reader's signal when any of them
 * has advanced. Used by the reader's thread alone.
 */
final class FeedSet implements AutoCloseable {
    private static final long WAIT_NANOS = 1_000_000_000L;

    private final FeedDirectory directory;
    private final Signal signal;
    private final Map<Integer, Open> feeds = new HashMap<>();
    private final Map<Integer, Long> waitingUntil = new HashMap<>();
    private final AtomicBoolean changed = new AtomicBoolean(true);
    private final AutoCloseable registration;
    private boolean missing;

    private record Open(PartitionFeed feed, AutoCloseable registration) {}

    FeedSet(FeedDirectory directory, Signal signal) {
        this.directory = directory;
        this.signal = signal;
        this.registration = directory.onChange(() -> {
            changed.set(true);
            signal.raise();
        });
    }

    /** The partition's feed, which is not closed; null while no replica can be reached, and a while after it {@link #waits}. */
    @Nullable
    PartitionFeed feed(int partition) {
        if (isWaiting(partition)) {
            missing = true;
            return null;
        }
        Open open = feeds.get(partition);
        if (open != null && !open.feed().closed()) {
            return open.feed();
        }
        drop(partition);
        Optional<PartitionFeed> found = directory.feed(partition);
        if (found.isEmpty() || found.get().closed()) {
            missing = true;
            return null;
        }
        PartitionFeed feed = found.get();
        feeds.put(partition, new Open(feed, feed.onAdvance(signal::raise)));
        return feed;
    }

    /** Reading it failed: it is looked for anew the next time. */
    void failed(int partition) {
        drop(partition);
        missing = true;
    }

    /** What is next in it has to come from the object store first: it is left out for a while. */
    void waits(int partition) {
        waitingUntil.put(partition, System.nanoTime() + WAIT_NANOS);
        missing = true;
    }

    private boolean isWaiting(int partition) {
        Long until = waitingUntil.get(partition);
        if (until != null && System.nanoTime() - until >= 0) {
            waitingUntil.remove(partition);
        }
        return waitingUntil.containsKey(partition);
    }

    /** Whether a feed was not to be had or failed since the last call. */
    boolean takeMissing() {
        boolean was = missing;
        missing = false;
        return was;
    }

    /** Whether partitions or places of feeds have changed since the last call (true the first time); feeds that moved are replaced. */
    boolean takeChanged() {
        if (!changed.getAndSet(false)) {
            return false;
        }
        for (int partition : feeds.keySet().toArray(Integer[]::new)) {
            Open open = feeds.get(partition);
            Optional<PartitionFeed> place = directory.feed(partition);
            if (open != null && place.isPresent() && !place.get().equals(open.feed())) {
                drop(partition);
            }
        }
        return true;
    }

    @Override
    public void close() {
        for (int partition : feeds.keySet().toArray(Integer[]::new)) {
            drop(partition);
        }
        unregister(registration);
    }

    private void drop(int partition) {
        Open open = feeds.remove(partition);
        if (open != null) {
            unregister(open.registration());
        }
    }

    private static void unregister(AutoCloseable registration) {
        try {
            registration.close();
        } catch (Exception e) {
            throw new IllegalStateException("a listener could not be taken off a feed", e);
        }
    }
}
