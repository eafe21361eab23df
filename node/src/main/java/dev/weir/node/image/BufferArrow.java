package dev.weir.node.image;

import dev.weir.partition.entry.CanonicalTags;
import dev.weir.partition.file.FieldVector;
import dev.weir.partition.file.RowBatch;
import dev.weir.partition.file.RowSource;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.Tag;
import dev.weir.query.sql.image.FileImage.SourceColumn;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TimeStampNanoVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Writes buffered rows as an Arrow IPC stream: {@code time} (Timestamp NANOSECOND), {@code _seq} (Int 64), {@code _series_hash} (Int 64 unsigned),
 * then each wanted column as {@code c<id>}. Used by one thread.
 */
final class BufferArrow {
    private static final String PREFIX = "c";

    private final List<Column> columns;
    private final VectorSchemaRoot root;

    private BufferArrow(List<Column> columns, VectorSchemaRoot root) {
        this.columns = columns;
        this.root = root;
    }

    /**
     * @param columns of the rows' schema, those that are wanted
     * @param bytesMax {@code sql.buffer-bytes-max}: of the stream
     * @throws RefusedException it has more
     */
    static byte[] write(BufferAllocator allocator, RowSource rows, List<Column> columns, long bytesMax)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (VectorSchemaRoot root = VectorSchemaRoot.create(schema(columns), allocator);
                ArrowStreamWriter writer = new ArrowStreamWriter(root, null, out)) {
            BufferArrow filling = new BufferArrow(columns, root);
            writer.start();
            for (RowBatch batch = rows.next(); batch != null; batch = rows.next()) {
                filling.fill(batch);
                writer.writeBatch();
                if (out.size() > bytesMax) {
                    throw new RefusedException(Refusal.of(
                            ErrorCode.TOO_LARGE,
                            "table " + rows.schema().name() + ": its rows that are in no file yet take more than "
                                    + bytesMax + " bytes in one partition (sql.buffer-bytes-max)"));
                }
            }
            writer.end();
        }
        return out.toByteArray();
    }

    /** What the stream says of the columns in it, by id: a field may be narrower there than in the newest schema. */
    static Map<Integer, SourceColumn> columns(byte[] stream) {
        try (ReadChannel in = new ReadChannel(Channels.newChannel(new ByteArrayInputStream(stream)))) {
            Map<Integer, SourceColumn> columns = new HashMap<>();
            for (Field field : MessageSerializer.deserializeSchema(in).getFields()) {
                if (field.getName().startsWith(PREFIX)) {
                    int id = Integer.parseInt(field.getName().substring(PREFIX.length()));
                    columns.put(id, new SourceColumn(field.getName(), type(field.getType())));
                }
            }
            return columns;
        } catch (IOException e) {
            throw new IllegalArgumentException("buffered rows: expected an Arrow stream: " + e.getMessage(), e);
        }
    }

    static String name(Column column) {
        return PREFIX + column.id();
    }

    private static Schema schema(List<Column> columns) {
        List<Field> fields = new ArrayList<>();
        fields.add(field("time", new ArrowType.Timestamp(TimeUnit.NANOSECOND, null)));
        fields.add(field("_seq", new ArrowType.Int(64, true)));
        fields.add(field("_series_hash", new ArrowType.Int(64, false)));
        for (Column column : columns) {
            fields.add(field(name(column), type(column)));
        }
        return new Schema(fields);
    }

    private static Field field(String name, ArrowType type) {
        return new Field(name, FieldType.nullable(type), null);
    }

    private static ArrowType type(Column column) {
        return switch (column.type()) {
            case FLOAT64 -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
            case INT64 -> new ArrowType.Int(64, true);
            case UINT64 -> new ArrowType.Int(64, false);
            case BOOL -> ArrowType.Bool.INSTANCE;
            case STRING -> ArrowType.Utf8.INSTANCE;
        };
    }

    private static dev.weir.partition.model.FieldType type(ArrowType type) {
        return switch (type) {
            case ArrowType.FloatingPoint real -> dev.weir.partition.model.FieldType.FLOAT64;
            case ArrowType.Int integer ->
                integer.getIsSigned()
                        ? dev.weir.partition.model.FieldType.INT64
                        : dev.weir.partition.model.FieldType.UINT64;
            case ArrowType.Bool bool -> dev.weir.partition.model.FieldType.BOOL;
            case ArrowType.Utf8 text -> dev.weir.partition.model.FieldType.STRING;
            default -> throw new IllegalArgumentException("buffered rows: no column is of the type " + type);
        };
    }

    private void fill(RowBatch batch) {
        root.clear();
        TimeStampNanoVector times = (TimeStampNanoVector) root.getVector(0);
        BigIntVector seqs = (BigIntVector) root.getVector(1);
        UInt8Vector hashes = (UInt8Vector) root.getVector(2);
        for (int run = 0; run < batch.runs(); run++) {
            for (int row = batch.runStart(run); row < batch.runEnd(run); row++) {
                times.setSafe(row, batch.times()[row]);
                seqs.setSafe(row, batch.seqs()[row]);
                hashes.setSafe(row, batch.runHash(run));
            }
        }
        List<List<Tag>> tags = tagsOfRuns(batch);
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            if (column.role() == ColumnRole.TAG) {
                fillTag(batch, tags, column.name(), (VarCharVector) root.getVector(3 + i));
            } else {
                fillField(batch, batch.field(batch.fieldColumns().indexOf(column)), root.getVector(3 + i));
            }
        }
        root.setRowCount(batch.rows());
    }

    /** Decoded once, however many tags are wanted: rows as written change the series with nearly every row. */
    private static List<List<Tag>> tagsOfRuns(RowBatch batch) {
        List<List<Tag>> tags = new ArrayList<>(batch.runs());
        for (int run = 0; run < batch.runs(); run++) {
            byte[] canonical = batch.runTags(run);
            tags.add(CanonicalTags.decode(canonical, 0, canonical.length));
        }
        return tags;
    }

    private static void fillTag(RowBatch batch, List<List<Tag>> tags, String key, VarCharVector to) {
        for (int run = 0; run < batch.runs(); run++) {
            byte @Nullable [] value = value(tags.get(run), key);
            for (int row = batch.runStart(run); value != null && row < batch.runEnd(run); row++) {
                to.setSafe(row, value);
            }
        }
    }

    private static byte @Nullable [] value(List<Tag> tags, String key) {
        for (Tag tag : tags) {
            if (tag.key().equals(key)) {
                return tag.value().getBytes(StandardCharsets.UTF_8);
            }
        }
        return null;
    }

    private static void fillField(RowBatch batch, FieldVector from, org.apache.arrow.vector.FieldVector to) {
        for (int row = 0; row < batch.rows(); row++) {
            if (from.isNull(row)) {
                continue;
            }
            switch (to) {
                case Float8Vector doubles -> doubles.setSafe(row, from.getDouble(row));
                case BigIntVector longs -> longs.setSafe(row, from.getLong(row));
                case UInt8Vector unsigned -> unsigned.setSafe(row, from.getLong(row));
                case BitVector bits -> bits.setSafe(row, (int) from.getLong(row));
                case VarCharVector texts -> texts.setSafe(row, from.text(), from.textFrom(row), from.textLength(row));
                default -> throw new IllegalStateException("no field is a " + to.getClass());
            }
        }
    }
}
