package dev.weir.cdc;

import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.EventType;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Turns a sequence of change events into Arrow record batches of the columns of {@link CdcLayout}, a row an event, in the order given.
 *
 * <pre>
 * try (CdcBatchConverter converter = new CdcBatchConverter(allocator, CdcLayout.FULL)) {
 *     VectorSchemaRoot batch = converter.convert(events);   // valid until the next call
 * }
 * </pre>
 *
 * Times are ns since 1970 (UTC). {@code tags_json} and {@code fields_json} are the texts that a Server-Sent Event of the change has: integers exact
 * (uint64 too), real numbers with a fraction or an exponent, {@code -0.0} kept.
 *
 * <p>Threading: one thread at a time. Memory is the allocator's, and given back by {@link #close}. After an exception the batch begun is worth
 * nothing: {@link #clear} it.
 */
public final class CdcBatchConverter implements AutoCloseable {
    /** A batch that holds more takes no more events; offsets of texts have 31 bits, and vectors grow by doubling. */
    public static final long BYTES_MAX = 1L << 29;

    private static final int ROWS_FIRST = 64;
    private static final int FIXED_BYTES = 4 * Long.BYTES + 4 * Integer.BYTES;

    private final VectorSchemaRoot root;
    private final UInt8Vector seq;
    private final VarCharVector eventType;
    private final VarCharVector measurement;
    private final BigIntVector eventTimestamp;
    private final VarCharVector tagsJson;
    private final VarCharVector fieldsJson;
    private final UInt8Vector seriesHash;
    private final @Nullable More more;
    private final JsonBytes fields = new JsonBytes(512);
    private int rows;
    private long bytes;

    /** The columns after the seven. */
    private record More(
            UInt4Vector partition,
            VarCharVector operation,
            UInt4Vector schemaVersion,
            BigIntVector committedAt,
            VarCharVector detailJson) {}

    public CdcBatchConverter(BufferAllocator allocator, CdcLayout layout) {
        this(allocator, layout, ROWS_FIRST);
    }

    /** @param rowsExpected room is made for so many first */
    CdcBatchConverter(BufferAllocator allocator, CdcLayout layout, int rowsExpected) {
        this.root = VectorSchemaRoot.create(layout.schema(), allocator);
        root.getFieldVectors().forEach(vector -> vector.setInitialCapacity(Math.max(1, rowsExpected)));
        this.seq = vector("seq", UInt8Vector.class);
        this.eventType = vector("event_type", VarCharVector.class);
        this.measurement = vector("measurement", VarCharVector.class);
        this.eventTimestamp = vector("event_timestamp", BigIntVector.class);
        this.tagsJson = vector("tags_json", VarCharVector.class);
        this.fieldsJson = vector("fields_json", VarCharVector.class);
        this.seriesHash = vector("series_hash", UInt8Vector.class);
        this.more = layout == CdcLayout.FIXED
                ? null
                : new More(
                        vector("partition", UInt4Vector.class),
                        vector("operation", VarCharVector.class),
                        vector("schema_version", UInt4Vector.class),
                        vector("committed_at", BigIntVector.class),
                        vector("detail_json", VarCharVector.class));
    }

    public Schema schema() {
        return root.getSchema();
    }

    /**
     * All these events, and no others, as a batch.
     *
     * @return this converter's, valid until its next call
     * @throws IllegalArgumentException a field's value is of no type of {@link ChangeEvent#fields}, or a real number that is not finite: JSON has no such
     *     number, and no such value is ever stored
     * @throws IllegalStateException the events have more than {@link #BYTES_MAX}
     */
    public VectorSchemaRoot convert(Iterable<ChangeEvent> events) {
        clear();
        events.forEach(this::add);
        return batch();
    }

    /** One more row. Throws as {@link #convert} does. */
    public void add(ChangeEvent event) {
        add(new SingleEvent(event));
    }

    void add(EventRow row) {
        if (bytes > BYTES_MAX) {
            throw new IllegalStateException(
                    "the batch has " + bytes + " bytes, expected at most " + BYTES_MAX + ": clear() it first");
        }
        boolean isWrite = row.type() == EventType.POINT_WRITTEN;
        fields.clear();
        if (isWrite) {
            row.fields(fields);
        } else {
            fields.put(TagsJson.NONE);
        }
        seq.setSafe(rows, row.seq());
        text(eventType, EventRow.TYPES.get(row.type()));
        text(measurement, row.measurement());
        eventTimestamp.setSafe(rows, isWrite ? row.timestampNanos() : 0);
        text(tagsJson, row.tags());
        fieldsJson.setSafe(rows, fields.array(), 0, fields.length());
        seriesHash.setSafe(rows, row.type() == EventType.SERIES_DELETED ? row.seriesHash() : 0);
        bytes += FIXED_BYTES + fields.length();
        if (more != null) {
            more.partition.setSafe(rows, row.partition());
            text(more.operation, EventRow.OPERATIONS.get(row.operation()));
            more.schemaVersion.setSafe(rows, row.schemaVersion());
            more.committedAt.setSafe(rows, row.committedAtNanos());
            text(more.detailJson, row.detail());
        }
        rows++;
    }

    /** The rows added since the last {@link #clear}, as {@link #convert} gives them. */
    public VectorSchemaRoot batch() {
        root.setRowCount(rows);
        return root;
    }

    public int rowCount() {
        return rows;
    }

    /** About what the rows take, uncompressed. */
    public long byteCount() {
        return bytes;
    }

    /** Forgets all rows; memory is kept for the next. */
    public void clear() {
        root.getFieldVectors().forEach(FieldVector::reset);
        root.setRowCount(0);
        rows = 0;
        bytes = 0;
    }

    @Override
    public void close() {
        root.close();
    }

    private void text(VarCharVector column, byte @Nullable [] text) {
        byte[] known = Objects.requireNonNull(text);
        column.setSafe(rows, known, 0, known.length);
        bytes += known.length + Integer.BYTES;
    }

    private <V extends FieldVector> V vector(String name, Class<V> type) {
        return type.cast(root.getVector(name));
    }
}
