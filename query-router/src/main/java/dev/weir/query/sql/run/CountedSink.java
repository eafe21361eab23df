package dev.weir.query.sql.run;

import dev.weir.partition.model.Refusal;
import dev.weir.query.sql.image.CancelSignal;
import java.time.Duration;
import java.util.OptionalInt;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Counts how statements end, and passes all on. */
final class CountedSink implements ResultSink {
    private final ResultSink sink;
    private final SqlMeters meters;
    private final long begin = System.nanoTime();

    CountedSink(ResultSink sink, SqlMeters meters) {
        this.sink = sink;
        this.meters = meters;
    }

    @Override
    public void begin(ResultHead head, VectorSchemaRoot rows, CancelSignal signal) {
        sink.begin(head, rows, signal);
    }

    @Override
    public void batch() {
        sink.batch();
    }

    @Override
    public void end(long rowCount) {
        sink.end(rowCount);
        meters.answered(Duration.ofNanos(System.nanoTime() - begin), rowCount);
    }

    @Override
    public void fail(Refusal refusal, OptionalInt position) {
        meters.refused(refusal);
        sink.fail(refusal, position);
    }
}
