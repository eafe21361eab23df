package dev.weir.query.sql.answer;

import dev.weir.query.sql.run.ResultHead;
import java.io.IOException;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Writes one answer: {@code head}, {@code rows}*, {@code tail}. What was written without its tail never reads as complete: JSON lacks its end, Arrow
 * its end-of-stream mark; CSV and NDJSON have none, so there the transport must be cut.
 */
public interface RowEncoder {
    void head(ResultHead head, VectorSchemaRoot rows) throws IOException;

    /**
     * Some of the rows that the root holds now, all of which are written so, in order. In parts, so that rows with long texts need not be in memory
     * together.
     */
    void rows(int from, int to) throws IOException;

    void tail(long rowCount) throws IOException;

    static RowEncoder of(AnswerFormat format, AnswerOptions options, AnswerBytes out) {
        return switch (format) {
            case JSON -> new JsonRows(options, out);
            case NDJSON -> new NdjsonRows(options, out);
            case CSV -> new CsvRows(options, out);
            case ARROW -> new ArrowRows(out);
        };
    }
}
