package dev.weir.partition.catalog;

import java.util.Set;

/**
 * A tenant.
 *
 * @param aliases further names by which Influx's {@code bucket} and {@code db} may call it
 */
public record TenantRecord(String name, Set<String> aliases) {
    public TenantRecord {
        aliases = Set.copyOf(aliases);
    }
}
