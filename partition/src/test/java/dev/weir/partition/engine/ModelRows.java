package dev.weir.partition.engine;

import dev.weir.partition.check.FoldedTable;
import dev.weir.partition.entry.CanonicalTags;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.file.FieldVector;
import dev.weir.partition.file.RowBatch;
import dev.weir.partition.file.RowSource;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stands in for files that were never written: each has what the model's table has now, written after every delete. */
record ModelRows(FoldedTable table) implements FileRows {
    @Override
    public RowSource open(StoredFile file, TableSchema as, List<List<Tag>> series) {
        int rows = table.points().values().stream().mapToInt(Map::size).sum();
        RowBatch batch = new RowBatch(as, Math.max(1, rows));
        table.points().forEach((key, points) -> {
            if (key.tenant().equals(as.tenant()) && key.table().equals(as.name()) && !points.isEmpty()) {
                add(batch, key, points);
            }
        });
        return new OneBatch(as, batch);
    }

    private static void add(RowBatch batch, SeriesKey key, Map<Long, Map<String, Object>> points) {
        batch.series(CanonicalTags.encode(key.tags()), key.hash());
        points.forEach((time, fields) -> {
            int row = batch.add(time, Long.MAX_VALUE);
            for (int i = 0; i < batch.fieldColumns().size(); i++) {
                set(batch.field(i), row, fields.get(batch.fieldColumns().get(i).name()));
            }
        });
    }

    private static void set(FieldVector field, int row, @Nullable Object value) {
        switch (value) {
            case null -> {}
            case Double number -> field.setDouble(row, number);
            case Long number -> field.setLong(row, number);
            case Boolean bool -> field.setBool(row, bool);
            case String text -> field.setText(row, text);
            default -> throw new IllegalArgumentException("value " + value);
        }
    }

    private static final class OneBatch implements RowSource {
        private final TableSchema schema;
        private final RowBatch batch;
        private boolean given;

        OneBatch(TableSchema schema, RowBatch batch) {
            this.schema = schema;
            this.batch = batch;
        }

        @Override
        public TableSchema schema() {
            return schema;
        }

        @Override
        public @Nullable RowBatch next() {
            boolean first = !given && batch.rows() > 0;
            given = true;
            return first ? batch : null;
        }

        @Override
        public void close() {}
    }
}
