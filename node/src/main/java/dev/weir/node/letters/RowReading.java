package dev.weir.node.letters;

import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.query.sql.image.CancelSignal;
import dev.weir.query.sql.plan.VisibleColumns.Visible;
import dev.weir.query.sql.run.InsertCells;
import dev.weir.query.sql.run.ResultHead;
import dev.weir.query.sql.run.ResultSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;

/** Takes the rows of {@code SELECT * … ORDER BY time}; so many and no more. Used by one thread at a time. */
final class RowReading implements ResultSink {
    static final int ROWS_MAX = 20_000;
    static final long BYTES_MAX = 32 << 20;

    /** Empty: the table has other columns than were expected. */
    final CompletableFuture<Optional<RowSlice>> done = new CompletableFuture<>();

    private final String table;
    private final List<Visible> columns;
    private final List<WholeRow> rows = new ArrayList<>();
    private List<FieldVector> vectors = List.of();
    private Optional<Cursor> cut = Optional.empty();
    private boolean fits = true;
    private OptionalLong next = OptionalLong.empty();
    private long bytes;

    /** @param columns what follows {@code time} */
    RowReading(String table, List<Visible> columns) {
        this.table = table;
        this.columns = columns;
    }

    @Override
    public void begin(ResultHead head, VectorSchemaRoot root, CancelSignal signal) {
        vectors = root.getFieldVectors();
        cut = head.cut().map(read -> read.cursor());
        fits = head.columns().size() == columns.size() + 1;
        for (int i = 0; fits && i < columns.size(); i++) {
            fits = head.columns().get(i + 1).name().equals(columns.get(i).name());
        }
    }

    @Override
    public void batch() {
        int count = fits ? vectors.getFirst().getValueCount() : 0;
        for (int row = 0; row < count && next.isEmpty(); row++) {
            if (rows.size() == ROWS_MAX || bytes > BYTES_MAX) {
                next = OptionalLong.of(time(row));
                return;
            }
            WholeRow read = row(row);
            bytes += read.text().length();
            rows.add(read);
        }
    }

    private WholeRow row(int row) {
        @Nullable Object[] cells = new @Nullable Object[columns.size()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = InsertCells.value(vectors.get(i + 1), row);
        }
        return WholeRow.of(table, time(row), columns, cells);
    }

    private long time(int row) {
        return InsertCells.value(vectors.getFirst(), row) instanceof Long nanos ? nanos : 0;
    }

    @Override
    public void end(long rowCount) {
        try {
            done.complete(fits && cut.isPresent() ? Optional.of(RowSlice.of(rows, next, cut.get())) : Optional.empty());
        } catch (RefusedException e) {
            done.completeExceptionally(e);
        } catch (RuntimeException e) {
            done.completeExceptionally(
                    new RefusedException(Refusal.of(ErrorCode.INTERNAL, "reading table " + table + ": " + e)));
        }
    }

    @Override
    public void fail(Refusal refusal, OptionalInt position) {
        done.completeExceptionally(new RefusedException(refusal));
    }
}
