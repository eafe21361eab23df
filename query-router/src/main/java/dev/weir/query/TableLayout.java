package dev.weir.query;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.read.SeriesRow;
import dev.weir.query.Table.ColumnHead;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Lays rows of all partitions out as one table: time, tags sorted, fields sorted; rows sorted by their tags. Columns are those of the schema and
 * what rows have beyond it (a partition may know a newer schema than this node).
 */
final class TableLayout {
    private final TreeSet<String> tags = new TreeSet<>();
    private final TreeMap<String, FieldType> fields = new TreeMap<>();
    private final boolean withFields;

    TableLayout(TableSchema schema, boolean withFields) {
        this.withFields = withFields;
        for (Column column : schema.columns()) {
            if (column.role() == ColumnRole.TAG) {
                tags.add(column.name());
            } else if (withFields) {
                fields.put(column.name(), column.type());
            }
        }
    }

    List<ColumnHead> columns(List<SeriesRow> rows, boolean epochNanos) {
        for (SeriesRow row : rows) {
            row.tags().forEach(tag -> tags.add(tag.key()));
            if (withFields) {
                row.fields().forEach((name, value) -> fields.merge(name, typeOf(value), TableLayout::wider));
            }
        }
        List<ColumnHead> columns = new ArrayList<>();
        columns.add(new ColumnHead("time", epochNanos ? ColumnHead.INTEGER : ColumnHead.TIMESTAMP));
        tags.forEach(tag -> columns.add(new ColumnHead(tag, ColumnHead.TEXT)));
        fields.forEach((name, type) -> columns.add(new ColumnHead(name, type.sqlName())));
        return columns;
    }

    /** To be called after {@link #columns}. */
    List<@Nullable Object[]> rows(List<SeriesRow> rows) {
        Map<String, Integer> places = new HashMap<>();
        int place = 1;
        for (String tag : tags) {
            places.put(tag, place++);
        }
        List<@Nullable Object[]> laid = new ArrayList<>(rows.size());
        for (SeriesRow row : rows) {
            @Nullable Object[] cells = new @Nullable Object[1 + tags.size() + fields.size()];
            cells[0] = row.timestampNanos();
            for (Tag tag : row.tags()) {
                cells[places.getOrDefault(tag.key(), 0)] = tag.value();
            }
            int at = 1 + tags.size();
            for (Map.Entry<String, FieldType> field : fields.entrySet()) {
                Object value = row.fields().get(field.getKey());
                cells[at++] = field.getValue() == FieldType.FLOAT64 && value instanceof Number number
                        ? (Object) number.doubleValue()
                        : value;
            }
            laid.add(cells);
        }
        laid.sort((a, b) -> byTags(a, b));
        return laid;
    }

    /** A missing tag comes before any value. */
    private int byTags(@Nullable Object[] a, @Nullable Object[] b) {
        for (int i = 1; i <= tags.size(); i++) {
            String left = a[i] instanceof String text ? text : "";
            String right = b[i] instanceof String text ? text : "";
            int order = left.compareTo(right);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static FieldType typeOf(Object value) {
        return switch (value) {
            case Double real -> FieldType.FLOAT64;
            case Long integer -> FieldType.INT64;
            case BigInteger unsigned -> FieldType.UINT64;
            case Boolean bool -> FieldType.BOOL;
            default -> FieldType.STRING;
        };
    }

    /** Types only widen: an integer column may have become real. */
    private static FieldType wider(FieldType known, FieldType found) {
        return known == FieldType.INT64 && found == FieldType.FLOAT64 ? found : known;
    }
}
