package dev.weir.partition.file;

import static dev.weir.partition.file.DataFileRoundTripTest.field;
import static dev.weir.partition.file.DataFileRoundTripTest.row;
import static dev.weir.partition.file.DataFileRoundTripTest.schema;
import static dev.weir.partition.file.DataFileRoundTripTest.tag;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Files are read by a reader that is not ours, without flags, and filters that it answers by skipping are right. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DuckDbReadTest {
    private static final FileLimits SMALL = new FileLimits(100, 1 << 16, 10, 1, false);

    @TempDir
    Path folder;

    private Connection duck;

    @BeforeAll
    void open() throws SQLException {
        duck = DriverManager.getConnection("jdbc:duckdb:");
    }

    @AfterAll
    void close() throws SQLException {
        duck.close();
    }

    @Test
    void readsEveryValueExactly() throws Exception {
        for (int seed = 0; seed < 5; seed++) {
            RandomTable table = new RandomTable(new SplittableRandom(seed));
            TableSchema schema = table.schema(1);
            List<PointRow> rows = table.rows(schema, 400, -1 - seed, 1, false);
            Path path = folder.resolve("random" + seed + ".parquet");
            RowLists.write(path, new FileHead(schema, 0, 1, 400), SMALL, new ListSource(schema, rows, 64));
            rows.sort(PointRow.ORDER);
            List<List<Object>> found = query("SELECT epoch_us(time)::BIGINT * 1000 + _time_ns, _seq, _series_hash, "
                    + columns(schema) + " FROM '" + path + "'");
            assertThat(found)
                    .as("seed %d", seed)
                    .isEqualTo(rows.stream().map(row -> values(schema, row)).toList());
        }
    }

    @Test
    void timeIsExactToTheNanosecond() throws Exception {
        TableSchema schema = schema(1, field(2, "n", FieldType.INT64));
        List<PointRow> rows = List.of(
                row(schema, null, -1, 1, Map.of()),
                row(schema, null, -1001, 2, Map.of()),
                row(schema, null, -86_399_999_999_999L, 3, Map.of()));
        Path path = write("negative", schema, rows, FileLimits.DEFAULT);
        assertThat(query("SELECT make_timestamp_ns(epoch_us(time) * 1000 + _time_ns)::VARCHAR FROM '" + path
                        + "' ORDER BY _seq"))
                .containsExactly(
                        List.of("1969-12-31 23:59:59.999999999"),
                        List.of("1969-12-31 23:59:59.999998999"),
                        List.of("1969-12-31 00:00:00.000000001"));
        assertThat(query("SELECT typeof(time) FROM '" + path + "' LIMIT 1"))
                .containsExactly(List.of("TIMESTAMP WITH TIME ZONE"));
    }

    @Test
    void filtersOnUnsignedAreRight() throws Exception {
        TableSchema schema = schema(1, field(2, "u", FieldType.UINT64));
        List<PointRow> rows = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            long value = i < 500 ? i : Long.MIN_VALUE + i;
            rows.add(row(schema, null, i, 1, Map.of(2, value)));
        }
        Path path = write("unsigned", schema, rows, SMALL);
        assertThat(count(path, "u > 9223372036854775807")).isEqualTo(500);
        assertThat(count(path, "u <= 9223372036854775807")).isEqualTo(500);
        assertThat(count(path, "u = 9223372036854776507")).isEqualTo(1);
        assertThat(query("SELECT min(u)::VARCHAR, max(u)::VARCHAR FROM '" + path + "'"))
                .containsExactly(List.of("0", "9223372036854776807"));
    }

    @Test
    void filtersOnNanAndZeroAreRight() throws Exception {
        TableSchema schema = schema(1, field(2, "d", FieldType.FLOAT64));
        List<PointRow> rows = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            double value = i == 750 ? Double.NaN : i == 250 ? -0.0 : i / 1000.0;
            rows.add(row(schema, null, i, 1, i % 100 == 99 ? Map.of() : Map.of(2, value)));
        }
        Path path = write("nan", schema, rows, SMALL);
        assertThat(count(path, "isnan(d)")).isEqualTo(1);
        assertThat(count(path, "d > 2")).as("NaN is above all to DuckDB").isEqualTo(1);
        assertThat(count(path, "d = 0")).isEqualTo(2);
        assertThat(count(path, "d < 0.1")).isEqualTo(100);
        assertThat(count(path, "d IS NULL")).isEqualTo(10);
        assertThat(count(path, "d = 'NaN'")).isEqualTo(1);
    }

    @Test
    void filtersOnTagsAndLongTextAreRight() throws Exception {
        TableSchema schema = schema(1, tag(1, "host"), field(2, "s", FieldType.STRING));
        List<PointRow> rows = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            String text = "x".repeat(70) + (char) ('a' + i % 26) + "\uD83D\uDE00";
            rows.add(row(schema, "host-" + i / 10, i, 1, Map.of(2, text)));
        }
        Path path = write("text", schema, rows, SMALL);
        assertThat(count(path, "host = 'host-42'")).isEqualTo(10);
        assertThat(count(path, "host = 'nobody'")).isZero();
        assertThat(count(path, "s = '" + "x".repeat(70) + "c\uD83D\uDE00'")).isEqualTo(39);
        assertThat(query("SELECT min(s), max(s) FROM '" + path + "'"))
                .containsExactly(List.of("x".repeat(70) + "a\uD83D\uDE00", "x".repeat(70) + "z\uD83D\uDE00"));
        assertThat(query("SELECT count(*) FROM parquet_metadata('" + path
                        + "') WHERE path_in_schema = 'host' AND bloom_filter_offset IS NOT NULL"))
                .containsExactly(List.of(10L));
    }

    @Test
    void columnsThatCameLaterAndDaysInFoldersRead() throws Exception {
        TableSchema first = schema(1, tag(1, "host"), field(2, "a", FieldType.INT64));
        TableSchema second = schema(
                2,
                tag(1, "host"),
                field(2, "a", FieldType.INT64),
                field(3, "b", FieldType.INT64),
                field(4, "date", FieldType.INT64));
        Path day = Files.createDirectories(folder.resolve("t/date=1970-01-01"));
        RowLists.write(
                day.resolve("1.parquet"),
                new FileHead(first, 0, 1, 9),
                FileLimits.DEFAULT,
                new ListSource(first, List.of(row(first, "x", 1, 1, Map.of(2, 1L))), 8));
        RowLists.write(
                day.resolve("2.parquet"),
                new FileHead(second, 0, 1, 9),
                FileLimits.DEFAULT,
                new ListSource(second, List.of(row(second, "x", 2, 2, Map.of(2, 2L, 3, 3L, 4, 4L))), 8));
        assertThat(query("SELECT a, b, date::VARCHAR, date__c4 FROM read_parquet('" + folder
                        + "/t/*/*.parquet', union_by_name = true, hive_partitioning = true) ORDER BY a"))
                .isEqualTo(List.of(
                        java.util.Arrays.asList(1L, null, "1970-01-01", null), List.of(2L, 3L, "1970-01-01", 4L)));
    }

    private Path write(String name, TableSchema schema, List<PointRow> rows, FileLimits limits) throws IOException {
        Path path = folder.resolve(name + ".parquet");
        RowLists.write(path, new FileHead(schema, 0, 1, 1000), limits, new ListSource(schema, rows, 64));
        return path;
    }

    private long count(Path path, String where) throws SQLException {
        return (Long) query("SELECT count(*) FROM '" + path + "' WHERE " + where)
                .getFirst()
                .getFirst();
    }

    private static String columns(TableSchema schema) {
        Map<Integer, String> names = ColumnNames.of(schema);
        List<String> columns = new ArrayList<>();
        for (Column column : schema.columns()) {
            columns.add('"' + names.get(column.id()).replace("\"", "\"\"") + '"');
        }
        return String.join(", ", columns);
    }

    private static List<Object> values(TableSchema schema, PointRow row) {
        List<Object> values = new ArrayList<>();
        values.add(row.time());
        values.add(row.seq());
        values.add(unsigned(row.series().hash()));
        for (Column column : schema.columns()) {
            values.add(value(column, row));
        }
        return values;
    }

    private static Object value(Column column, PointRow row) {
        if (column.role() == ColumnRole.TAG) {
            return row.series().tags().stream()
                    .filter(tag -> tag.key().equals(column.name()))
                    .map(tag -> (Object) tag.value())
                    .findFirst()
                    .orElse(null);
        }
        Object value = row.fields().get(column.id());
        return column.type() == FieldType.UINT64 && value != null ? unsigned((Long) value) : value;
    }

    private static BigInteger unsigned(long bits) {
        return new BigInteger(Long.toUnsignedString(bits));
    }

    private List<List<Object>> query(String sql) throws SQLException {
        try (Statement statement = duck.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<List<Object>> rows = new ArrayList<>();
            while (result.next()) {
                List<Object> row = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    Object value = result.getObject(i);
                    row.add(value instanceof BigDecimal whole ? whole.toBigIntegerExact() : value);
                }
                rows.add(row);
            }
            return rows;
        }
    }
}
