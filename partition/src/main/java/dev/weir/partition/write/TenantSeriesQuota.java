package dev.weir.partition.write;

import org.jspecify.annotations.Nullable;

/** Says how many series a tenant may have in a partition now. Called for each request, from any thread: must be cheap. */
public interface TenantSeriesQuota {
    /** Without limits. */
    TenantSeriesQuota NONE = (partition, tenant) -> null;

    /** Null: no limit. */
    @Nullable
    TenantSeriesLimit limit(int partition, String tenant);
}
