package dev.weir.node.letters;

import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.query.sql.gate.SqlRefusedException;
import dev.weir.query.sql.image.CancelSignal;
import dev.weir.query.sql.image.ReadOptions;
import dev.weir.query.sql.run.ResultHead;
import dev.weir.query.sql.run.ResultSink;
import dev.weir.query.sql.run.SqlEngine;
import dev.weir.query.sql.run.SqlRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.util.Text;
import org.jspecify.annotations.Nullable;

/** Runs statements of small answers as a tenant would, and waits for them. */
final class TenantSql implements LetterSql {
    /** An answer of more rows is a fault here. */
    static final int ROWS_MAX = 2_000;

    private final SqlEngine engine;

    TenantSql(SqlEngine engine) {
        this.engine = engine;
    }

    @Override
    public List<@Nullable Object[]> run(String tenant, String statement) {
        Rows rows = new Rows();
        return answer(tenant, statement, rows, rows.done);
    }

    /** Runs a statement and waits for what its sink makes of the answer. */
    <T> T answer(String tenant, String statement, ResultSink sink, CompletableFuture<T> done) {
        try {
            engine.submit(new SqlRequest(tenant, "", statement, ReadOptions.LEADER, Optional.empty()), sink);
            return done.join();
        } catch (SqlRefusedException e) {
            throw new RefusedException(e.refusal());
        } catch (CompletionException e) {
            throw e.getCause() instanceof RefusedException refused ? refused : e;
        }
    }

    private static final class Rows implements ResultSink {
        private final CompletableFuture<List<@Nullable Object[]>> done = new CompletableFuture<>();
        private final List<@Nullable Object[]> rows = new ArrayList<>();
        private List<FieldVector> vectors = List.of();

        @Override
        public void begin(ResultHead head, VectorSchemaRoot root, CancelSignal signal) {
            vectors = root.getFieldVectors();
        }

        @Override
        public void batch() {
            int count = vectors.isEmpty() ? 0 : vectors.getFirst().getValueCount();
            if (rows.size() + count > ROWS_MAX) {
                throw new IllegalStateException("expected at most " + ROWS_MAX + " rows, found more");
            }
            for (int row = 0; row < count; row++) {
                @Nullable Object[] cells = new @Nullable Object[vectors.size()];
                for (int i = 0; i < cells.length; i++) {
                    Object value = vectors.get(i).getObject(row);
                    cells[i] = value instanceof Text text ? text.toString() : value;
                }
                rows.add(cells);
            }
        }

        @Override
        public void end(long rowCount) {
            done.complete(rows);
        }

        @Override
        public void fail(Refusal refusal, OptionalInt position) {
            done.completeExceptionally(new RefusedException(refusal));
        }
    }
}
