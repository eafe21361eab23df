package dev.weir.partition.engine;

import dev.weir.partition.model.TableSchema;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The tables that a partition's log has met: their schema versions and their series.
 *
 * <p>Threading: the apply thread adds, any thread reads; {@link Table#series} and {@link Table#widestTag} belong to the apply thread or a holder
 * of the replica's lock.
 */
final class TableDirectory {
    /** So many series may be defined for each that may have points: those whose points are gone stay in memory. Part of the log's format. */
    static final int DEFINED_PER_SERIES = 4;

    private final Map<Integer, Table> tables = new ConcurrentHashMap<>();
    private final Map<Name, Integer> newestByName = new ConcurrentHashMap<>();
    private final Map<String, Integer> seriesByTenant = new ConcurrentHashMap<>();

    private record Name(String tenant, String table) {}

    /** One table in this partition. */
    static final class Table {
        private final Map<Integer, TableSchema> versions = new ConcurrentHashMap<>();
        private final TagSpread tags = new TagSpread();
        private volatile @Nullable TableSchema newest;
        private int[] series = new int[8];
        private int seriesCount;
        private volatile int alive;
        private boolean retired;

        @Nullable
        TableSchema newest() {
            return newest;
        }

        /** Series defined, those without points too. */
        int seriesCount() {
            return seriesCount;
        }

        /** Series that have points: those that count for limits. */
        int alive() {
            return alive;
        }

        int[] allSeries() {
            return Arrays.copyOf(series, seriesCount);
        }

        int series(int place) {
            return series[place];
        }

        /** The tag with most distinct values; empty where no series has tags. */
        String widestTag() {
            return tags.widest();
        }

        private void add(int id, byte[] bytes, int from, int length) {
            if (seriesCount == series.length) {
                series = Arrays.copyOf(series, seriesCount * 2);
            }
            series[seriesCount++] = id;
            tags.add(bytes, from, length);
        }
    }

    @Nullable
    TableSchema schema(int tableId, int version) {
        Table table = tables.get(tableId);
        return table == null ? null : table.versions.get(version);
    }

    @Nullable
    Table table(int tableId) {
        return tables.get(tableId);
    }

    /** The id of the table that has the name now, or had it last; -1 where none had it. */
    int idOf(String tenant, String name) {
        return newestByName.getOrDefault(new Name(tenant, name), -1);
    }

    Collection<Table> tables() {
        return Collections.unmodifiableCollection(tables.values());
    }

    /** The table with most series among those that a condition on the id keeps. For the apply thread or a holder of the replica's lock. */
    Optional<TableSeries> fullest(IntPredicate kept) {
        Table fullest = null;
        for (Map.Entry<Integer, Table> each : tables.entrySet()) {
            Table table = each.getValue();
            boolean more = fullest == null || table.alive > fullest.alive;
            if (more && table.newest != null && kept.test(each.getKey())) {
                fullest = table;
            }
        }
        TableSchema schema = fullest == null ? null : fullest.newest;
        return fullest == null || schema == null
                ? Optional.empty()
                : Optional.of(new TableSeries(schema.tenant(), schema.name(), fullest.alive, fullest.widestTag()));
    }

    /** The least seq through which a table that is not dropped was flushed. */
    long flushedThrough(LogFacts facts) {
        return tables.keySet().stream()
                .filter(id -> !facts.drops().containsKey(id))
                .mapToLong(id -> facts.files(id).flushedThrough())
                .min()
                .orElse(0);
    }

    void addSchema(TableSchema schema) {
        Table table = tables.computeIfAbsent(schema.tableId(), t -> new Table());
        table.versions.put(schema.version(), schema);
        TableSchema before = table.newest;
        if (before == null || before.version() < schema.version()) {
            table.newest = schema;
        }
        newestByName.merge(new Name(schema.tenant(), schema.name()), schema.tableId(), Math::max);
    }

    void addSeries(int tableId, int seriesId, byte[] bytes, int from, int length) {
        tables.computeIfAbsent(tableId, t -> new Table()).add(seriesId, bytes, from, length);
    }

    /** Series of a table got their first point, or lost their last. Called by the apply thread. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    void alive(int tableId, int more) {
        Table table = tables.get(tableId);
        TableSchema schema = table == null ? null : table.newest;
        if (table != null && schema != null && !table.retired) {
            table.alive += more;
            count(schema.tenant(), more);
        }
    }

    /** The table was dropped: its series count for its tenant no more. */
    void retire(int tableId) {
        Table table = tables.get(tableId);
        TableSchema schema = table == null ? null : table.newest;
        if (table != null && schema != null && !table.retired) {
            table.retired = true;
            count(schema.tenant(), -table.alive);
            table.alive = 0;
        }
    }

    private void count(String tenant, int more) {
        seriesByTenant.merge(tenant, more, Integer::sum);
    }

    /** Series of a tenant's tables, without those that are dropped. */
    int seriesOf(String tenant) {
        return seriesByTenant.getOrDefault(tenant, 0);
    }

    /** {@link #seriesOf} each tenant that was met here. */
    Map<String, Integer> seriesByTenant() {
        return Map.copyOf(seriesByTenant);
    }
}
