package dev.weir.query.sql.run;

import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.query.sql.gate.SqlRefusedException;
import dev.weir.query.sql.image.CancelSignal;
import dev.weir.query.sql.statement.Statement.Insert;
import dev.weir.query.sql.statement.StatementResult;
import dev.weir.query.sql.statement.TableStatements;
import dev.weir.query.sql.statement.TableStatements.InsertOutcome;
import dev.weir.query.sql.statement.TableStatements.InsertRows;
import dev.weir.query.sql.statement.TableStatements.RefusedRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;

/** Writes the rows of a query to a table, some thousand at a time, then answers how many. A seat's thread. */
final class InsertSink implements ResultSink {
    private static final int ROWS_AT_ONCE = 8192;

    private final String tenant;
    private final Insert insert;
    private final TableStatements statements;
    private final RunningQuery query;
    private final ResultSink client;
    private final BufferAllocator allocator;
    private final List<@Nullable Object[]> rows = new ArrayList<>();
    private List<FieldVector> vectors = List.of();
    private int timePlace = -1;
    private boolean timeIsNanos;
    private long stored;
    private Optional<Cursor> commit = Optional.empty();

    InsertSink(
            String tenant,
            Insert insert,
            TableStatements statements,
            RunningQuery query,
            ResultSink client,
            BufferAllocator allocator) {
        this.tenant = tenant;
        this.insert = insert;
        this.statements = statements;
        this.query = query;
        this.client = client;
        this.allocator = allocator;
    }

    @Override
    public void begin(ResultHead head, VectorSchemaRoot root, CancelSignal signal) {
        if (head.columns().size() != insert.columns().size()) {
            throw new SqlRefusedException(
                    ErrorCode.BAD_REQUEST,
                    "INSERT: " + insert.columns().size() + " columns are named, but the query gives "
                            + head.columns().size(),
                    insert.position());
        }
        vectors = root.getFieldVectors();
        for (int i = 0; i < vectors.size(); i++) {
            boolean isTime = insert.columns().get(i).equalsIgnoreCase("time");
            InsertCells.check(
                    insert.columns().get(i), head.columns().get(i).type(), vectors.get(i), isTime, insert.position());
            if (isTime) {
                timePlace = i;
                timeIsNanos = InsertCells.isTime(vectors.get(i));
            }
        }
    }

    @Override
    public void batch() {
        int count = vectors.isEmpty() ? 0 : vectors.getFirst().getValueCount();
        for (int row = 0; row < count; row++) {
            @Nullable Object[] cells = new @Nullable Object[vectors.size()];
            for (int i = 0; i < cells.length; i++) {
                cells[i] = InsertCells.value(vectors.get(i), row);
            }
            rows.add(cells);
            if (rows.size() == ROWS_AT_ONCE) {
                write();
            }
        }
    }

    @Override
    public void end(long rowCount) {
        write();
        StatementResult result = new StatementResult(
                List.of(new StatementResult.Column("inserted", "BIGINT")),
                List.<@Nullable Object[]>of(new Object[] {stored}),
                commit);
        ResultRoot.send(result, Optional.empty(), client, query.cancellation(), allocator);
    }

    @Override
    public void fail(Refusal refusal, OptionalInt position) {
        client.fail(stored == 0 ? refusal : withStored(refusal), position);
    }

    private void write() {
        if (rows.isEmpty()) {
            return;
        }
        InsertOutcome outcome = Awaiting.answer(
                statements.insert(
                        tenant,
                        insert.table(),
                        insert.columns(),
                        new InsertRows(List.copyOf(rows), timeIsNanos && timePlace >= 0)),
                query.cancellation(),
                late -> {});
        long before = stored;
        stored += outcome.stored();
        rows.clear();
        outcome.commit()
                .ifPresent(
                        cursor -> commit = Optional.of(commit.map(cursor::max).orElse(cursor)));
        if (!outcome.refused().isEmpty()) {
            RefusedRow first = outcome.refused().getFirst();
            throw new SqlRefusedException(
                    new Refusal(
                            first.refusal().code(),
                            "row " + (before + first.row() + 1) + ": "
                                    + first.refusal().message(),
                            first.refusal().retryAfterMs()),
                    insert.position());
        }
    }

    private Refusal withStored(Refusal refusal) {
        return new Refusal(
                refusal.code(), refusal.message() + "; " + stored + " rows were stored", refusal.retryAfterMs());
    }
}
