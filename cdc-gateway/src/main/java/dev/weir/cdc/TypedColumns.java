package dev.weir.cdc;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The columns of {@code layout=typed}: those of one version of one table's schema. Names, types and order are a contract.
 *
 * <pre>
 * seq              UInt64
 * event_type       Utf8, dictionary
 * measurement      Utf8, dictionary
 * event_timestamp  Int64   ns since 1970; 0 where not a write
 * series_hash      UInt64  0 but on series_deleted
 * partition        UInt32
 * operation        Utf8, dictionary
 * schema_version   UInt32
 * committed_at     Int64   ns since 1970
 * detail_json      Utf8, dictionary
 * tag.&lt;key&gt;        Utf8, dictionary; null where the series has no such tag, or no series is meant
 * field.&lt;name&gt;     Float64, Int64, UInt64, Bool or Utf8; null where the row does not write it
 * </pre>
 */
final class TypedColumns {
    static final ArrowType.Int INDEX = new ArrowType.Int(32, true);
    static final List<String> TEXTS = List.of("event_type", "measurement", "operation", "detail_json");

    private TypedColumns() {}

    /** @param table empty: the columns that all tables have */
    static Schema schema(Optional<TableSchema> table) {
        List<Field> fields = new ArrayList<>();
        fields.add(number("seq", 64, false));
        fields.add(text("event_type", 0));
        fields.add(text("measurement", 1));
        fields.add(number("event_timestamp", 64, true));
        fields.add(number("series_hash", 64, false));
        fields.add(number("partition", 32, false));
        fields.add(text("operation", 2));
        fields.add(number("schema_version", 32, false));
        fields.add(number("committed_at", 64, true));
        fields.add(text("detail_json", 3));
        Map<String, String> metadata = new TreeMap<>(Map.of("weir.layout", "typed"));
        table.ifPresent(known -> {
            metadata.put("weir.measurement", known.name());
            metadata.put("weir.schema_version", Integer.toString(known.version()));
            List<Column> tags = of(known, ColumnRole.TAG);
            for (int i = 0; i < tags.size(); i++) {
                fields.add(tag(tags.get(i), firstTag() + i));
            }
            of(known, ColumnRole.FIELD)
                    .forEach(field ->
                            fields.add(new Field("field." + field.name(), FieldType.nullable(type(field)), null)));
        });
        return new Schema(fields, metadata);
    }

    /** The dictionary's id of the first tag; those of the others follow. */
    static long firstTag() {
        return TEXTS.size();
    }

    static List<Column> of(TableSchema table, ColumnRole role) {
        return table.columns().stream().filter(column -> column.role() == role).toList();
    }

    private static Field number(String name, int bits, boolean signed) {
        return new Field(name, FieldType.notNullable(new ArrowType.Int(bits, signed)), null);
    }

    private static Field text(String name, long dictionary) {
        return new Field(name, new FieldType(false, ArrowType.Utf8.INSTANCE, dictionary(dictionary)), null);
    }

    private static Field tag(Column column, long dictionary) {
        return new Field(
                "tag." + column.name(), new FieldType(true, ArrowType.Utf8.INSTANCE, dictionary(dictionary)), null);
    }

    private static DictionaryEncoding dictionary(long id) {
        return new DictionaryEncoding(id, false, INDEX);
    }

    static ArrowType type(Column column) {
        return switch (column.type()) {
            case FLOAT64 -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
            case INT64 -> new ArrowType.Int(64, true);
            case UINT64 -> new ArrowType.Int(64, false);
            case BOOL -> ArrowType.Bool.INSTANCE;
            case STRING -> ArrowType.Utf8.INSTANCE;
        };
    }
}
