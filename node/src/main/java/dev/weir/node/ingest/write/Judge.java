package dev.weir.node.ingest.write;

import dev.weir.node.ingest.rows.Name;
import dev.weir.node.ingest.rows.Row;
import dev.weir.node.ingest.rows.RowFault;
import dev.weir.node.ingest.rows.RowReader;
import dev.weir.node.ingest.rows.SeriesHandle;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds each row against its table's schema. A row fits (then {@link #columnId}, {@link #columnType} and {@link #bits} say what to store), is refused
 * ({@link #fault}), or needs something of the catalog: then {@link WishNote} notes it, and the body is read again once the catalog has answered. Used
 * by one thread.
 */
final class Judge {
    enum Verdict {
        FITS,
        REFUSED,
        WISHES
    }

    private final Typing typing = new Typing();
    private final WishNote note;
    /** The fields of the row before, and their columns. */
    private @Nullable Name[] names = new @Nullable Name[16];

    private @Nullable Column[] columns = new @Nullable Column[16];
    private @Nullable TableSchema layoutSchema;
    private int layoutCount;
    private int[] columnIds = new int[16];
    private FieldType[] columnTypes = new FieldType[16];
    private long[] bits = new long[16];
    /** By column id: the number of the row that used it last. */
    private int[] usedBy = new int[64];

    private int rows;
    private @Nullable RowFault fault;

    Judge(WishNote note) {
        this.note = note;
    }

    RowFault fault() {
        return Objects.requireNonNull(fault);
    }

    int columnId(int field) {
        return columnIds[field];
    }

    FieldType columnType(int field) {
        return columnTypes[field];
    }

    long bits(int field) {
        return bits[field];
    }

    /** @param schema of the row's table; null where it does not exist */
    Verdict judge(RowReader reader, @Nullable TableSchema schema) {
        Row row = reader.row();
        rows++;
        if (columnIds.length < row.fieldCount()) {
            grow(row.fieldCount());
        }
        fault = null;
        boolean complete = schema != null && tagsFit(reader, row.series(), schema);
        complete &= schema != null && fault == null && fieldsFit(reader, row, schema);
        if (fault != null) {
            return Verdict.REFUSED;
        }
        if (complete) {
            return Verdict.FITS;
        }
        fault = unnamable(reader, row);
        if (fault == null) {
            fault = note.take(reader, schema);
        }
        return fault == null ? Verdict.WISHES : Verdict.REFUSED;
    }

    /** Whether every tag has its column. */
    private boolean tagsFit(RowReader reader, SeriesHandle series, TableSchema schema) {
        if (series.agreesWith(schema)) {
            return true;
        }
        boolean complete = true;
        for (int i = 0; i < series.tagCount(); i++) {
            Column column = series.tag(i).in(schema);
            if (column == null) {
                complete = false;
            } else if (column.role() != ColumnRole.TAG) {
                fault = new RowFault(
                        ErrorCode.ROLE_CONFLICT, reader.locate(role(series, series.tag(i), "a field", "a tag")));
                return false;
            }
        }
        if (complete) {
            series.agree(schema);
        }
        return complete;
    }

    /** Whether every field has its column, and fits it as it is. */
    private boolean fieldsFit(RowReader reader, Row row, TableSchema schema) {
        int count = row.fieldCount();
        boolean complete = true;
        if (!repeatsLayout(row, schema)) {
            layoutSchema = null;
            complete = layOut(reader, row, schema);
            if (fault != null) {
                return false;
            }
            if (complete) {
                layoutSchema = schema;
                layoutCount = count;
            }
        }
        for (int i = 0; i < count; i++) {
            Column column = columns[i];
            if (column == null) {
                continue;
            }
            switch (typing.judge(column, row, i, reader.loose())) {
                case FITS -> bits[i] = typing.bits;
                case WIDENS, MARKS -> complete = false;
                case CONFLICT -> {
                    String message = "field \"" + row.name(i) + "\" of table \""
                            + row.series().table().table() + "\" " + typing.why;
                    fault = new RowFault(typing.code, reader.locate(i, message));
                    return false;
                }
            }
        }
        return complete;
    }

    /** Whether the row has the fields of the row before, as it mostly has: then its columns are known. */
    @SuppressWarnings("ReferenceEquality") // an equal copy only costs a look-up
    private boolean repeatsLayout(Row row, TableSchema schema) {
        return schema == layoutSchema && row.hasNames(names, layoutCount);
    }

    /** Finds the column of every field; whether there is one for each. */
    private boolean layOut(RowReader reader, Row row, TableSchema schema) {
        boolean complete = true;
        for (int i = 0; i < row.fieldCount(); i++) {
            Column column = row.name(i).in(schema);
            names[i] = row.name(i);
            columns[i] = column;
            if (column == null) {
                complete = false;
                continue;
            }
            if (column.role() != ColumnRole.FIELD) {
                String message = role(row.series(), row.name(i), "a tag", "a field");
                fault = new RowFault(ErrorCode.ROLE_CONFLICT, reader.locate(i, message));
                return false;
            }
            if (isSecondUse(column.id())) {
                fault = twice(reader, i);
                return false;
            }
            columnIds[i] = column.id();
            columnTypes[i] = column.type();
        }
        return complete;
    }

    private boolean isSecondUse(int columnId) {
        if (columnId >= usedBy.length) {
            usedBy = Arrays.copyOf(usedBy, Math.max(columnId + 1, usedBy.length * 2));
        }
        boolean used = usedBy[columnId] == rows;
        usedBy[columnId] = rows;
        return used;
    }

    /** Why names without a column can't get one: given twice in the row, or tag and field at once. */
    private static @Nullable RowFault unnamable(RowReader reader, Row row) {
        SeriesHandle series = row.series();
        Set<String> tags = new HashSet<>();
        for (int i = 0; i < series.tagCount(); i++) {
            tags.add(series.tag(i).text());
        }
        Set<String> fields = new HashSet<>();
        for (int i = 0; i < row.fieldCount(); i++) {
            Name name = row.name(i);
            if (tags.contains(name.text())) {
                return new RowFault(
                        ErrorCode.ROLE_CONFLICT,
                        reader.locate(
                                i, "\"" + name + "\" is a tag and a field in the same row; a name is one of both"));
            }
            if (!fields.add(name.text())) {
                return twice(reader, i);
            }
        }
        return null;
    }

    private static RowFault twice(RowReader reader, int field) {
        return new RowFault(
                ErrorCode.SYNTAX, reader.locate(field, "field \"" + reader.row().name(field) + "\" is given twice"));
    }

    private static String role(SeriesHandle series, Name name, String stored, String sent) {
        return "\"" + name + "\" is " + stored + " of table \"" + series.table().table() + "\", " + sent + " was sent";
    }

    private void grow(int fields) {
        int size = Integer.highestOneBit(fields) * 2;
        names = Arrays.copyOf(names, size);
        columns = Arrays.copyOf(columns, size);
        columnIds = Arrays.copyOf(columnIds, size);
        columnTypes = Arrays.copyOf(columnTypes, size);
        bits = Arrays.copyOf(bits, size);
    }
}
