package dev.weir.cdc;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FieldColumn;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** A batch over plain rows. */
record MemoryBatch(
        int partition,
        long firstSeq,
        long committedAtNanos,
        EventType type,
        String tenant,
        String measurement,
        int schemaVersion,
        String detailJson,
        List<Row> rows,
        List<List<Tag>> series,
        List<FieldColumn> fields)
        implements ChangeBatch {
    /** @param series index, -1 for none */
    record Row(int series, long timestampNanos, Operation operation, Map<String, Object> fields) {}

    static MemoryBatch points(String tenant, String measurement, List<List<Tag>> series, List<Row> rows) {
        return of(EventType.POINT_WRITTEN, tenant, measurement, "{}", series, rows);
    }

    static MemoryBatch of(
            EventType type, String tenant, String measurement, String detail, List<List<Tag>> series, List<Row> rows) {
        return new MemoryBatch(0, 0, 0, type, tenant, measurement, 1, detail, rows, series, Column.of(rows));
    }

    /** One point. */
    static MemoryBatch point(String measurement, String host, long timestamp, Object value) {
        return points(
                "default",
                measurement,
                List.of(List.of(new Tag("host", host))),
                List.of(new Row(0, timestamp, Operation.INSERT, Map.of("value", value))));
    }

    MemoryBatch placed(int newPartition, long seq, long committed) {
        return new MemoryBatch(
                newPartition,
                seq,
                committed,
                type,
                tenant,
                measurement,
                schemaVersion,
                detailJson,
                rows,
                series,
                fields);
    }

    /** Rows from a seq (inclusive) to another (exclusive). */
    MemoryBatch between(long from, long below) {
        int first = (int) Math.max(0, from - firstSeq);
        int last = (int) Math.min(rows.size(), below - firstSeq);
        if (first == 0 && last == rows.size()) {
            return this;
        }
        List<Row> part = rows.subList(first, last);
        return new MemoryBatch(
                partition,
                firstSeq + first,
                committedAtNanos,
                type,
                tenant,
                measurement,
                schemaVersion,
                detailJson,
                part,
                series,
                Column.of(part));
    }

    @Override
    public int count() {
        return rows.size();
    }

    @Override
    public TableSchema schema() {
        List<dev.weir.partition.model.Column> columns = new ArrayList<>();
        fields.forEach(field -> columns.add(new dev.weir.partition.model.Column(
                field.columnId(), field.name(), ColumnRole.FIELD, field.type(), false)));
        SortedSet<String> tags = new TreeSet<>();
        series.forEach(known -> known.forEach(tag -> tags.add(tag.key())));
        tags.forEach(tag -> columns.add(
                new dev.weir.partition.model.Column(columns.size(), tag, ColumnRole.TAG, FieldType.STRING, false)));
        return new TableSchema(1, tenant, measurement, schemaVersion, false, columns);
    }

    @Override
    public Operation operation(int row) {
        return rows.get(row).operation();
    }

    @Override
    public long timestampNanos(int row) {
        return rows.get(row).timestampNanos();
    }

    @Override
    public int series(int row) {
        return rows.get(row).series();
    }

    @Override
    public int seriesCount() {
        return series.size();
    }

    @Override
    public List<Tag> seriesTags(int index) {
        return series.get(index);
    }

    @Override
    public long seriesHash(int index) {
        return new SeriesKey(tenant, measurement, series.get(index)).hash();
    }

    @Override
    public ChangeEvent event(int row) {
        Row r = rows.get(row);
        return new ChangeEvent(
                partition,
                firstSeq + row,
                type,
                r.operation(),
                tenant,
                measurement,
                r.timestampNanos(),
                r.series() < 0 ? List.of() : series.get(r.series()),
                r.fields(),
                schemaVersion,
                committedAtNanos,
                type == EventType.SERIES_DELETED ? seriesHash(r.series()) : 0,
                detailJson);
    }

    private record Column(int columnId, String name, FieldType type, Object[] values) implements FieldColumn {
        static List<FieldColumn> of(List<Row> rows) {
            Map<String, Object[]> columns = new LinkedHashMap<>();
            for (int i = 0; i < rows.size(); i++) {
                for (var field : rows.get(i).fields().entrySet()) {
                    columns.computeIfAbsent(field.getKey(), name -> new Object[rows.size()])[i] = field.getValue();
                }
            }
            List<FieldColumn> fields = new ArrayList<>();
            columns.forEach((name, values) -> fields.add(new Column(fields.size(), name, typeOf(values), values)));
            return fields;
        }

        private static FieldType typeOf(Object[] values) {
            for (Object value : values) {
                if (value != null) {
                    return switch (value) {
                        case Double d -> FieldType.FLOAT64;
                        case Long l -> FieldType.INT64;
                        case BigInteger b -> FieldType.UINT64;
                        case Boolean b -> FieldType.BOOL;
                        default -> FieldType.STRING;
                    };
                }
            }
            return FieldType.STRING;
        }

        @Override
        public boolean present(int row) {
            return values[row] != null;
        }

        @Override
        public double doubleAt(int row) {
            return (Double) values[row];
        }

        @Override
        public long longAt(int row) {
            return ((Number) values[row]).longValue();
        }

        @Override
        public boolean boolAt(int row) {
            return (Boolean) values[row];
        }

        @Override
        public String stringAt(int row) {
            return (String) values[row];
        }
    }
}
