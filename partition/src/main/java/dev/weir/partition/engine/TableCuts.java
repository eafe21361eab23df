package dev.weir.partition.engine;

import dev.weir.partition.model.TableSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Tables of one replica at one point of its log: references are copied under the lock, and read after it. Any thread. */
final class TableCuts {
    /** More series of a table are not looked through for one query: that took longer than what it may save, and holds up apply. */
    private static final int SERIES_LOOKED_AT_MAX = 20_000;

    private final PartitionState state;
    private final ReplicaLog log;
    private final Lock readLock;

    /**
     * Tables at one point of the log; empty where it knows none of that id, or its drop.
     *
     * @param newest by table the seqs of the events that wrote its series' newest points; null where that was not asked for or the log cannot tell
     */
    record Cut(long nextSeq, List<Optional<TableCut>> tables, List<long @Nullable []> newest) {}

    /** Tables of one tenant at one point of the log. */
    record TenantCut(long nextSeq, List<TableCut> tables) {}

    /** @param readLock is held by nobody who changes the state */
    TableCuts(PartitionState state, ReplicaLog log, Lock readLock) {
        this.state = state;
        this.log = log;
        this.readLock = readLock;
    }

    /** As of now; empty where this log knows no table of that id, or its drop. */
    Optional<TableCut> of(int tableId) {
        readLock.lock();
        try {
            return find(tableId);
        } finally {
            readLock.unlock();
        }
    }

    /** As of now, all of one cut. */
    Cut of(List<PartitionImage.Need> needs) {
        List<@Nullable NewestPoints> newest = new ArrayList<>();
        for (PartitionImage.Need need : needs) {
            newest.add(need.newest() ? newestPoints(need) : null);
        }
        readLock.lock();
        try {
            List<Optional<TableCut>> tables = new ArrayList<>();
            List<long @Nullable []> seqs = new ArrayList<>();
            for (int i = 0; i < needs.size(); i++) {
                NewestPoints points = newest.get(i);
                tables.add(find(needs.get(i).tableId()));
                seqs.add(
                        points == null
                                ? null
                                : points.seqs(state.points(), log.segments().oldestSeq()));
            }
            return new Cut(state.facts().nextSeq(), tables, seqs);
        } finally {
            readLock.unlock();
        }
    }

    /** Tables of a tenant as of now, all of one cut, without dropped ones. */
    TenantCut of(String tenant, Predicate<String> names) {
        readLock.lock();
        try {
            List<TableCut> tables = new ArrayList<>();
            for (TableDirectory.Table table : state.definitions().tables().tables()) {
                TableSchema schema = table.newest();
                if (schema != null && schema.tenant().equals(tenant) && names.test(schema.name())) {
                    find(schema.tableId()).ifPresent(tables::add);
                }
            }
            return new TenantCut(state.facts().nextSeq(), tables);
        } finally {
            readLock.unlock();
        }
    }

    /** Whether some series of a table has the tags that are asked for; true too where there are too many to look. */
    boolean mayHaveSeries(int tableId, RowPick pick) {
        TableDirectory.Table table = state.definitions().tables().table(tableId);
        int[] series = pick.tags().isEmpty() || table == null ? null : series(table);
        return series == null
                || Arrays.stream(series)
                        .anyMatch(id -> pick.means(state.definitions().tags(id)));
    }

    private @Nullable NewestPoints newestPoints(PartitionImage.Need need) {
        TableDirectory.Table table = state.definitions().tables().table(need.tableId());
        int[] series = table == null ? null : series(table);
        return table == null || series == null
                ? null
                : new NewestPoints(state.definitions(), need.pick(), table, series);
    }

    /** All of a table; null where they are too many to be looked through. */
    private int @Nullable [] series(TableDirectory.Table table) {
        readLock.lock();
        try {
            return table.seriesCount() > SERIES_LOOKED_AT_MAX ? null : table.allSeries();
        } finally {
            readLock.unlock();
        }
    }

    /** Called under the lock. */
    private Optional<TableCut> find(int tableId) {
        TableDirectory.Table table = state.definitions().tables().table(tableId);
        LogFacts facts = state.facts();
        TableSchema schema = table == null ? null : table.newest();
        PartitionFence owns = facts.fence();
        return schema == null || owns == null || facts.drops().containsKey(tableId)
                ? Optional.empty()
                : Optional.of(new TableCut(
                        schema,
                        facts.nextSeq(),
                        // What was trimmed had no row that is part of a table.
                        Math.max(
                                state.buffers().firstSeq(tableId, facts.nextSeq()),
                                log.segments().oldestSeq()),
                        facts.files(tableId),
                        owns.slots()));
    }
}
