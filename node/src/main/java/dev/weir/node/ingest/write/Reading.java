package dev.weir.node.ingest.write;

import dev.weir.node.ingest.rows.Row;
import dev.weir.node.ingest.rows.RowFault;
import dev.weir.node.ingest.rows.RowReader;
import dev.weir.node.ingest.rows.TableNames;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.TableSchema;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One reading of a body from beginning to end: each row is refused, or spread to its lane, or leaves a wish. Once there is a wish, nothing is spread
 * any more: the body will be read again. Used by one thread.
 */
final class Reading {
    /** Rows between two offers to let other threads run. */
    private static final int ROWS_AT_A_STRETCH = 2_048;

    private final WriteOrder order;
    private final RowReader reader;
    private final SchemaView schemas;
    private final SlotRouter router;
    private final WishNote note;
    private final Judge judge;
    private final Chunks chunks = new Chunks();
    private final RowIndex index = new RowIndex();
    private final RowReport report = new RowReport();
    private final FarTimes far;
    private final Map<TableNames, TableSchema> known = new HashMap<>();
    private @Nullable TableNames lastTable;
    private @Nullable TableSchema lastSchema;
    private AgeLimit lastAgeLimit = AgeLimit.NONE;

    /** @param last see {@link WishNote} */
    Reading(WriteOrder order, SchemaView schemas, SlotRouter router, boolean last) {
        this.order = order;
        this.reader = order.rows().open();
        this.schemas = schemas;
        this.router = router;
        this.note = new WishNote(schemas, last);
        this.judge = new Judge(note);
        this.far = new FarTimes(order.nowNanos());
    }

    /** Reads all rows. */
    @SuppressWarnings("ThreadPriorityCheck") // a virtual thread that computes yields its carrier only when asked to
    void all() {
        while (reader.next()) {
            int ordinal = index.add(reader.place(), reader.line());
            int chunk = order.idempotency() == null ? 0 : chunks.next(ordinal, reader.place());
            row(ordinal, chunk);
            if (ordinal % ROWS_AT_A_STRETCH == ROWS_AT_A_STRETCH - 1) {
                Thread.yield();
            }
        }
    }

    /** Reads some rows again, of a body that another reading has read. */
    void again(IntList ordinals, Reading before) {
        for (int i = 0; i < ordinals.size(); i++) {
            int ordinal = ordinals.get(i);
            reader.seek(before.index.place(ordinal), before.index.line(ordinal));
            if (!reader.next()) {
                throw new IllegalStateException("row " + ordinal + " is not there any more");
            }
            row(ordinal, before.chunkOf(ordinal));
        }
    }

    Wishes wishes() {
        return note.wishes();
    }

    SlotRouter router() {
        return router;
    }

    RowIndex index() {
        return index;
    }

    RowReport report() {
        return report;
    }

    FarTimes far() {
        return far;
    }

    RowReader reader() {
        return reader;
    }

    private int chunkOf(int ordinal) {
        return order.idempotency() == null ? 0 : chunks.of(ordinal);
    }

    private void row(int ordinal, int chunk) {
        RowFault fault = reader.fault();
        if (fault != null) {
            report.refuse(ordinal, reader.line(), fault.code(), fault.message());
            return;
        }
        Row row = reader.row();
        TableSchema schema = schema(row.series().table());
        long time = row.timed() ? row.timestampNanos() : order.nowNanos();
        RowFault tooOld = lastAgeLimit.fault(time, reader);
        if (tooOld != null) {
            report.refuse(ordinal, reader.line(), tooOld.code(), tooOld.message());
            return;
        }
        switch (judge.judge(reader, schema)) {
            case FITS -> spread(row, time, Objects.requireNonNull(schema), ordinal, chunk);
            case REFUSED -> {
                RowFault refusal = judge.fault();
                report.refuse(ordinal, reader.line(), refusal.code(), refusal.message());
            }
            case WISHES -> {}
        }
    }

    private void spread(Row row, long time, TableSchema schema, int ordinal, int chunk) {
        far.see(time, reader.line());
        if (wishes().isEmpty() && !router.route(row, time, judge, schema, ordinal, chunk)) {
            report.refuse(
                    ordinal, reader.line(), ErrorCode.STARTING, reader.locate("the cluster has no partitions yet"));
        }
    }

    @SuppressWarnings("ReferenceEquality") // names are shared objects; an equal copy only costs a look-up
    private @Nullable TableSchema schema(TableNames table) {
        if (table == lastTable) {
            return lastSchema;
        }
        TableSchema schema = known.get(table);
        if (schema == null) {
            schema = schemas.schema(table.table());
            if (schema != null) {
                known.put(table, schema);
            }
        }
        lastTable = table;
        lastSchema = schema;
        lastAgeLimit = schema == null ? AgeLimit.NONE : ageLimit(schema);
        return schema;
    }

    private AgeLimit ageLimit(TableSchema schema) {
        return AgeLimit.of(schemas.image().settings(schema.tableId()), order.nowNanos());
    }
}
