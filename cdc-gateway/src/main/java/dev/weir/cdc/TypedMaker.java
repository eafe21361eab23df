package dev.weir.cdc;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FieldColumn;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.jspecify.annotations.Nullable;

/** Batches of the columns of one version of one table's schema. Every batch comes with the dictionaries that it needs, so any may be the first. */
final class TypedMaker implements BatchMaker {
    private static final int FIXED_BYTES = 4 * Long.BYTES + 6 * Integer.BYTES;
    private static final int UNKNOWN = -1;
    private static final int NONE = -2;

    private final TableSchema table;
    private final IpcSchema schema;
    private final boolean zstd;
    private final BufferAllocator allocator;
    private final UInt8Vector seq;
    private final BigIntVector eventTimestamp;
    private final UInt8Vector seriesHash;
    private final UInt4Vector partition;
    private final UInt4Vector schemaVersion;
    private final BigIntVector committedAt;
    private final TextDictionary[] texts;
    private final List<Column> tagColumns;
    private final TextDictionary[] tags;
    private final Map<Integer, FieldVector> fields = new HashMap<>();
    private final List<FieldVector> fieldOrder = new ArrayList<>();
    private @Nullable ChangeBatch changes;
    /** Of the changes at hand: per series and tag the index in its dictionary. */
    private int[] seriesTags = new int[0];

    private int[] textIndices = new int[0];
    /** Every column takes its room in every row, also where the row has no value. */
    private final long rowBytes;

    private int rows;
    private long bytes;

    TypedMaker(TableSchema table, boolean zstd, int rowsExpected, BufferAllocator allocator) {
        this.table = table;
        this.schema = new IpcSchema(TypedColumns.schema(Optional.of(table)));
        this.zstd = zstd;
        this.allocator = allocator;
        this.seq = new UInt8Vector("seq", allocator);
        this.eventTimestamp = new BigIntVector("event_timestamp", allocator);
        this.seriesHash = new UInt8Vector("series_hash", allocator);
        this.partition = new UInt4Vector("partition", allocator);
        this.schemaVersion = new UInt4Vector("schema_version", allocator);
        this.committedAt = new BigIntVector("committed_at", allocator);
        List.of(seq, eventTimestamp, seriesHash, partition, schemaVersion, committedAt)
                .forEach(column -> column.setInitialCapacity(rowsExpected));
        this.texts = new TextDictionary[TypedColumns.TEXTS.size()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = new TextDictionary(TypedColumns.TEXTS.get(i), i, rowsExpected, allocator);
        }
        this.tagColumns = TypedColumns.of(table, ColumnRole.TAG);
        this.tags = new TextDictionary[tagColumns.size()];
        for (int i = 0; i < tags.length; i++) {
            tags[i] =
                    new TextDictionary(tagColumns.get(i).name(), TypedColumns.firstTag() + i, rowsExpected, allocator);
        }
        for (Column column : TypedColumns.of(table, ColumnRole.FIELD)) {
            FieldVector vector = vector(column);
            vector.setInitialCapacity(rowsExpected);
            fields.put(column.id(), vector);
            fieldOrder.add(vector);
        }
        this.rowBytes = FIXED_BYTES + (long) tags.length * Integer.BYTES + (long) fieldOrder.size() * Long.BYTES;
    }

    private FieldVector vector(Column column) {
        return switch (column.type()) {
            case FLOAT64 -> new Float8Vector(column.name(), allocator);
            case INT64 -> new BigIntVector(column.name(), allocator);
            case UINT64 -> new UInt8Vector(column.name(), allocator);
            case BOOL -> new BitVector(column.name(), allocator);
            case STRING -> new VarCharVector(column.name(), allocator);
        };
    }

    @Override
    public boolean takes(ChangeBatch next) {
        return next.schema().equals(table);
    }

    @Override
    public void begin(ChangeBatch next) {
        changes = next;
        seriesTags = new int[next.seriesCount() * tags.length];
        forgetIndices();
    }

    /** They hold in one batch. */
    private void forgetIndices() {
        Arrays.fill(seriesTags, UNKNOWN);
        textIndices = new int[0];
    }

    @Override
    public void add(BatchRows at, int row) {
        ChangeBatch from = begun();
        boolean isWrite = from.type() == EventType.POINT_WRITTEN;
        int series = from.series(row);
        seq.setSafe(rows, from.seq(row));
        eventTimestamp.setSafe(rows, isWrite ? from.timestampNanos(row) : 0);
        seriesHash.setSafe(rows, from.type() == EventType.SERIES_DELETED && series >= 0 ? from.seriesHash(series) : 0);
        partition.setSafe(rows, from.partition());
        schemaVersion.setSafe(rows, from.schemaVersion());
        committedAt.setSafe(rows, from.committedAtNanos(row));
        if (textIndices.length == 0) {
            textIndices = new int[] {
                texts[0].index(from.type().wireName()),
                texts[1].index(from.measurement()),
                0,
                texts[3].index(from.detailJson())
            };
        }
        texts[0].set(rows, textIndices[0]);
        texts[1].set(rows, textIndices[1]);
        texts[2].set(rows, texts[2].index(from.operation(row).wireName()));
        texts[3].set(rows, textIndices[3]);
        tags(from, series);
        if (isWrite) {
            fields(from, row);
        }
        bytes += rowBytes;
        rows++;
    }

