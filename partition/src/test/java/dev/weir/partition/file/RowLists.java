package dev.weir.partition.file;

import dev.weir.partition.entry.CanonicalTags;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Between rows as tests mean them and sources and files. */
final class RowLists {
    private RowLists() {}

    /** All rows of a source, which is closed. */
    static List<PointRow> of(RowSource source) throws IOException {
        try (source) {
            List<PointRow> rows = new ArrayList<>();
            for (RowBatch batch = source.next(); batch != null; batch = source.next()) {
                for (int run = 0; run < batch.runs(); run++) {
                    SeriesKey series = series(source.schema(), batch.runTags(run), batch.runHash(run));
                    for (int row = batch.runStart(run); row < batch.runEnd(run); row++) {
                        rows.add(new PointRow(series, batch.times()[row], batch.seqs()[row], fields(batch, row)));
                    }
                }
            }
            return rows;
        }
    }

    static WrittenFile write(Path path, FileHead head, FileLimits limits, RowSource source) throws IOException {
        try (source;
                DataFileWriter writer = DataFileWriter.create(path, head, limits)) {
            for (RowBatch batch = source.next(); batch != null; batch = source.next()) {
                writer.append(batch);
            }
            return writer.finish();
        }
    }

    private static SeriesKey series(TableSchema schema, byte[] tags, long hash) {
        SeriesKey series = new SeriesKey(schema.tenant(), schema.name(), CanonicalTags.decode(tags, 0, tags.length));
        if (series.hash() != hash) {
            throw new AssertionError("hash of " + series + ": " + hash + ", expected " + series.hash());
        }
        return series;
    }

    private static Map<Integer, Object> fields(RowBatch batch, int row) {
        Map<Integer, Object> fields = new HashMap<>();
        for (int i = 0; i < batch.fieldColumns().size(); i++) {
            Column column = batch.fieldColumns().get(i);
            FieldVector vector = batch.field(i);
            if (!vector.isNull(row)) {
                fields.put(column.id(), value(column.type(), vector, row));
            }
        }
        return fields;
    }

    private static Object value(FieldType type, FieldVector vector, int row) {
        return switch (type) {
            case FLOAT64 -> vector.getDouble(row);
            case INT64, UINT64 -> vector.getLong(row);
            case BOOL -> vector.getLong(row) != 0;
            case STRING ->
                new String(vector.text(), vector.textFrom(row), vector.textLength(row), StandardCharsets.UTF_8);
        };
    }
}
