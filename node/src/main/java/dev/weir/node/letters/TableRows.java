package dev.weir.node.letters;

import dev.weir.node.ingest.Awaiting;
import dev.weir.node.ingest.letter.LetterTable;
import dev.weir.node.internal.ImageQuery;
import dev.weir.node.internal.ImageRouter;
import dev.weir.node.internal.PartitionTables;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.engine.RowPick;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.read.Consistency;
import dev.weir.query.sql.image.TimeRange;
import dev.weir.query.sql.plan.VisibleColumns;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads whole rows of tables: no column that one of them has is left out. Blocks; called on virtual threads. */
final class TableRows implements RowSource {
    /** Columns may be added while rows are read; then they are read again. */
    private static final int ATTEMPTS = 5;

    private final Catalog catalog;
    private final TenantSql sql;
    private final ImageRouter images;

    TableRows(Catalog catalog, TenantSql sql, ImageRouter images) {
        this.catalog = catalog;
        this.sql = sql;
        this.images = images;
    }

    @Override
    public TableSchema table(String tenant, String name) {
        Awaiting.await(catalog.linearize());
        return catalog.image()
                .table(tenant, name)
                .orElseThrow(
                        () -> new RefusedException(Refusal.of(ErrorCode.NOT_FOUND, "no table " + name + " is known")));
    }

    @Override
    public boolean hasLetters(String tenant) {
        return catalog.image().table(tenant, LetterTable.NAME).isPresent();
    }

    @Override
    public RowSlice oldest(String tenant, String name, RowRange range) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            TableSchema table = table(tenant, name);
            String statement = "SELECT *" + range.source(table) + " ORDER BY time LIMIT " + (RowReading.ROWS_MAX + 1);
            RowReading reading = new RowReading(name, VisibleColumns.of(table).columns());
            Optional<RowSlice> slice = sql.answer(tenant, statement, reading, reading.done);
            // Rows that are in the cut used no column that was not agreed before it.
            if (slice.isPresent() && table(tenant, name).equals(table)) {
                return slice.get();
            }
        }
        throw new RefusedException(Refusal.of(
                ErrorCode.CONFLICT, "the columns of table " + name + " change faster than it is read: call again"));
    }

    @Override
    public long count(String tenant, String name, RowRange range) {
        return sql.number(tenant, "SELECT count(*)" + range.source(table(tenant, name)));
    }

    @Override
    public TimeRange buffered(TableSchema table) {
        ImageQuery query = new ImageQuery(List.of(new ImageQuery.Table(
                table.tableId(), new RowPick(Long.MIN_VALUE, Long.MAX_VALUE, Map.of()), List.of(), false)));
        TimeRange times = new TimeRange(0, -1);
        for (CompletableFuture<PartitionTables> part : images.images(
                        catalog.image().partitions().keySet(), query, Consistency.LEADER)
                .values()) {
            PartitionTables.Buffered buffered = Awaiting.await(part)
                    .tables()
                    .getFirst()
                    .map(PartitionTables.Rows::buffered)
                    .orElse(null);
            if (buffered != null && buffered.rows() > 0) {
                times = times.or(new TimeRange(buffered.minNanos(), buffered.maxNanos()));
            }
        }
        return times;
    }
}
