package dev.weir.partition.catalog;

/**
 * Limits that a change of schema is judged by. They travel in the log entry with the command, so that every replica judges alike
 * whatever its own configuration says.
 */
public record CatalogLimits(int columnsPerTable, int tablesPerTenant) {
    public static final CatalogLimits DEFAULTS = new CatalogLimits(1_000, 10_000);

    public CatalogLimits {
        if (columnsPerTable < 1 || tablesPerTenant < 1) {
            throw new IllegalArgumentException("columns per table " + columnsPerTable + ", tables per tenant "
                    + tablesPerTenant + ", expected at least 1 each");
        }
    }

    /** Why a tenant gets no further table. */
    String tenantIsFull(String tenant) {
        return "tenant " + tenant + " has as many tables as it may, the limit is " + tablesPerTenant
                + " (limits.tables-per-tenant)";
    }
}
