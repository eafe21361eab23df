package dev.weir.node.letters;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of letters as a table in DuckDB; tenants are not told apart. */
final class LetterTableInDuck implements LetterSql, AutoCloseable {
    private final Connection database;
    private final List<String> added = new ArrayList<>();

    LetterTableInDuck() {
        try {
            database = DriverManager.getConnection("jdbc:duckdb:");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        execute(
                "CREATE TABLE _dead_letters (time TIMESTAMP_NS, code VARCHAR, node VARCHAR, id VARCHAR, measurement VARCHAR,"
                        + " message VARCHAR, text VARCHAR, truncated BOOLEAN, format VARCHAR, parameters VARCHAR,"
                        + " line BIGINT, bytes BIGINT)");
    }

    /** It is there for the next statement. */
    void add(long timeNanos, String code, String node, long bytes) {
        added.add("(make_timestamp_ns(" + timeNanos + "), '" + code + "', '" + node + "', '" + timeNanos + "." + node
                + "." + code + "', 'm', 'why', 'm v=', false, 'lp', '{}', 1, " + bytes + ")");
    }

    @Override
    public List<@Nullable Object[]> run(String tenant, String statement) {
        if (!added.isEmpty()) {
            execute("INSERT INTO _dead_letters VALUES " + String.join(", ", added));
            added.clear();
        }
        return execute(statement);
    }

    private List<@Nullable Object[]> execute(String statement) {
        try (Statement run = database.createStatement()) {
            List<@Nullable Object[]> rows = new ArrayList<>();
            if (run.execute(statement)) {
                ResultSet found = run.getResultSet();
                while (found.next()) {
                    @Nullable
                    Object[] cells = new @Nullable Object[found.getMetaData().getColumnCount()];
                    for (int i = 0; i < cells.length; i++) {
                        cells[i] = found.getObject(i + 1);
                    }
                    rows.add(cells);
                }
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(statement, e);
        }
    }

    @Override
    public void close() throws SQLException {
        database.close();
    }
}
