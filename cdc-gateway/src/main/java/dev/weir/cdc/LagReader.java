package dev.weir.cdc;

import dev.weir.partition.catalog.SubscriptionRecord;
import dev.weir.partition.feed.FeedDirectory;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.wal.segment.SeqTrimmedException;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Measures how far subscriptions are behind. Reads logs: called on virtual threads. */
final class LagReader {
    private static final long NANOS_OF_SECOND = 1_000_000_000L;

    private final FeedDirectory directory;
    private final Lineage lineage;
    private final HistoryLimits limits;
    private final Clock clock;

    LagReader(FeedDirectory directory, Lineage lineage, HistoryLimits limits, Clock clock) {
        this.directory = directory;
        this.lineage = lineage;
        this.limits = limits;
        this.clock = clock;
    }

    /** Of one partition. */
    private record Behind(boolean lost, long events, long bytes, long ageNanos) {}

    SubscriptionLag lag(SubscriptionRecord subscription) {
        NavigableMap<Integer, Long> places = places(subscription);
        HistoryReach retention = new HistoryReach(limits.retentionBytes(), limits.retentionAge());
        HistoryReach budget = new HistoryReach(
                Math.min(
                        limits.heldBytesMax(),
                        subscription.budget().share(subscription.cursor().next().size())),
                subscription.budget().age());
        Tally tally = new Tally(retention, budget);
        places.forEach((partition, next) -> behind(partition, next)
                .ifPresentOrElse(
                        behind -> tally.add(behind, limits.hasSpace().test(partition)),
                        () -> tally.unreachable.add(partition)));
        return tally.lag();
    }

    /** What partitions add up to; the worst of them says how safe it is. */
    private static final class Tally {
        private final HistoryReach retention;
        private final HistoryReach budget;
        private final List<Integer> unreachable = new ArrayList<>();
        private long events;
        private long bytes;
        private long ageNanos;
        private double used;
        private double secondsLeft = Double.POSITIVE_INFINITY;
        private boolean lost;

        Tally(HistoryReach retention, HistoryReach budget) {
            this.retention = retention;
            this.budget = budget;
        }

        /** @param held the budget counts there */
        void add(Behind behind, boolean held) {
            if (behind.events == 0) {
                return;
            }
            lost |= behind.lost;
            events += behind.events;
            bytes += behind.bytes;
            ageNanos = Math.max(ageNanos, behind.ageNanos);
            HistoryReach second = held ? budget : retention;
            used = Math.max(
                    used,
                    Math.min(
                            retention.used(behind.bytes, behind.ageNanos), second.used(behind.bytes, behind.ageNanos)));
            secondsLeft = Math.min(
                    secondsLeft,
                    Math.max(
                            retention.secondsLeft(behind.bytes, behind.ageNanos),
                            second.secondsLeft(behind.bytes, behind.ageNanos)));
        }

        SubscriptionLag lag() {
            return new SubscriptionLag(
                    state(),
                    events,
                    bytes,
                    (double) ageNanos / NANOS_OF_SECOND,
                    events == 0 ? OptionalLong.empty() : OptionalLong.of(lost ? 0 : (long) secondsLeft),
                    unreachable);
        }

        private SubscriptionState state() {
            if (lost) {
                return SubscriptionState.LOST;
            }
            if (used >= HistoryReach.AT_RISK) {
                return SubscriptionState.AT_RISK;
            }
            return unreachable.isEmpty() ? SubscriptionState.OK : SubscriptionState.UNKNOWN;
        }
    }

    /** Its partitions with the next seq of each; those that came of a split or merge since begin at their first event. */
    private NavigableMap<Integer, Long> places(SubscriptionRecord subscription) {
        NavigableMap<Integer, Long> places = new TreeMap<>(subscription.cursor().next());
        for (int partition : lineage.covered(SubscriptionDesk.filter(subscription))) {
            if (!lineage.ended(partition)) {
                places.putIfAbsent(partition, 0L);
            }
        }
        return places;
    }

    private Optional<Behind> behind(int partition, long next) {
        Optional<PartitionFeed> found = directory.feed(partition);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(behind(found.get(), next));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private Behind behind(PartitionFeed feed, long next) throws IOException {
        long from = Math.max(next, feed.firstSeq());
        try {
            return behind(feed, from, from);
        } catch (SeqTrimmedException e) {
            return behind(feed, from, e.oldestSeq());
        }
    }

    /** By what the feed says when asked: where the feed of another node stands is known only as of the last answer. */
    private Behind behind(PartitionFeed feed, long from, long kept) throws IOException {
        PartitionFeed.Kept oldest = feed.kept(kept);
        long events = Math.max(0, oldest.head() - from);
        return events == 0
                ? new Behind(false, 0, 0, 0)
                : new Behind(kept > from, events, feed.bytesFrom(kept), age(oldest));
    }

    private long age(PartitionFeed.Kept oldest) {
        return oldest.committedAtNanos() == 0 ? 0 : Math.max(0, Clocks.nanos(clock) - oldest.committedAtNanos());
    }
}
