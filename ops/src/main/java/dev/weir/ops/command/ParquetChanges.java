package dev.weir.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.CommandFailedException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * Changes on their way into a Parquet file, with the columns of record batches of the stream. They gather in a DuckDB file beside it; the file itself
 * appears whole, at the end, or not at all. One thread.
 */
final class ParquetChanges implements AutoCloseable {
    private static final String COLUMNS =
            "seq UBIGINT, event_type VARCHAR, measurement VARCHAR, event_timestamp BIGINT,"
                    + " tags_json VARCHAR, fields_json VARCHAR, series_hash VARCHAR, partition UINTEGER, operation VARCHAR,"
                    + " schema_version UINTEGER, committed_at BIGINT, detail_json VARCHAR";
    private static final long NANOS_OF_SECOND = 1_000_000_000L;

    private final Path file;
    private final Path gathered;
    private final Connection connection;
    private final DuckDBAppender appender;
    private long count;

    /** @throws CommandFailedException no file can be made there */
    ParquetChanges(Path file) {
        this.file = file.toAbsolutePath();
        this.gathered = beside(".gathered");
        try {
            removeTemporary();
            connection = DriverManager.getConnection("jdbc:duckdb:" + gathered);
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET threads = 2");
                statement.execute("SET memory_limit = '256MB'");
                statement.execute("CREATE TABLE changes (" + COLUMNS + ")");
            }
            appender = connection.unwrap(DuckDBConnection.class).createAppender("changes");
        } catch (SQLException | IOException e) {
            throw refused(e);
        }
    }

    /** @param change the data of its frame, integers as numbers */
    void add(JsonNode change) {
        try {
            appender.beginRow();
            appender.append(change.required("seq").longValue());
            appender.append(change.required("event_type").textValue());
            appender.append(change.required("measurement").textValue());
            appender.append(change.required("timestamp").longValue());
            appender.append(change.required("tags").toString());
            appender.append(change.required("fields").toString());
            appender.append(hash(change.path("series_hash").asText("")));
            appender.append(change.required("partition").intValue());
            appender.append(change.required("operation").textValue());
            appender.append(change.required("schema_version").intValue());
            appender.append(nanos(change.required("committed_at").textValue()));
            appender.append(change.has("detail") ? change.path("detail").toString() : "{}");
            appender.endRow();
            count++;
        } catch (SQLException e) {
            throw refused(e);
        }
    }

    /** Unsigned, as a decimal number. */
    private static String hash(String hex) {
        return hex.isEmpty() ? "0" : new BigInteger(hex, 16).toString();
    }

    private static long nanos(String time) {
        Instant instant = Instant.parse(time);
        return instant.getEpochSecond() * NANOS_OF_SECOND + instant.getNano();
    }

    /**
     * Makes the file of the changes added, sorted by partition and seq.
     *
     * @param cursor where it ends; stands in the file's metadata as {@code weir_cursor}
     * @return changes in it
     */
    long finish(String cursor) {
        Path written = beside(".written");
        try (Statement statement = connection.createStatement()) {
            appender.close();
            statement.execute("COPY (SELECT * REPLACE (CAST(series_hash AS UBIGINT) AS series_hash)"
                    + " FROM changes ORDER BY partition, seq) TO " + text(written.toString())
                    + " (FORMAT parquet, COMPRESSION zstd, KV_METADATA {weir_cursor: " + text(cursor) + "})");
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return count;
        } catch (SQLException | IOException e) {
            throw refused(e);
        }
    }

    private Path beside(String ending) {
        return file.resolveSibling("." + file.getFileName() + ending);
    }

    private static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    private static CommandFailedException refused(Exception e) {
        return CommandFailedException.refused(
                "the file can't be written: " + String.valueOf(e.getMessage()).strip());
    }

    private void removeTemporary() throws IOException {
        for (Path path : List.of(gathered, beside(".gathered.wal"), beside(".written"))) {
            Files.deleteIfExists(path);
        }
        removeSpilled();
    }

    /** What DuckDB puts aside while it sorts more than its memory holds; its own end of the process leaves it. */
    private void removeSpilled() throws IOException {
        Path folder = beside(".gathered.tmp");
        if (Files.notExists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
            removeTemporary();
        } catch (SQLException | IOException e) {
            throw refused(e);
        }
    }
}
