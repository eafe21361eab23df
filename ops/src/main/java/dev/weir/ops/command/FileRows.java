package dev.weir.ops.command;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.ops.client.CommandFailedException;
import dev.weir.ops.client.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * Rows of a CSV or Parquet file as flat JSON objects, a line each, read by DuckDB as a stream. NULL and NaN are left out: there is no value. One thread.
 */
final class FileRows implements AutoCloseable {
    private final Connection connection;
    private final Statement statement;
    private final ResultSet rows;
    private final List<String> names = new ArrayList<>();
    private final String time;
    private long count;

    /**
     * What is read.
     *
     * @param isCsv with a line of names; else Parquet
     * @param tags columns that are texts whatever they look like
     * @param time the column of times: TIMESTAMP, or an integer that counts {@code unitNanos}
     */
    record Source(Path file, boolean isCsv, List<String> tags, String time, long unitNanos) {
        private String function() {
            // A path is one file, and says nothing of what is in it.
            String path = text(file.toString().replaceAll("[*?\\[]", "[$0]"));
            if (!isCsv) {
                return "read_parquet(" + path + ", hive_partitioning = false)";
            }
            String types = tags.stream().map(tag -> text(tag) + ": 'VARCHAR'").collect(Collectors.joining(", "));
            // A column's type comes from all rows: one fraction at the end makes it DOUBLE from the start.
            return "read_csv(" + path + ", header = true, sample_size = -1, hive_partitioning = false"
                    + (tags.isEmpty() ? "" : ", types = {" + types + "}") + ")";
        }

        private static String text(String value) {
            return "'" + value.replace("'", "''") + "'";
        }
    }

    /** @throws CommandFailedException the file can't be read as what it is said to be */
    FileRows(Source source) {
        time = source.time();
        Properties streaming = new Properties();
        streaming.setProperty("jdbc_stream_results", "true");
        try {
            connection = DriverManager.getConnection("jdbc:duckdb:", streaming);
            statement = connection.createStatement();
            statement.execute("SET threads = 2");
            statement.execute("SET memory_limit = '256MB'");
            statement.execute("SET TimeZone = 'UTC'");
            rows = statement.executeQuery(select(source));
            ResultSetMetaData data = rows.getMetaData();
            for (int i = 1; i <= data.getColumnCount(); i++) {
                names.add(data.getColumnLabel(i));
            }
        } catch (SQLException e) {
            throw refused(e);
        }
    }

    private String select(Source source) throws SQLException {
        List<String> columns = new ArrayList<>();
        List<String> found = new ArrayList<>();
        try (ResultSet described = statement.executeQuery("DESCRIBE SELECT * FROM " + source.function())) {
            while (described.next()) {
                String name = described.getString(1);
                found.add(name);
                columns.add(name.equals(source.time()) ? nanos(source, described.getString(2)) : quoted(name));
            }
        }
        if (!found.contains(source.time())) {
            throw CommandFailedException.refused("--time: expected a column " + source.time() + " in " + source.file()
                    + ", found " + String.join(", ", found));
        }
        return "SELECT " + String.join(", ", columns) + " FROM " + source.function();
    }

    private static String nanos(Source source, String type) {
        String column = quoted(source.time());
        if (type.startsWith("TIMESTAMP") || type.equals("DATE")) {
            return "epoch_ns(" + (type.equals("DATE") ? "CAST(" + column + " AS TIMESTAMP)" : column) + ") AS "
                    + column;
        }
        boolean isCount = type.endsWith("INT") || type.equals("INTEGER");
        return isCount && source.unitNanos() != 1
                ? "CAST(" + column + " AS BIGINT) * " + source.unitNanos() + " AS " + column
                : column;
    }

    /** Appends the next row, with its line end; false after the last. */
    boolean next(ByteArrayOutputStream to) throws IOException {
        try {
            if (!rows.next()) {
                return false;
            }
            count++;
            try (JsonGenerator json = Json.MAPPER.createGenerator(to)) {
                json.writeStartObject();
                for (int i = 0; i < names.size(); i++) {
                    Object value = rows.getObject(i + 1);
                    if (value == null && names.get(i).equals(time)) {
                        throw CommandFailedException.refused(
                                "row " + count + " has no " + time + ": expected a time in every row");
                    }
                    write(json, names.get(i), value);
                }
                json.writeEndObject();
            }
            to.write('\n');
            return true;
        } catch (SQLException e) {
            throw refused(e);
        }
    }

    private static void write(JsonGenerator json, String name, @org.jspecify.annotations.Nullable Object value)
            throws IOException {
        switch (value) {
            case null -> {}
            case Double number -> writeFinite(json, name, number);
            case Float number -> writeFinite(json, name, number);
            case BigDecimal number -> json.writeNumberField(name, number.doubleValue());
            case BigInteger number -> {
                json.writeFieldName(name);
                json.writeNumber(number);
            }
            case Number number -> json.writeNumberField(name, number.longValue());
            case Boolean flag -> json.writeBooleanField(name, flag);
            default -> json.writeStringField(name, value.toString());
        }
    }

    private static void writeFinite(JsonGenerator json, String name, double number) throws IOException {
        if (Double.isFinite(number)) {
            json.writeNumberField(name, number);
        }
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private static CommandFailedException refused(SQLException e) {
        return CommandFailedException.refused(String.valueOf(e.getMessage()).strip());
    }

    @Override
    public void close() {
        try {
            rows.close();
            statement.close();
            connection.close();
        } catch (SQLException e) {
            throw refused(e);
        }
    }
}