    private void tags(ChangeBatch from, int series) {
        if (series < 0) {
            return;
        }
        int at = series * tags.length;
        if (tags.length > 0 && seriesTags[at] == UNKNOWN) {
            List<Tag> known = from.seriesTags(series);
            for (int i = 0; i < tags.length; i++) {
                seriesTags[at + i] = index(tags[i], tagColumns.get(i).name(), known);
            }
        }
        for (int i = 0; i < tags.length; i++) {
            if (seriesTags[at + i] != NONE) {
                tags[i].set(rows, seriesTags[at + i]);
            }
        }
    }

    private static int index(TextDictionary dictionary, String key, List<Tag> known) {
        for (Tag tag : known) {
            if (tag.key().equals(key)) {
                return dictionary.index(tag.value());
            }
        }
        return NONE;
    }

    private void fields(ChangeBatch from, int row) {
        for (FieldColumn column : from.fields()) {
            if (!column.present(row)) {
                continue;
            }
            FieldVector target = fields.get(column.columnId());
            if (target == null) {
                throw new IllegalStateException("field " + column.name() + ": expected a column of " + table);
            }
            switch (target) {
                case Float8Vector vector -> vector.setSafe(rows, real(column, row));
                case BigIntVector vector -> vector.setSafe(rows, column.longAt(row));
                case UInt8Vector vector -> vector.setSafe(rows, column.longAt(row));
                case BitVector vector -> vector.setSafe(rows, column.boolAt(row) ? 1 : 0);
                case VarCharVector vector -> {
                    byte[] text = column.stringAt(row).getBytes(StandardCharsets.UTF_8);
                    vector.setSafe(rows, text, 0, text.length);
                    bytes += text.length;
                }
                default ->
                    throw new IllegalStateException("field " + column.name() + ": found a column of "
                            + target.getClass().getSimpleName());
            }
        }
    }

    /** A column may have become wider than the value that was written. */
    private static double real(FieldColumn column, int row) {
        return switch (column.type()) {
            case FLOAT64 -> column.doubleAt(row);
            case INT64 -> column.longAt(row);
            case UINT64, BOOL, STRING ->
                throw new IllegalStateException(
                        "field " + column.name() + ": expected a number that fits a float64, found "
                                + column.type().wireName());
        };
    }

    private ChangeBatch begun() {
        if (changes == null) {
            throw new IllegalStateException("rows before begin");
        }
        return changes;
    }

    @Override
    public int rowCount() {
        return rows;
    }

    @Override
    public long byteCount() {
        long all = bytes;
        for (TextDictionary text : texts) {
            all += text.bytes();
        }
        for (TextDictionary tag : tags) {
            all += tag.bytes();
        }
        return all;
    }

    @Override
    public IpcSchema schema() {
        return schema;
    }

    @Override
    public Made make() {
        List<byte[]> dictionaries = new ArrayList<>();
        for (TextDictionary text : texts) {
            dictionaries.add(text.message(zstd));
        }
        for (TextDictionary tag : tags) {
            dictionaries.add(tag.message(zstd));
        }
        List<FieldVector> columns = columns();
        columns.forEach(column -> column.setValueCount(rows));
        Made made = new Made(dictionaries, IpcBody.of(columns, rows, zstd, allocator));
        columns.forEach(FieldVector::reset);
        for (TextDictionary text : texts) {
            text.forgetTexts();
        }
        for (TextDictionary tag : tags) {
            tag.forgetTexts();
        }
        forgetIndices();
        rows = 0;
        bytes = 0;
        return made;
    }

    private List<FieldVector> columns() {
        List<FieldVector> columns = new ArrayList<>(List.of(
                seq,
                texts[0].column(rows),
                texts[1].column(rows),
                eventTimestamp,
                seriesHash,
                partition,
                texts[2].column(rows),
                schemaVersion,
                committedAt,
                texts[3].column(rows)));
        for (TextDictionary tag : tags) {
            columns.add(tag.column(rows));
        }
        columns.addAll(fieldOrder);
        return columns;
    }

    @Override
    public void close() {
        List.of(seq, eventTimestamp, seriesHash, partition, schemaVersion, committedAt)
                .forEach(FieldVector::close);
        fieldOrder.forEach(FieldVector::close);
        for (TextDictionary text : texts) {
            text.close();
        }
        for (TextDictionary tag : tags) {
            tag.close();
        }
    }
}
