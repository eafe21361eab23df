package dev.weir.partition.catalog;

import java.util.List;
import java.util.Optional;

/**
 * What a reader of history holds in place: files of tables, and the log from some seq on. While it is live no sweep removes a file of its tables, and no
 * trim goes beyond what it needs, within a bound in bytes. It lapses by time, and reading renews it.
 *
 * @param id unique in the cluster
 * @param tables names; empty means all of the tenant
 * @param held partitions, ascending
 * @param createdAtNanos by the clock of the node that took it, ns since 1970
 */
public record LeaseRecord(
        String id, String tenant, List<String> tables, List<Held> held, long createdAtNanos, long expiresAtNanos) {
    public LeaseRecord {
        tables = List.copyOf(tables);
        held = List.copyOf(held);
    }

    /**
     * One partition of it.
     *
     * @param fromSeq the log is needed from here on
     * @param cutSeq history ends before it
     * @param sinceSeq and begins here; {@link #WHOLE} for tables as they stand
     */
    public record Held(int partition, long fromSeq, long cutSeq, long sinceSeq) {
        public static final long WHOLE = -1;

        public Held(int partition, long fromSeq, long cutSeq) {
            this(partition, fromSeq, cutSeq, WHOLE);
        }

        /** Only what changed since some seq, as far as it survived. */
        public boolean isBackfill() {
            return sinceSeq != WHOLE;
        }
    }

    public boolean isLive(long nowNanos) {
        return nowNanos < expiresAtNanos;
    }

    public boolean hasTable(String name) {
        return tables.isEmpty() || tables.contains(name);
    }

    public Optional<Held> of(int partition) {
        return held.stream().filter(each -> each.partition() == partition).findFirst();
    }

    LeaseRecord until(long nanos) {
        return new LeaseRecord(id, tenant, tables, held, createdAtNanos, nanos);
    }
}
