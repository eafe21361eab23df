package dev.weir.partition.write;

/**
 * How many series a tenant may have, as a leader sees it for its partition.
 *
 * @param total {@code limits.series-per-tenant}, for the words of a refusal
 * @param here series that the tenant may have in this partition
 */
public record TenantSeriesLimit(int total, int here) {
    public TenantSeriesLimit {
        if (total < 1 || here < 0) {
            throw new IllegalArgumentException(
                    "series of a tenant: expected at least 1 in total and 0 here, found " + total + " and " + here);
        }
    }
}
