package dev.weir.partition.file;

import static org.apache.parquet.schema.LogicalTypeAnnotation.intType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.stringType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.timestampType;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;

/**
 * The columns of a data file, in this order:
 *
 * <pre>
 * time           int64 timestamp(micros, UTC)   floor(ns / 1000)                     required
 * tags           binary string                  null: the series lacks the tag       by column id
 * fields         double, int64, int64 uint(64), boolean, binary string               by column id
 * _time_ns       int32                          ns - 1000 * time, 0 to 999           required
 * _seq           int64                                                               required
 * _series_hash   int64 uint(64)                                                      required
 * </pre>
 *
 * <p>The field id of a table's column is its column id; ours have ids from {@link ColumnNames#OWN_IDS} on, beyond all column ids.
 */
final class FileSchema {
    private final List<Column> tags;
    private final List<Column> fields;
    private final MessageType message;
    private final Map<Integer, String> names;

    FileSchema(TableSchema schema) {
        this.names = ColumnNames.of(schema);
        this.tags = of(schema, ColumnRole.TAG);
        this.fields = of(schema, ColumnRole.FIELD);
        Types.MessageTypeBuilder builder = Types.buildMessage();
        builder.addField(own(PrimitiveTypeName.INT64, ColumnNames.TIME, ColumnNames.TIME_ID)
                .withLogicalTypeAnnotation(timestampType(true, TimeUnit.MICROS)));
        tags.forEach(tag -> builder.addField(typeOf(tag, FieldType.STRING)));
        fields.forEach(field -> builder.addField(typeOf(field, field.type())));
        builder.addField(own(PrimitiveTypeName.INT32, ColumnNames.TIME_NS, ColumnNames.TIME_NS_ID));
        builder.addField(own(PrimitiveTypeName.INT64, ColumnNames.SEQ, ColumnNames.SEQ_ID));
        builder.addField(own(PrimitiveTypeName.INT64, ColumnNames.SERIES_HASH, ColumnNames.SERIES_HASH_ID)
                .withLogicalTypeAnnotation(intType(64, false)));
        this.message = builder.named("weir");
    }

    List<Column> tags() {
        return tags;
    }

    List<Column> fields() {
        return fields;
    }

    MessageType message() {
        return message;
    }

    /** What a column of the table is called in the file. */
    String nameOf(Column column) {
        return java.util.Objects.requireNonNull(names.get(column.id()), column.name());
    }

    ColumnDescriptor descriptor(String name) {
        return message.getColumnDescription(new String[] {name});
    }

    private Type typeOf(Column column, FieldType type) {
        PrimitiveType plain = new PrimitiveType(Repetition.OPTIONAL, primitive(type), nameOf(column));
        PrimitiveType typed = switch (type) {
            case STRING -> plain.withLogicalTypeAnnotation(stringType());
            case UINT64 -> plain.withLogicalTypeAnnotation(intType(64, false));
            case FLOAT64, INT64, BOOL -> plain;
        };
        return typed.withId(column.id());
    }

    private static PrimitiveType own(PrimitiveTypeName type, String name, int id) {
        return new PrimitiveType(Repetition.REQUIRED, type, name).withId(id);
    }

    private static PrimitiveTypeName primitive(FieldType type) {
        return switch (type) {
            case FLOAT64 -> PrimitiveTypeName.DOUBLE;
            case INT64, UINT64 -> PrimitiveTypeName.INT64;
            case BOOL -> PrimitiveTypeName.BOOLEAN;
            case STRING -> PrimitiveTypeName.BINARY;
        };
    }

    private static List<Column> of(TableSchema schema, ColumnRole role) {
        return schema.columns().stream().filter(column -> column.role() == role).toList();
    }
}
