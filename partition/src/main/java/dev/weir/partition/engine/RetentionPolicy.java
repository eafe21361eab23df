package dev.weir.partition.engine;

import dev.weir.partition.model.TableSettings;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * When rows that are older than their table's retention are deleted: once the oldest is older by {@code interval}, or by an eighth of the retention if
 * that is less; so a row stays no longer than that beyond its retention, and deletes are that far apart. Pure.
 *
 * @param interval {@code retention.interval}
 */
public record RetentionPolicy(Duration interval) {
    public static final RetentionPolicy DEFAULT = new RetentionPolicy(Duration.ofHours(1));

    /** Of the retention. */
    private static final int FRACTION = 8;

    public RetentionPolicy {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("retention.interval: expected more than 0, found " + interval);
        }
    }

    /**
     * The last timestamp to delete; empty while there is too little.
     *
     * @param oldestNanos no row is older
     * @param nowNanos wall clock, ns since 1970
     */
    public OptionalLong due(TableSettings settings, long oldestNanos, long nowNanos) {
        long kept = settings.oldestKeptNanos(nowNanos);
        if (oldestNanos >= kept) {
            return OptionalLong.empty();
        }
        Duration fraction = settings.retention().dividedBy(FRACTION);
        long step =
                Math.min(interval.toNanos(), fraction.compareTo(interval) < 0 ? fraction.toNanos() : Long.MAX_VALUE);
        return kept - oldestNanos < 0 || kept - oldestNanos >= step ? OptionalLong.of(kept - 1) : OptionalLong.empty();
    }
}
