package dev.weir.node.ingest.write;

import dev.weir.node.ingest.rows.Name;
import dev.weir.node.ingest.rows.Row;
import dev.weir.node.ingest.rows.RowFault;
import dev.weir.node.ingest.rows.RowReader;
import dev.weir.node.ingest.rows.SeriesHandle;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.TableSchema;
import org.jspecify.annotations.Nullable;

/** Notes what rows need of the catalog, unless it is known already that they won't get it. */
final class WishNote {
    private final SchemaView schemas;
    private final boolean last;
    private final Wishes wishes = new Wishes();
    private final Typing typing = new Typing();

    /** @param last no further reading of the body will follow: rows that still need something are to be sent again */
    WishNote(SchemaView schemas, boolean last) {
        this.schemas = schemas;
        this.last = last;
    }

    Wishes wishes() {
        return wishes;
    }

    /** Notes the wishes of a row that conflicts with nothing; or says why it can't have them. */
    @Nullable
    RowFault take(RowReader reader, @Nullable TableSchema schema) {
        Row row = reader.row();
        SeriesHandle series = row.series();
        String table = series.table().table();
        RowFault limited = limited(reader, row, schema, table);
        if (limited != null) {
            return limited;
        }
        Refusal refusal = schemas.refusal(table);
        if (refusal != null) {
            return new RowFault(refusal.code(), reader.locate(refusal.message()));
        }
        if (last) {
            String message = "the schema of table \"" + table + "\" is changing: send the row again";
            return new RowFault(ErrorCode.OVERLOADED, reader.locate(message));
        }
        if (!wishes.hasRoom(table, series.tagCount() + row.fieldCount())) {
            String message = "one request may bring at most " + Wishes.TABLES_MAX + " new tables and "
                    + Wishes.COLUMNS_MAX + " new columns of a table";
            return new RowFault(ErrorCode.LIMIT_COLUMNS, reader.locate(message));
        }
        note(reader, schema, table);
        return null;
    }

    private @Nullable RowFault limited(RowReader reader, Row row, @Nullable TableSchema schema, String table) {
        SeriesHandle series = row.series();
        for (int i = 0; i < series.tagCount(); i++) {
            RowFault fault = limited(reader, series.tag(i), "tag", schema, table);
            if (fault != null) {
                return fault;
            }
        }
        for (int i = 0; i < row.fieldCount(); i++) {
            RowFault fault = limited(reader, row.name(i), "field", schema, table);
            if (fault != null) {
                return fault;
            }
        }
        return null;
    }

    private @Nullable RowFault limited(
            RowReader reader, Name name, String what, @Nullable TableSchema schema, String table) {
        if (schema != null && name.in(schema) != null) {
            return null;
        }
        String unknown = what + " \"" + name + "\" is not in table \"" + table + "\"";
        if (schema != null && schema.strict()) {
            return new RowFault(
                    ErrorCode.STRICT_SCHEMA,
                    reader.locate(unknown + ", whose schema is strict: rows can't add columns"));
        }
        String limit = schemas.limit(table, name.text());
        return limit == null
                ? null
                : new RowFault(ErrorCode.LIMIT_COLUMNS, reader.locate(unknown + " and can't be added: " + limit));
    }

    private void note(RowReader reader, @Nullable TableSchema schema, String table) {
        Row row = reader.row();
        wishes.table(table);
        SeriesHandle series = row.series();
        for (int i = 0; i < series.tagCount(); i++) {
            if (schema == null || series.tag(i).in(schema) == null) {
                wishes.tag(table, series.tag(i).text());
            }
        }
        for (int i = 0; i < row.fieldCount(); i++) {
            Column column = schema == null ? null : row.name(i).in(schema);
            String name = row.name(i).text();
            byte type = row.type(i);
            boolean beyondDouble = type == FieldType.INT64.code() && Typing.beyondDouble(type, row.bits(i));
            if (column == null) {
                wishes.field(table, name, FieldType.ofCode(type), beyondDouble);
                continue;
            }
            switch (typing.judge(column, row, i, reader.loose())) {
                case WIDENS -> wishes.widen(table, name);
                case MARKS -> wishes.field(table, name, FieldType.INT64, true);
                case FITS, CONFLICT -> {}
            }
        }
    }
}
