package dev.weir.node.server;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.LeaseRecord;
import dev.weir.partition.engine.CutStore;
import dev.weir.partition.engine.LogHold;
import dev.weir.partition.store.DataFileKeys;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/** What leases of history keep: files of their tables, and log. A lease counts for a while beyond its end, since its renewal may be on its way here. Any thread. */
final class HeldByLeases {
    /** Clocks of nodes may differ by so much, and images be so old. */
    private static final Duration GRACE = Duration.ofMinutes(1);

    private final Catalog catalog;
    private final Clock clock;
    /** Those that had lapsed by all that the catalog had agreed on. Not more than the image has. */
    private final Set<String> lapsed = ConcurrentHashMap.newKeySet();

    HeldByLeases(Catalog catalog, Clock clock) {
        this.catalog = catalog;
        this.clock = clock;
    }

    /**
     * Waits for all that the catalog had agreed on: a node that was cut off from it may know of no renewal.
     *
     * @throws IOException the catalog does not answer
     */
    void refresh() throws IOException, InterruptedException {
        try {
            catalog.linearize().toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw new IOException("which leases are held is not known: " + e.getCause(), e);
        }
    }

    /** Whether an object in the store stays for a lease's sake. */
    boolean holds(String key) {
        Optional<String> cutOf = CutStore.leaseOf(key);
        return live().anyMatch(lease -> cutOf.map(id -> id.equals(lease.id())).orElseGet(() -> isOfTables(lease, key)));
    }

    /**
     * What of a partition's log stays. Blocks on the catalog where a lease seems to have lapsed; where it does not answer, that one counts.
     *
     * @param bytesMax beyond retention
     */
    LogHold log(int partition, long bytesMax) {
        forget();
        List<LeaseRecord> doubtful = doubtful(partition);
        Stream<LeaseRecord> leases =
                doubtful.isEmpty() || haveLapsed(doubtful) ? live() : Stream.concat(live(), doubtful.stream());
        return leases.flatMap(lease -> lease.of(partition).stream()).mapToLong(LeaseRecord.Held::fromSeq).min().stream()
                .mapToObj(seq -> new LogHold(seq, bytesMax))
                .findAny()
                .orElse(LogHold.NONE);
    }

    /** The catalog forgets a lease when another one is taken. */
    private void forget() {
        lapsed.removeIf(id -> catalog.image().lease(id).isEmpty());
    }

    /** Seem to have lapsed; but an image that is behind knows no renewal. */
    private List<LeaseRecord> doubtful(int partition) {
        long now = nanos();
        return catalog.image().leases().stream()
                .filter(lease -> !lease.isLive(now) && lease.of(partition).isPresent())
                .filter(lease -> !lapsed.contains(lease.id()))
                .toList();
    }

    /** Whether that is certain now, of those that are not live by what the catalog knows. */
    private boolean haveLapsed(List<LeaseRecord> doubtful) {
        try {
            refresh();
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        long now = nanos();
        for (LeaseRecord lease : doubtful) {
            catalog.image()
                    .lease(lease.id())
                    .filter(known -> !known.isLive(now))
                    .ifPresent(known -> lapsed.add(known.id()));
        }
        return true;
    }

    /** Files of a table that was dropped and made again are told apart by nothing here: both stay. */
    private static boolean isOfTables(LeaseRecord lease, String key) {
        return lease.tables().isEmpty()
                ? key.startsWith(DataFileKeys.tenantPrefix(lease.tenant()))
                : lease.tables().stream().anyMatch(table -> DataFileKeys.isOfTable(key, lease.tenant(), table));
    }

    private Stream<LeaseRecord> live() {
        long now = nanos();
        return catalog.image().leases().stream().filter(lease -> lease.isLive(now));
    }

    private long nanos() {
        Instant now = clock.instant().minus(GRACE);
        return Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000_000L), now.getNano());
    }
}
