package dev.weir.node.quota;

import dev.weir.partition.write.TenantSeriesLimit;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What each tenant has, and what its partitions may add until the next count. Series spread evenly over partitions, by their hash; so what is
 * left is parted evenly, with some more for chance: a partition gets its part of it, four standard deviations and eight. So hardly anything is
 * refused while there is room, and together the partitions may pass the limit by a little. Immutable.
 *
 * @param limit {@code limits.series-per-tenant}
 * @param counts partition → tenant → series, as counted
 * @param totals tenant → series in all partitions; those not counted are taken to be like the others
 * @param partitions how many there are
 */
record SeriesShares(int limit, Map<Integer, Map<String, Integer>> counts, Map<String, Long> totals, int partitions) {
    static SeriesShares of(int limit, Map<Integer, Map<String, Integer>> counts, int partitions) {
        Map<String, Long> counted = new HashMap<>();
        counts.values()
                .forEach(tenants ->
                        tenants.forEach((tenant, series) -> counted.merge(tenant, (long) series, Long::sum)));
        double all = Math.max(partitions, counts.size()) / (double) Math.max(1, counts.size());
        Map<String, Long> totals = new TreeMap<>();
        counted.forEach((tenant, series) -> totals.put(tenant, Math.round(series * all)));
        return new SeriesShares(limit, counts, totals, Math.max(1, partitions));
    }

    /** Null where the partition was not counted yet. */
    @Nullable
    TenantSeriesLimit limit(int partition, String tenant) {
        Map<String, Integer> here = counts.get(partition);
        return here == null ? null : new TenantSeriesLimit(limit, here.getOrDefault(tenant, 0) + more(room(tenant)));
    }

    private long room(String tenant) {
        return Math.max(0, limit - totals.getOrDefault(tenant, 0L));
    }

    private int more(long room) {
        double part = room / (double) partitions;
        return (int) Math.min(room, (long) Math.ceil(part + 4 * Math.sqrt(part) + 8));
    }

    boolean isNear(String tenant) {
        return 100 * totals.getOrDefault(tenant, 0L) >= 80L * limit;
    }

    /** Series of the tenant that has most. */
    long largest() {
        return totals.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** Tenants that have 80 % of the limit or more. */
    long near() {
        return totals.keySet().stream().filter(this::isNear).count();
    }
}
