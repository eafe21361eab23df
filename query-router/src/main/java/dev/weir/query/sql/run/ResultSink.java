package dev.weir.query.sql.run;

import dev.weir.partition.model.Refusal;
import dev.weir.query.sql.image.CancelSignal;
import java.util.OptionalInt;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Where an answer goes: {@code begin}, {@code batch}*, then {@code end} or {@code fail}; {@code fail} alone where it did not come to a beginning.
 * Called by one thread at a time. {@code batch} blocks while the taker is slow, until the signal fires.
 */
public interface ResultSink {
    void begin(ResultHead head, VectorSchemaRoot rows, CancelSignal signal);

    /** The rows given to {@link #begin}, filled anew. */
    void batch();

    void end(long rowCount);

    void fail(Refusal refusal, OptionalInt position);
}
