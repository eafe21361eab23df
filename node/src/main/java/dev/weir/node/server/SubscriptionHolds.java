package dev.weir.node.server;

import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.catalog.SubscriptionRecord;
import dev.weir.partition.engine.LogHold;
import dev.weir.partition.feed.PartitionFeed;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What subscriptions hold of the logs that this node leads, and which of them the log leaves behind. What a leader does not know yet of a cursor only holds
 * more; a trim is an entry of the log, so all replicas agree on it. Any thread.
 */
final class SubscriptionHolds {
    private static final Logger LOG = LoggerFactory.getLogger(SubscriptionHolds.class);

    private final Supplier<CatalogImage> image;
    private final long retentionBytes;
    private final long heldBytesMax;
    private final IntPredicate hasSpace;
    private final Counter lost;
    /** Partitions that were led when a disk last had no room for holds. */
    private final Set<Integer> givenUp = ConcurrentHashMap.newKeySet();

    /**
     * @param retentionBytes {@code retention.bytes}
     * @param heldBytesMax {@code retention.held-bytes}
     * @param hasSpace whether the disks of a partition's replicas have room for more than what the retention keeps
     */
    SubscriptionHolds(
            Supplier<CatalogImage> image,
            long retentionBytes,
            long heldBytesMax,
            IntPredicate hasSpace,
            MeterRegistry registry) {
        this.image = image;
        this.retentionBytes = retentionBytes;
        this.heldBytesMax = heldBytesMax;
        this.hasSpace = hasSpace;
        this.lost = Counter.builder("weir.cdc.subscription.lost")
                .description(
                        "times that a log which this node leads was cut before events that a subscription had not acknowledged")
                .register(registry);
        Gauge.builder("weir.cdc.subscription.held.limit.bytes", () -> heldBytesMax)
                .description("retention.held-bytes")
                .register(registry);
    }

    /** What is held of a partition's log now. */
    List<LogHold> of(PartitionFeed feed, long nowNanos) {
        if (!hasSpace.test(feed.partition())) {
            return List.of();
        }
        CatalogImage now = image.get();
        return now.allSubscriptions()
                .filter(each ->
                        each.budget().bytes() > 0 && !each.budget().age().isZero())
                .flatMap(each -> next(now, each, feed).stream()
                        .filter(seq -> seq >= feed.oldestSeq())
                        .mapToObj(seq -> new LogHold(
                                seq,
                                Math.min(
                                                heldBytesMax,
                                                each.budget()
                                                        .share(each.cursor()
                                                                .next()
                                                                .size()))
                                        - retentionBytes,
                                nowNanos - each.budget().age().toNanos())))
                .toList();
    }

    /**
     * True once when a disk no longer has room for what is held of a partition's log: it should be trimmed at once, before writes find the disk full. Looked
     * at often, by one thread.
     *
     * @param leads this node leads it
     */
    boolean mustGo(int partition, boolean leads) {
        if (!leads || hasSpace.test(partition)) {
            givenUp.remove(partition);
            return false;
        }
        return givenUp.add(partition);
    }

    /** Says which subscriptions the log has left behind, and counts them. Called once for each trim. */
    void trimmed(PartitionFeed feed, long oldestBefore, long oldestNow) {
        CatalogImage now = image.get();
        now.allSubscriptions()
                .forEach(each -> next(now, each, feed).ifPresent(seq -> {
                    if (seq >= oldestBefore && seq < oldestNow) {
                        lost.increment();
                        LOG.warn(
                                "subscription {} of tenant {} is lost: partition {} is cut before seq {}, and its next is {}",
                                each.name(),
                                each.tenant(),
                                feed.partition(),
                                oldestNow,
                                seq);
                    }
                }));
    }

    /** The first event of the partition that the subscription needs; empty where it is none of its partitions. */
    private static OptionalLong next(CatalogImage image, SubscriptionRecord subscription, PartitionFeed feed) {
        Long known = subscription.cursor().next().get(feed.partition());
        if (known != null) {
            return OptionalLong.of(Math.max(known, feed.firstSeq()));
        }
        return descends(image, feed.partition(), subscription)
                ? OptionalLong.of(feed.firstSeq())
                : OptionalLong.empty();
    }

    private static boolean descends(CatalogImage image, int partition, SubscriptionRecord subscription) {
        PartitionRecord record = image.partitions().get(partition);
        return record != null
                && record.parents().stream()
                        .anyMatch(parent -> subscription.cursor().next().containsKey(parent)
                                || descends(image, parent, subscription));
    }
}
