package dev.weir.query.sql.run;

import java.sql.SQLException;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBPreparedStatement;

/**
 * Finds what went wrong before the first row of a streamed result: the driver (2.0.0.1) throws it away there, but not where it hands out chunks. So the
 * statement runs once more, over the same images.
 */
final class LostError {
    private LostError() {}

    /** The failure; the given one where it does not come again. */
    static SQLException find(Seat seat, ViewSet views, String text, RunningQuery query, SQLException lost) {
        try (DuckDBConnection session = seat.instance().connect();
                ViewSet again = views.again(session);
                DuckDBPreparedStatement statement = session.prepare(text)) {
            query.runs(statement);
            try (DuckDBChunkedResult result = statement.query()) {
                result.nextChunk();
            } finally {
                query.runs(null);
            }
            return lost;
        } catch (SQLException e) {
            return e;
        }
    }
}
