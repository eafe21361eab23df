package dev.weir.node.server;

import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.LeaseRecord;
import dev.weir.partition.engine.CutStore;
import dev.weir.partition.engine.LogHold;
import dev.weir.partition.store.DataFileKeys;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What leases of history keep: files of their tables, and log. A lease counts for a while beyond its end, since its renewal may be on its way here. */
record HeldByLeases(Supplier<CatalogImage> catalog, Clock clock) {
    /** Clocks of nodes may differ by so much, and images be so old. */
    private static final Duration GRACE = Duration.ofMinutes(1);

    /** Whether an object in the store stays for a lease's sake. */
    boolean holds(String key) {
        Optional<String> cutOf = CutStore.leaseOf(key);
        return live().anyMatch(lease -> cutOf.map(id -> id.equals(lease.id())).orElseGet(() -> isOfTables(lease, key)));
    }

    /**
     * What of a partition's log stays.
     *
     * @param bytesMax beyond retention
     */
    LogHold log(int partition, long bytesMax) {
        return live().flatMap(lease -> lease.of(partition).stream()).mapToLong(LeaseRecord.Held::fromSeq).min().stream()
                .mapToObj(seq -> new LogHold(seq, bytesMax))
                .findAny()
                .orElse(LogHold.NONE);
    }

    /** Files of a table that was dropped and made again are told apart by nothing here: both stay. */
    private static boolean isOfTables(LeaseRecord lease, String key) {
        return lease.tables().isEmpty()
                ? key.startsWith(DataFileKeys.tenantPrefix(lease.tenant()))
                : lease.tables().stream().anyMatch(table -> DataFileKeys.isOfTable(key, lease.tenant(), table));
    }

    private Stream<LeaseRecord> live() {
        Instant now = clock.instant().minus(GRACE);
        long nanos = Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000_000L), now.getNano());
        return catalog.get().leases().stream().filter(lease -> lease.isLive(nanos));
    }
}
