package dev.weir.partition.engine;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FieldColumn;
import dev.weir.partition.file.FieldVector;
import dev.weir.partition.file.RowBatch;
import dev.weir.partition.file.RowSource;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Copies buffered rows out, in a given order, under a schema at least as new as theirs. Used by one thread. */
final class BufferSource implements RowSource {
    private final BufferedRows rows;
    private final int[] order;
    private final RowBatch batch;
    private final @Nullable BatchColumns[] columnsByBatch;
    private int at;

    /** Per field of the schema the batch's column, null where it has none. */
    private record BatchColumns(@Nullable FieldColumn[] byField) {}

    BufferSource(BufferedRows rows, int[] order, TableSchema schema) {
        this.rows = rows;
        this.order = order;
        this.batch = new RowBatch(schema);
        this.columnsByBatch = new BatchColumns[rows.batches()];
    }

    @Override
    public TableSchema schema() {
        return batch.schema();
    }

    @Override
    public @Nullable RowBatch next() {
        if (at == order.length) {
            return null;
        }
        batch.clear();
        int before = -1;
        for (; at < order.length && !batch.full(); at++) {
            int row = order[at];
            if (before < 0 || !rows.sameSeries(before, row)) {
                BufferedRows.Series series = rows.series(row);
                batch.series(series.canonicalTags(), series.hash());
            }
            before = row;
            copy(row, batch.add(rows.time(row), rows.seq(row)));
        }
        return batch;
    }

    @Override
    public void close() {}

    private void copy(int row, int to) {
        int from = rows.batchRow(row);
        BatchColumns known = columnsByBatch[rows.batchIndex(row)];
        if (known == null) {
            known = new BatchColumns(columns(rows.batch(row)));
            columnsByBatch[rows.batchIndex(row)] = known;
        }
        @Nullable FieldColumn[] columns = known.byField;
        for (int i = 0; i < columns.length; i++) {
            FieldColumn column = columns[i];
            if (column != null && column.present(from)) {
                copy(column, from, batch.field(i), to);
            }
        }
    }

    private static void copy(FieldColumn column, int from, FieldVector field, int to) {
        switch (column.type()) {
            case FLOAT64 -> field.setDouble(to, column.doubleAt(from));
            case INT64 -> {
                if (field.type() == FieldType.FLOAT64) {
                    field.setDouble(to, (double) column.longAt(from));
                } else {
                    field.setLong(to, column.longAt(from));
                }
            }
            case UINT64 -> field.setLong(to, column.longAt(from));
            case BOOL -> field.setBool(to, column.boolAt(from));
            case STRING -> field.setText(to, column.stringAt(from));
        }
    }

    /** Per field of the schema the batch's column, null where it has none. */
    private @Nullable FieldColumn[] columns(ChangeBatch from) {
        List<Column> wanted = batch.fieldColumns();
        @Nullable FieldColumn[] found = new FieldColumn[wanted.size()];
        for (FieldColumn column : from.fields()) {
            for (int i = 0; i < found.length; i++) {
                if (wanted.get(i).id() == column.columnId()) {
                    found[i] = column;
                }
            }
        }
        return found;
    }
}
