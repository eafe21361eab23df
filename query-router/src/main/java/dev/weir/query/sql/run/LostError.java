package dev.weir.query.sql.run;

import java.sql.SQLException;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBPreparedStatement;

/**
 * Finds what went wrong before the first row of a streamed result: the driver (2.0.0.1) throws it away there. So the statement runs once more, over the
 * same images, under EXPLAIN ANALYZE, which gives no rows, and by the call of the driver that keeps errors.
 */
final class LostError {
    private static final String PREFIX = Explain.ANALYZE.prefix();

    private LostError() {}

    /** @param session a fresh one */
    static DuckErrors find(Session session, ViewSet views, String text, RunningQuery query) {
        try {
            views.makeIn(session);
            run(session, text, query);
            return new DuckErrors("", "the statement failed once, but not when it was run again", -1);
        } catch (SQLException e) {
            return DuckErrors.of(e).movedBy(-PREFIX.length());
        }
    }

    private static void run(Session session, String text, RunningQuery query) throws SQLException {
        try (DuckDBPreparedStatement statement = session.connection().prepare(PREFIX + text)) {
            query.runs(statement);
            try (DuckDBChunkedResult result = statement.query()) {
                result.nextChunk();
            } finally {
                query.runs(null);
            }
        }
    }
}
