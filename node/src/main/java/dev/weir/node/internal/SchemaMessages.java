package dev.weir.node.internal;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import java.util.ArrayList;
import java.util.List;

/** A table's schema within messages between nodes. */
final class SchemaMessages {
    private SchemaMessages() {}

    static void write(WireWriter out, TableSchema schema) {
        out.putInt(schema.tableId())
                .putText(schema.tenant())
                .putText(schema.name())
                .putInt(schema.version())
                .putBool(schema.strict())
                .putInt(schema.columns().size());
        for (Column column : schema.columns()) {
            out.putInt(column.id())
                    .putText(column.name())
                    .putBool(column.role() == ColumnRole.TAG)
                    .putByte(column.type().code())
                    .putBool(column.beyondDouble());
        }
    }

    static TableSchema read(WireReader in) {
        int tableId = in.readInt();
        String tenant = in.readText();
        String name = in.readText();
        int version = in.readInt();
        boolean strict = in.readBool();
        int count = in.readCount(11);
        List<Column> columns = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            columns.add(new Column(
                    in.readInt(),
                    in.readText(),
                    in.readBool() ? ColumnRole.TAG : ColumnRole.FIELD,
                    FieldType.ofCode(in.readByte()),
                    in.readBool()));
        }
        return new TableSchema(tableId, tenant, name, version, strict, columns);
    }
}
