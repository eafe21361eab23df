package dev.weir.partition.entry;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Random tables and rows with a liking for the edges of every type. */
final class RandomRows {
    private static final double[] ODD_DOUBLES = {
        0.0,
        -0.0,
        1,
        -1,
        0.1,
        -99.99,
        1e300,
        -1e-300,
        Double.MIN_VALUE,
        Double.MIN_NORMAL / 3,
        Double.MAX_VALUE,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.NaN,
        Double.longBitsToDouble(0x7ff8_dead_beef_0001L),
        0.1 + 0.2,
        1L << 51,
        (1L << 53) + 1,
        1e14,
        1e-14
    };
    private static final long[] ODD_LONGS = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, -(1L << 40), 42};

    /** @param fields column id → Double, Long, Boolean or String */
    record Row(SeriesKey series, long timestamp, Map<Integer, Object> fields) {}

    private final SplittableRandom random;

    RandomRows(SplittableRandom random) {
        this.random = random;
    }

    TableSchema schema(int tableId, int version) {
        List<Column> columns = new ArrayList<>();
        int id = random.nextInt(3);
        for (int i = 0, tags = random.nextInt(4); i < tags; i++, id += 1 + random.nextInt(2)) {
            columns.add(new Column(id, "tag" + i, ColumnRole.TAG, FieldType.STRING, false));
        }
        for (int i = 0, fields = 1 + random.nextInt(random.nextInt(10) == 0 ? 200 : 12); i < fields; i++) {
            FieldType type = FieldType.values()[random.nextInt(FieldType.values().length)];
            columns.add(new Column(id, "field" + i, ColumnRole.FIELD, type, type == FieldType.INT64));
            id += 1 + random.nextInt(2);
        }
        return new TableSchema(tableId, "tenant", "täble" + tableId, version, random.nextBoolean(), columns);
    }

    List<Row> rows(TableSchema schema, int count) {
        List<SeriesKey> series = series(schema);
        Map<Integer, Integer> styles = new TreeMap<>();
        double density = random.nextInt(3) == 0 ? random.nextDouble() : 1;
        for (Column column : schema.columns()) {
            styles.put(column.id(), random.nextInt(6));
        }
        List<Row> rows = new ArrayList<>();
        int timeStyle = random.nextInt(6);
        int order = random.nextInt(3);
        for (int i = 0; i < count; i++) {
            SeriesKey key = series.get(order == 0 ? i % series.size() : random.nextInt(series.size()));
            rows.add(new Row(key, timestamp(timeStyle, i), fields(schema, styles, density, i)));
        }
        return rows;
    }

    static void put(RowBlockBuilder builder, Row row) {
        builder.beginRow(builder.series(row.series), row.timestamp);
        row.fields.forEach((column, value) -> {
            switch (value) {
                case Double d -> builder.putDouble(column, d);
                case Long l -> builder.putLong(column, l);
                case BigInteger u -> builder.putLong(column, u.longValue());
                case Boolean b -> builder.putBool(column, b);
                case String s -> {
                    byte[] utf8 = ("<" + s + ">").getBytes(StandardCharsets.UTF_8);
                    builder.putString(column, utf8, 1, utf8.length - 2);
                }
                default -> throw new AssertionError(value);
            }
        });
        builder.endRow();
    }

    private List<SeriesKey> series(TableSchema schema) {
        List<SeriesKey> series = new ArrayList<>();
        for (int i = 0, count = 1 + random.nextInt(40); i < count; i++) {
            List<Tag> tags = new ArrayList<>();
            for (Column column : schema.columns()) {
                if (column.role() == ColumnRole.TAG && random.nextInt(4) > 0) {
                    tags.add(new Tag(column.name(), "välue" + random.nextInt(20)));
                }
            }
            series.add(new SeriesKey(schema.tenant(), schema.name(), tags));
        }
        return series;
    }

    private long timestamp(int style, int row) {
        return switch (style) {
            case 0 -> 1_700_000_000_000_000_000L;
            case 1 -> 1_700_000_000_000_000_000L + row * 10_000_000_000L;
            case 2 -> 1_700_000_000_000_000_000L + row / 10 * 1_000_000_000L;
            case 3 -> random.nextLong(-5, 5) * 1_000_000L;
            case 4 -> random.nextLong();
            default -> ODD_LONGS[random.nextInt(ODD_LONGS.length)];
        };
    }

    private Map<Integer, Object> fields(TableSchema schema, Map<Integer, Integer> styles, double density, int row) {
        Map<Integer, Object> fields = new TreeMap<>();
        for (Column column : schema.columns()) {
            if (column.role() == ColumnRole.FIELD && random.nextDouble() < density) {
                fields.put(column.id(), value(column.type(), styles.get(column.id()), row));
            }
        }
        return fields;
    }

    private Object value(FieldType type, int style, int row) {
        return switch (type) {
            case FLOAT64 -> doubleValue(style, row);
            case INT64 -> longValue(style, row);
            case UINT64 -> new BigInteger(Long.toUnsignedString(longValue(style, row)));
            case BOOL -> style == 0 || random.nextBoolean();
            case STRING -> text(style, row);
        };
    }

    private double doubleValue(int style, int row) {
        return switch (style) {
            case 0 -> ODD_DOUBLES[random.nextInt(ODD_DOUBLES.length)];
            case 1 -> random.nextInt(-10_000, 10_000) / 100.0;
            case 2 -> random.nextInt(40) == 0 ? ODD_DOUBLES[random.nextInt(ODD_DOUBLES.length)] : row / 8.0;
            case 3 -> random.nextDouble();
            case 4 -> Double.longBitsToDouble(random.nextLong());
            default -> 7.25;
        };
    }

    private long longValue(int style, int row) {
        return switch (style) {
            case 0 -> ODD_LONGS[random.nextInt(ODD_LONGS.length)];
            case 1 -> random.nextLong(-1000, 1000);
            case 2 -> 1_000_000L + 3L * row;
            case 3 -> random.nextLong();
            case 4 -> row / 7;
            default -> -5;
        };
    }

    private String text(int style, int row) {
        return switch (style) {
            case 0 -> "";
            case 1 -> "state" + random.nextInt(4);
            case 2 -> "é€😀".repeat(random.nextInt(4)) + row;
            case 3 -> Long.toHexString(random.nextLong()).repeat(1 + random.nextInt(3));
            case 4 -> random.nextInt(10) == 0 ? "x".repeat(random.nextInt(3000)) : "";
            default -> "always";
        };
    }
}
