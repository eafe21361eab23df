package dev.weir.cdc;

import java.time.Duration;

/**
 * Bounds of streams that begin with a table as it stands.
 *
 * @param lapse {@code cdc.lease}: what such a stream reads is held so long after it last read on
 * @param ageMax {@code cdc.lease-max}: and so long at most
 * @param leasesMax {@code cdc.leases}: of them in the cluster
 * @param readersMax {@code cdc.history-readers}: streams of this node that read files at once
 */
public record HistoryConfig(Duration lapse, Duration ageMax, int leasesMax, int readersMax) {
    public static final HistoryConfig DEFAULTS = new HistoryConfig(Duration.ofMinutes(10), Duration.ofHours(24), 64, 8);
}
