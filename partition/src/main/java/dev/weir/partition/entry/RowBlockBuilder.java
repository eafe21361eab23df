package dev.weir.partition.entry;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Gathers rows of one table and encodes them as a {@link RowBlock}. Reusable after {@link #reset}; allocates nothing per row or field once it
 * has grown. Not thread-safe.
 *
 * <pre>
 * ref = series(tags, from, length, hash);  beginRow(ref, time);  putDouble(column, v); …  endRow();
 * </pre>
 */
public final class RowBlockBuilder {
    private final String tenant;
    private final TableSchema schema;
    private final byte[] schemaBytes;
    private final SeriesTable series = new SeriesTable();
    private final @Nullable ColumnBuffer[] columnById;
    private final ColumnBuffer[] columns;
    private final Scratch scratch = new Scratch();
    private final ByteWriter out = new ByteWriter(16 << 10);
    private int[] seriesOfRow = new int[64];
    private long[] timestamps = new long[64];
    private int rows;
    private boolean inRow;
    private int valueBytes;

    public RowBlockBuilder(String tenant, TableSchema schema) {
        this.tenant = tenant;
        this.schema = schema;
        this.schemaBytes = SchemaCodec.encode(schema);
        this.columns = schema.columns().stream()
                .filter(column -> column.role() == ColumnRole.FIELD)
                .sorted((a, b) -> Integer.compare(a.id(), b.id()))
                .map(column -> new ColumnBuffer(column.id(), column.type()))
                .toArray(ColumnBuffer[]::new);
        this.columnById = new @Nullable
                ColumnBuffer
                [schema.columns().stream().mapToInt(Column::id).max().orElse(-1) + 1];
        for (ColumnBuffer column : columns) {
            columnById[column.columnId] = column;
        }
    }

    public TableSchema schema() {
        return schema;
    }

    /**
     * The series' number within this block.
     *
     * @param canonicalTags holds the series' {@link CanonicalTags} from {@code from} on; copied where new
     */
    public int series(byte[] canonicalTags, int from, int length, long seriesHash) {
        return series.add(canonicalTags, from, length, seriesHash);
    }

    public int series(SeriesKey key) {
        byte[] tags = CanonicalTags.encode(key.tags());
        return series.add(tags, 0, tags.length, key.hash());
    }

    /** @throws IllegalStateException the block holds {@link BlockLimits#ROWS_MAX} rows */
    public void beginRow(int seriesRef, long timestampNanos) {
        if (inRow || rows == BlockLimits.ROWS_MAX) {
            throw new IllegalStateException(
                    inRow ? "row " + rows + " was not ended" : "block is full: " + BlockLimits.ROWS_MAX + " rows");
        }
        if (seriesRef < 0 || seriesRef >= series.count()) {
            throw new IllegalArgumentException("series " + seriesRef + ", expected 0 to " + (series.count() - 1));
        }
        if (rows == timestamps.length) {
            timestamps = Arrays.copyOf(timestamps, rows * 2);
            seriesOfRow = Arrays.copyOf(seriesOfRow, rows * 2);
        }
        timestamps[rows] = timestampNanos;
        seriesOfRow[rows] = seriesRef;
        inRow = true;
    }

    /** Of a FLOAT64 column. A second value for the same column of a row replaces the first; so with the other puts. */
    public void putDouble(int columnId, double value) {
        column(columnId, FieldType.FLOAT64).put(rows, Double.doubleToRawLongBits(value));
        valueBytes += 8;
    }

    /** Of an INT64 column, or the bits of a UINT64 column. */
    public void putLong(int columnId, long value) {
        column(columnId, FieldType.INT64).put(rows, value);
        valueBytes += 8;
    }

    public void putBool(int columnId, boolean value) {
        column(columnId, FieldType.BOOL).put(rows, value ? 1 : 0);
        valueBytes += 1;
    }

    public void putString(int columnId, byte[] utf8, int from, int length) {
        column(columnId, FieldType.STRING).putText(rows, utf8, from, length);
        valueBytes += 4 + length;
    }

    public void endRow() {
        if (!inRow) {
            throw new IllegalStateException("no row was begun");
        }
        inRow = false;
        rows++;
    }

    /** Takes back the row that was begun and not ended. */
    public void cancelRow() {
        if (inRow) {
            for (ColumnBuffer column : columns) {
                column.cancel(rows);
            }
            inRow = false;
        }
    }

    /** Rows ended. */
    public int rowCount() {
        return rows;
    }

    /** An upper guess of the block's bytes, before compression. */
    public int estimatedBytes() {
        return 64 + schemaBytes.length + series.tagBytes() + 12 * series.count() + 12 * rows + valueBytes;
    }

    /**
     * Encodes the rows ended so far, at least one. The builder keeps them until {@link #reset}; series that no row uses are left out, so refs
     * handed out before are void.
     */
    public RowBlock build() {
        if (inRow || rows == 0) {
            throw new IllegalStateException(inRow ? "row " + rows + " was not ended" : "a block needs a row");
        }
        series.dropUnused(seriesOfRow, rows);
        out.reset();
        WireBlock.writeHead(out, tenant, schema, schemaBytes, rows, series);
        BlockRows.write(out, seriesOfRow, timestamps, rows, series.count(), scratch);
        writeColumns();
        WireBlock.writeChecksum(out);
        return new RowBlock(tenant, schema.tableId(), schema.version(), rows, out.toBuffer());
    }

    /** Forgets all rows and series. */
    public void reset() {
        series.reset();
        for (ColumnBuffer column : columns) {
            column.reset();
        }
        rows = 0;
        inRow = false;
        valueBytes = 0;
    }

    private void writeColumns() {
        int used = 0;
        for (ColumnBuffer column : columns) {
            used += column.isEmpty() ? 0 : 1;
        }
        out.varint(used);
        for (ColumnBuffer column : columns) {
            if (!column.isEmpty()) {
                out.varint(column.columnId);
                out.u8(column.type.code());
                int length = out.beginVarintLength();
                column.encode(out, rows, scratch);
                out.endVarintLength(length);
            }
        }
    }

    private ColumnBuffer column(int columnId, FieldType put) {
        ColumnBuffer column = columnId >= 0 && columnId < columnById.length ? columnById[columnId] : null;
        if (column == null) {
            throw new IllegalArgumentException("column " + columnId + " is no field of " + schema);
        }
        if (column.type != put && !(column.type == FieldType.UINT64 && put == FieldType.INT64)) {
            throw new IllegalArgumentException(
                    "column " + columnId + " of " + schema + " is " + column.type + ", a value of " + put + " was put");
        }
        if (!inRow) {
            throw new IllegalStateException("no row was begun");
        }
        return column;
    }
}
