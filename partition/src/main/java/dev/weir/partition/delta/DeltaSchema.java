package dev.weir.partition.delta;

import dev.weir.partition.file.ColumnNames;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import io.delta.kernel.internal.util.ColumnMapping;
import io.delta.kernel.types.BooleanType;
import io.delta.kernel.types.DataType;
import io.delta.kernel.types.DateType;
import io.delta.kernel.types.DecimalType;
import io.delta.kernel.types.DoubleType;
import io.delta.kernel.types.FieldMetadata;
import io.delta.kernel.types.IntegerType;
import io.delta.kernel.types.LongType;
import io.delta.kernel.types.StringType;
import io.delta.kernel.types.StructField;
import io.delta.kernel.types.StructType;
import io.delta.kernel.types.TimestampType;
import java.util.Map;
import java.util.Objects;

/**
 * A table's schema as Delta has it, by column mapping of mode {@code id}: readers find columns by the field ids of the data files, so a name that was
 * dropped and added again never shows old values.
 *
 * <p>Names are those of the data files. The physical name, by which readers look where a file lacks the id, is {@code __c<id>}: no file has it for another
 * column.
 */
final class DeltaSchema {
    /** The day, from the names of folders. */
    static final String DATE = "date";

    static final int ID_MAX = ColumnNames.DATE_ID;

    /** Unsigned whole numbers of 64 bits: Delta has none. */
    private static final DecimalType UINT64 = new DecimalType(20, 0);

    private DeltaSchema() {}

    static StructType of(TableSchema table) {
        Map<Integer, String> names = ColumnNames.of(table);
        StructType schema = new StructType().add(own(ColumnNames.TIME, TimestampType.TIMESTAMP, ColumnNames.TIME_ID));
        for (ColumnRole role : new ColumnRole[] {ColumnRole.TAG, ColumnRole.FIELD}) {
            for (Column column : table.columns()) {
                if (column.role() == role) {
                    schema = schema.add(field(
                            Objects.requireNonNull(names.get(column.id())),
                            type(column),
                            column.id(),
                            physical(column.id())));
                }
            }
        }
        return schema.add(own(ColumnNames.TIME_NS, IntegerType.INTEGER, ColumnNames.TIME_NS_ID))
                .add(own(ColumnNames.SEQ, LongType.LONG, ColumnNames.SEQ_ID))
                .add(own(DATE, DateType.DATE, ColumnNames.DATE_ID));
    }

    /** What a column is called where a file's field ids are not looked at, and in statistics. */
    static String physical(int columnId) {
        return "__c" + columnId;
    }

    static DataType type(Column column) {
        FieldType type = column.role() == ColumnRole.TAG ? FieldType.STRING : column.type();
        return switch (type) {
            case FLOAT64 -> DoubleType.DOUBLE;
            case INT64 -> LongType.LONG;
            case UINT64 -> UINT64;
            case BOOL -> BooleanType.BOOLEAN;
            case STRING -> StringType.STRING;
        };
    }

    private static StructField own(String name, DataType type, int id) {
        return field(name, type, id, name);
    }

    private static StructField field(String name, DataType type, int id, String physical) {
        return new StructField(
                name,
                type,
                true,
                FieldMetadata.builder()
                        .putLong(ColumnMapping.COLUMN_MAPPING_ID_KEY, id)
                        .putString(ColumnMapping.COLUMN_MAPPING_PHYSICAL_NAME_KEY, physical)
                        .build());
    }
}
