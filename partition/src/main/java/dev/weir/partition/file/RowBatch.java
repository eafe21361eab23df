package dev.weir.partition.file;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import java.util.Arrays;
import java.util.List;

/**
 * Some rows in file order, by column; filled, read and filled again by one thread.
 *
 * <p>Rows stand in runs of one series: run {@code i} has rows {@code runStart(i)} to {@code runEnd(i)} - 1. Fields are those of the schema,
 * in its order; a value that was not set is null.
 */
public final class RowBatch {
    /** Rows that {@link #full} allows, where nobody says otherwise. */
    public static final int ROWS = 4096;

    private static final int TEXT_BYTES_MAX = 4 << 20;

    private final TableSchema schema;
    private final List<Column> fieldColumns;
    private final FieldVector[] fields;
    private final FieldVector[] texts;
    private final long[] times;
    private final long[] seqs;
    private byte[][] runTags = new byte[16][];
    private long[] runHashes = new long[16];
    private int[] runEnds = new int[16];
    private int runs;
    private int rows;

    public RowBatch(TableSchema schema) {
        this(schema, ROWS);
    }

    /** @param capacity rows at most, at least 1 */
    public RowBatch(TableSchema schema, int capacity) {
        this.schema = schema;
        this.fieldColumns = schema.columns().stream()
                .filter(column -> column.role() == ColumnRole.FIELD)
                .toList();
        this.fields = fieldColumns.stream()
                .map(column -> new FieldVector(column.type(), capacity))
                .toArray(FieldVector[]::new);
        this.texts = Arrays.stream(fields)
                .filter(field -> field.type() == FieldType.STRING)
                .toArray(FieldVector[]::new);
        this.times = new long[capacity];
        this.seqs = new long[capacity];
    }

    public TableSchema schema() {
        return schema;
    }

    /** The schema's fields, by the index that {@link #field} takes. */
    public List<Column> fieldColumns() {
        return fieldColumns;
    }

    /** Values of a field: at rows below {@link #rows}. */
    public FieldVector field(int index) {
        return fields[index];
    }

    public int rows() {
        return rows;
    }

    /** Time of each row in ns since 1970. */
    public long[] times() {
        return times;
    }

    /** Seq of each row: of the last event that wrote to it. */
    public long[] seqs() {
        return seqs;
    }

    public int runs() {
        return runs;
    }

    public int runStart(int run) {
        return run == 0 ? 0 : runEnds[run - 1];
    }

    public int runEnd(int run) {
        return runEnds[run];
    }

    /** The series' {@link dev.weir.partition.entry.CanonicalTags}; shared, read only. */
    public byte[] runTags(int run) {
        return runTags[run];
    }

    /** {@link dev.weir.partition.model.SeriesHash} of the series. */
    public long runHash(int run) {
        return runHashes[run];
    }

    /** Whether the batch should be handed on before the next row. */
    public boolean full() {
        return rows == times.length || textBytes() >= TEXT_BYTES_MAX;
    }

    int capacity() {
        return times.length;
    }

    public void clear() {
        for (FieldVector field : fields) {
            field.clear(rows);
        }
        Arrays.fill(runTags, 0, runs, null);
        runs = 0;
        rows = 0;
    }

    /**
     * The series of the rows that follow.
     *
     * @param canonicalTags kept, so it must not change
     */
    public void series(byte[] canonicalTags, long hash) {
        if (runs > 0 && runStart(runs - 1) == rows) {
            runs--;
        } else if (runs > 0 && Arrays.equals(runTags[runs - 1], canonicalTags)) {
            return;
        }
        if (runs == runEnds.length) {
            runTags = Arrays.copyOf(runTags, 2 * runs);
            runHashes = Arrays.copyOf(runHashes, 2 * runs);
            runEnds = Arrays.copyOf(runEnds, 2 * runs);
        }
        runTags[runs] = canonicalTags;
        runHashes[runs] = hash;
        runEnds[runs] = rows;
        runs++;
    }

    /**
     * Adds a row without fields to the current series; then set its fields at the index that this returns.
     *
     * @throws IndexOutOfBoundsException the batch is {@link #full}, or has no series yet
     */
    public int add(long timeNanos, long seq) {
        times[rows] = timeNanos;
        seqs[rows] = seq;
        runEnds[runs - 1] = rows + 1;
        return rows++;
    }

    private int textBytes() {
        int bytes = 0;
        for (FieldVector field : texts) {
            bytes += field.textBytes();
        }
        return bytes;
    }
}
