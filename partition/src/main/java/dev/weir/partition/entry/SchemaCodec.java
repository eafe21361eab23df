package dev.weir.partition.entry;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.TableSchema;
import java.util.ArrayList;
import java.util.List;

/**
 * One version of a table's schema.
 *
 * <pre>
 * varint table id, text tenant, text name, varint version, u8 strict, varint columns,
 * each column: varint id, text name, u8 role (0 tag, 1 field), u8 type, u8 beyond double
 * </pre>
 */
public final class SchemaCodec {
    private static final int COLUMN_BYTES_MIN = 5;

    private SchemaCodec() {}

    public static byte[] encode(TableSchema schema) {
        ByteWriter out = new ByteWriter(256);
        write(out, schema);
        return out.toArray();
    }

    /** @throws FormatException the bytes are no schema */
    public static TableSchema decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes, 0, bytes.length);
        TableSchema schema = read(in);
        in.expectEnd("schema");
        return schema;
    }

    static void write(ByteWriter out, TableSchema schema) {
        out.varint(schema.tableId());
        out.text(schema.tenant());
        out.text(schema.name());
        out.varint(schema.version());
        out.u8(schema.strict() ? 1 : 0);
        out.varint(schema.columns().size());
        for (Column column : schema.columns()) {
            out.varint(column.id());
            out.text(column.name());
            out.u8(column.role() == ColumnRole.TAG ? 0 : 1);
            out.u8(column.type().code());
            out.u8(column.beyondDouble() ? 1 : 0);
        }
    }

    static TableSchema read(ByteReader in) {
        int tableId = in.count(0, Integer.MAX_VALUE, "table id");
        String tenant = in.text("tenant");
        String name = in.text("table name");
        int version = in.count(0, Integer.MAX_VALUE, "schema version");
        boolean strict = flag(in, "strict");
        int columns = in.countOf(COLUMN_BYTES_MIN, "schema columns");
        List<Column> list = new ArrayList<>(columns);
        for (int i = 0; i < columns; i++) {
            int id = in.count(0, BlockLimits.COLUMN_ID_MAX, "column id");
            String columnName = in.text("column name");
            ColumnRole role = flag(in, "column role") ? ColumnRole.FIELD : ColumnRole.TAG;
            list.add(
                    new Column(id, columnName, role, ColumnBody.type(in.u8("column type")), flag(in, "beyond double")));
        }
        return new TableSchema(tableId, tenant, name, version, strict, list);
    }

    static boolean flag(ByteReader in, String what) {
        int flag = in.u8(what);
        if (flag > 1) {
            throw new FormatException(what + ": " + flag + ", expected 0 or 1");
        }
        return flag == 1;
    }
}
