package dev.weir.node.ingest.rows;

import dev.weir.partition.model.ErrorCode;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Texts of one row each, read as one body, each in its own format. A text that is not one row is a faulty row. */
public final class JoinedRows implements RowReader {
    private final List<Text> texts;
    private int at = -1;
    private int next;
    private @Nullable RowReader reader;
    private @Nullable RowFault fault;

    /**
     * One row.
     *
     * @param reader reads it from its beginning, each time
     * @param defaultTimeNanos its time where the text has none
     */
    public record Text(Supplier<RowReader> reader, long defaultTimeNanos) {}

    public JoinedRows(List<Text> texts) {
        this.texts = texts;
    }

    @Override
    public boolean next() {
        if (next >= texts.size()) {
            return false;
        }
        at = next++;
        Text text = texts.get(at);
        fault = unlessOne(text.reader().get());
        RowReader one = text.reader().get();
        reader = one;
        if (fault == null && one.next()) {
            fault = one.fault();
            if (fault == null && !one.row().timed) {
                one.row().timed = true;
                one.row().timestampNanos = text.defaultTimeNanos();
            }
        }
        return true;
    }

    private static @Nullable RowFault unlessOne(RowReader reader) {
        int rows = 0;
        while (rows < 2 && reader.next()) {
            rows++;
        }
        RowFault body = reader.bodyFault();
        if (body != null || rows == 1) {
            return body;
        }
        return new RowFault(ErrorCode.SYNTAX, "expected one row, found " + (rows == 0 ? "none" : "several"));
    }

    @Override
    public @Nullable RowFault fault() {
        return fault;
    }

    @Override
    public @Nullable RowFault bodyFault() {
        return null;
    }

    @Override
    public Row row() {
        return current().row();
    }

    @Override
    public int line() {
        return at + 1;
    }

    @Override
    public int place() {
        return at;
    }

    @Override
    public int stop() {
        return at + 1;
    }

    @Override
    public @Nullable String measurement() {
        return current().measurement();
    }

    @Override
    public void seek(int place, int line) {
        next = place;
    }

    @Override
    public String locate(int field, String message) {
        return current().locate(field, message);
    }

    @Override
    public String locate(String message) {
        return current().locate(message);
    }

    @Override
    public boolean loose() {
        return current().loose();
    }

    @Override
    public int droppedFields() {
        return 0;
    }

    private RowReader current() {
        RowReader one = reader;
        if (one == null) {
            throw new IllegalStateException("expected next() before");
        }
        return one;
    }
}
