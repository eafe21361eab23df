package dev.weir.partition.engine;

import dev.weir.partition.entry.CanonicalTags;
import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FieldColumn;
import dev.weir.partition.file.FieldVector;
import dev.weir.partition.file.RowBatch;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of a table as points that were written: each with all its fields, and the seq of its last change. By series and time, so seqs neither rise nor
 * follow one another. Valid until the next are read; one thread.
 */
public final class SurvivingRows implements ChangeBatch {
    private final int partition;
    private final RowBatch rows;
    private final CommitTimes commits;
    private final long firstRow;
    private final List<FieldColumn> fields;
    private final int[] runOf;

    SurvivingRows(int partition, RowBatch rows, CommitTimes commits, long firstRow) {
        this.partition = partition;
        this.rows = rows;
        this.commits = commits;
        this.firstRow = firstRow;
        List<FieldColumn> columns = new ArrayList<>();
        for (int i = 0; i < rows.fieldColumns().size(); i++) {
            columns.add(new VectorColumn(rows.fieldColumns().get(i), rows.field(i)));
        }
        this.fields = List.copyOf(columns);
        this.runOf = new int[rows.rows()];
        for (int run = 0; run < rows.runs(); run++) {
            Arrays.fill(runOf, rows.runStart(run), rows.runEnd(run), run);
        }
    }

    /** The place of the first of them among the rows of the day. */
    public long firstRow() {
        return firstRow;
    }

    @Override
    public int partition() {
        return partition;
    }

    /** Of the first row; no other row's follows from it. */
    @Override
    public long firstSeq() {
        return seq(0);
    }

    @Override
    public long seq(int row) {
        return rows.seqs()[row];
    }

    @Override
    public int count() {
        return rows.rows();
    }

    @Override
    public long committedAtNanos() {
        return committedAtNanos(0);
    }

    @Override
    public long committedAtNanos(int row) {
        return commits.of(seq(row));
    }

    @Override
    public EventType type() {
        return EventType.POINT_WRITTEN;
    }

    @Override
    public String tenant() {
        return schema().tenant();
    }

    @Override
    public String measurement() {
        return schema().name();
    }

    @Override
    public int schemaVersion() {
        return schema().version();
    }

    @Override
    public TableSchema schema() {
        return rows.schema();
    }

    @Override
    public Operation operation(int row) {
        return Operation.INSERT;
    }

    @Override
    public long timestampNanos(int row) {
        return rows.times()[row];
    }

    @Override
    public int series(int row) {
        return runOf[row];
    }

    @Override
    public int seriesCount() {
        return rows.runs();
    }

    @Override
    public List<Tag> seriesTags(int series) {
        byte[] tags = rows.runTags(series);
        return CanonicalTags.decode(tags, 0, tags.length);
    }

    @Override
    public long seriesHash(int series) {
        return rows.runHash(series);
    }

    @Override
    public List<FieldColumn> fields() {
        return fields;
    }

    @Override
    public String detailJson() {
        return "{}";
    }

    private record VectorColumn(Column column, FieldVector values) implements FieldColumn {
        @Override
        public int columnId() {
            return column.id();
        }

        @Override
        public String name() {
            return column.name();
        }

        @Override
        public FieldType type() {
            return column.type();
        }

        @Override
        public boolean present(int row) {
            return !values.isNull(row);
        }

        @Override
        public double doubleAt(int row) {
            return values.getDouble(row);
        }

        @Override
        public long longAt(int row) {
            return values.getLong(row);
        }

        @Override
        public boolean boolAt(int row) {
            return values.getLong(row) != 0;
        }

        @Override
        public String stringAt(int row) {
            return new String(values.text(), values.textFrom(row), values.textLength(row), StandardCharsets.UTF_8);
        }
    }
}
