package dev.weir.partition.file;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of a list, sorted here, in batches of a chosen size. */
final class ListSource implements RowSource {
    private final TableSchema schema;
    private final List<PointRow> rows;
    private final RowBatch batch;
    private int at;

    ListSource(TableSchema schema, List<PointRow> rows, int batchRows) {
        this.schema = schema;
        this.rows = new ArrayList<>(rows);
        this.rows.sort(PointRow.ORDER);
        this.batch = new RowBatch(schema, batchRows);
    }

    @Override
    public TableSchema schema() {
        return schema;
    }

    @Override
    public @Nullable RowBatch next() {
        batch.clear();
        while (at < rows.size() && !batch.full()) {
            add(rows.get(at++));
        }
        return batch.rows() == 0 ? null : batch;
    }

    @Override
    public void close() {}

    private void add(PointRow row) {
        batch.series(row.tags(), row.series().hash());
        int index = batch.add(row.time(), row.seq());
        for (int i = 0; i < batch.fieldColumns().size(); i++) {
            Column column = batch.fieldColumns().get(i);
            Object value = row.fields().get(column.id());
            if (value != null) {
                set(batch.field(i), index, value);
            }
        }
    }

    private static void set(FieldVector vector, int row, Object value) {
        switch (value) {
            case Double d -> vector.setDouble(row, d);
            case Long l -> vector.setLong(row, l);
            case Boolean b -> vector.setBool(row, b);
            case String s -> vector.setText(row, s);
            default -> throw new IllegalArgumentException("value " + value);
        }
    }
}
