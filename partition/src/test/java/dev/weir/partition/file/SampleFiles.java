package dev.weir.partition.file;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Data files of random rows with odd names and values, and what a reader that runs elsewhere must find in them. */
public final class SampleFiles {
    private static final FileLimits SMALL = new FileLimits(100, 1 << 16, 10, 1, false);
    private static final int ROWS = 400;
    private static final int BATCH_ROWS = 64;

    private SampleFiles() {}

    /**
     * Writes a file. Returns its rows in their order, each as time in nanoseconds, seq, hash of the series, and the values of the table's columns by id; a null is
     * empty, a double its 64 bits in hex (all NaN alike), any other value its text.
     */
    public static List<List<Optional<String>>> write(Path path, int seed) throws IOException {
        RandomTable table = new RandomTable(new SplittableRandom(seed));
        TableSchema schema = table.schema(1);
        List<PointRow> rows = table.rows(schema, ROWS, -1 - seed, 1, false);
        RowLists.write(path, new FileHead(schema, 0, 1, ROWS), SMALL, new ListSource(schema, rows, BATCH_ROWS));
        rows.sort(PointRow.ORDER);
        return rows.stream().map(row -> values(schema, row)).toList();
    }

    private static List<Optional<String>> values(TableSchema schema, PointRow row) {
        List<Optional<String>> values = new ArrayList<>();
        values.add(Optional.of(Long.toString(row.time())));
        values.add(Optional.of(Long.toString(row.seq())));
        values.add(Optional.of(Long.toUnsignedString(row.series().hash())));
        for (Column column : schema.columns()) {
            values.add(
                    column.role() == ColumnRole.TAG
                            ? tag(row, column)
                            : Optional.ofNullable(row.fields().get(column.id()))
                                    .map(value -> text(column.type(), value)));
        }
        return values;
    }

    private static Optional<String> tag(PointRow row, Column column) {
        return row.series().tags().stream()
                .filter(tag -> tag.key().equals(column.name()))
                .map(Tag::value)
                .findFirst();
    }

    private static String text(FieldType type, Object value) {
        return switch (type) {
            case FLOAT64 -> "%016x".formatted(Double.doubleToLongBits((Double) value));
            case UINT64 -> Long.toUnsignedString((Long) value);
            case INT64, BOOL, STRING -> String.valueOf(value);
        };
    }
}
