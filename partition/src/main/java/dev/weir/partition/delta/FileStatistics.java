package dev.weir.partition.delta;

import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.file.ColumnBounds;
import dev.weir.partition.file.ColumnNames;
import dev.weir.partition.file.DataFileFooter;
import io.delta.kernel.expressions.Column;
import io.delta.kernel.expressions.Literal;
import io.delta.kernel.internal.util.ColumnMapping;
import io.delta.kernel.statistics.DataFileStatistics;
import io.delta.kernel.types.DataType;
import io.delta.kernel.types.DecimalType;
import io.delta.kernel.types.DoubleType;
import io.delta.kernel.types.IntegerType;
import io.delta.kernel.types.LongType;
import io.delta.kernel.types.StringType;
import io.delta.kernel.types.StructField;
import io.delta.kernel.types.StructType;
import io.delta.kernel.types.TimestampType;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** By which readers skip files: rows, nulls and bounds of a file's first columns, from its footer. Bounds that JSON can't hold exactly are left out. */
final class FileStatistics {
    /** As many as Delta looks at by default. */
    static final int COLUMNS_MAX = 32;

    /** Longer texts make no bounds: files cut them. */
    private static final int TEXT_BYTES_MAX = 63;

    private FileStatistics() {}

    /** @param schema the one of the version in which the file appears */
    static DataFileStatistics of(StoredFile file, DataFileFooter footer, StructType schema) {
        Map<Column, Literal> min = new HashMap<>();
        Map<Column, Literal> max = new HashMap<>();
        Map<Column, Long> nulls = new HashMap<>();
        schema.fields().stream().limit(COLUMNS_MAX).forEach(field -> {
            int id = ColumnMapping.getColumnId(field);
            Column column = new Column(ColumnMapping.getPhysicalName(field));
            ColumnBounds bounds = footer.bounds().get(id);
            if (bounds == null) {
                // A column that the file lacks is all null; one without statistics is not known.
                if (id < ColumnNames.TIME_ID
                        && footer.info().columns().stream()
                                .noneMatch(each -> each.column().id() == id)) {
                    nulls.put(column, file.rows());
                }
                return;
            }
            nulls.put(column, bounds.nulls());
            Literal from = literal(field.getDataType(), bounds.min());
            Literal to = literal(field.getDataType(), bounds.max());
            if (from != null && to != null) {
                min.put(column, from);
                max.put(column, to);
            }
        });
        return new DataFileStatistics(file.rows(), min, max, nulls, Optional.empty());
    }

    /** What statistics are keyed by, and typed. */
    static StructType physical(StructType schema) {
        StructType physical = new StructType();
        for (StructField field : schema.fields()) {
            physical = physical.add(ColumnMapping.getPhysicalName(field), field.getDataType());
        }
        return physical;
    }

    private static @Nullable Literal literal(DataType type, @Nullable Object value) {
        if (value instanceof Long number) {
            return ofLong(type, number);
        }
        if (value instanceof Integer number && type instanceof IntegerType) {
            return Literal.ofInt(number);
        }
        if (value instanceof Double number && type instanceof DoubleType && Double.isFinite(number)) {
            return Literal.ofDouble(number);
        }
        return value instanceof byte[] bytes && type instanceof StringType ? text(bytes) : null;
    }

    private static @Nullable Literal ofLong(DataType type, long value) {
        if (type instanceof TimestampType) {
            return Literal.ofTimestamp(value);
        }
        if (type instanceof DecimalType) {
            return Literal.ofDecimal(new BigDecimal(Long.toUnsignedString(value)), 20, 0);
        }
        return type instanceof LongType ? Literal.ofLong(value) : null;
    }

    private static @Nullable Literal text(byte[] bytes) {
        if (bytes.length > TEXT_BYTES_MAX) {
            return null;
        }
        try {
            return Literal.ofString(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException notText) {
            return null;
        }
    }
}
