package dev.weir.node.ingest.rows;

import java.util.concurrent.ConcurrentHashMap;

/** The tables of one tenant, as bodies name them. Shared by threads. */
public final class TenantNames {
    private final String tenant;
    private final NameCaches caches;
    private final ConcurrentHashMap<String, TableNames> tables = new ConcurrentHashMap<>();

    TenantNames(String tenant, NameCaches caches) {
        this.tenant = tenant;
        this.caches = caches;
    }

    String tenant() {
        return tenant;
    }

    TableNames table(String name) {
        TableNames known = tables.get(name);
        if (known != null) {
            return known;
        }
        TableNames table = new TableNames(this, name);
        if (table.fault() != null) {
            return table;
        }
        TableNames other = tables.putIfAbsent(name, table);
        if (other != null) {
            return other;
        }
        counted();
        return table;
    }

    void counted() {
        caches.counted();
    }
}
