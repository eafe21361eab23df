package dev.weir.partition.file;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Random tables with odd names and values, and rows of one day for them. */
final class RandomTable {
    static final long DAY = 86_400_000_000_000L;

    private static final double[] DOUBLES = {
        0.0,
        -0.0,
        1,
        -1,
        0.1,
        1e300,
        Double.MIN_VALUE,
        Double.MAX_VALUE,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.NaN
    };
    private static final long[] LONGS = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 53, -(1L << 40)};
    private static final String[] NAMES = {
        "host",
        "Host",
        "HOST",
        "time",
        "Time",
        "_seq",
        "_SERIES_HASH",
        "_time_ns",
        "date",
        "",
        ".",
        "a.b",
        "a b",
        "x__c1",
        "ж=(1)",
        "\"q\"",
        "tab\tname",
        "日本",
        "_",
        "very_long_" + "n".repeat(150)
    };
    private static final String[] TEXTS = {
        "", "a", "b", "ж", "日本語", "\u0000", "x".repeat(300), "\uD83D\uDE00", "a".repeat(64) + "z"
    };

    private final SplittableRandom random;

    RandomTable(SplittableRandom random) {
        this.random = random;
    }

    TableSchema schema(int version) {
        List<String> names = new ArrayList<>(List.of(NAMES));
        List<Column> columns = new ArrayList<>();
        int id = random.nextInt(3);
        for (int i = 0, count = 1 + random.nextInt(12); i < count; i++, id += 1 + random.nextInt(2)) {
            String name = names.remove(random.nextInt(names.size()));
            boolean isTag = random.nextInt(3) == 0;
            FieldType type = isTag ? FieldType.STRING : FieldType.values()[random.nextInt(FieldType.values().length)];
            columns.add(new Column(id, name, isTag ? ColumnRole.TAG : ColumnRole.FIELD, type, false));
        }
        return new TableSchema(7, "tenant/1", "táble", version, false, columns);
    }

    /** @param seqFrom seqs rise from here; (series, time) may repeat only where {@code mayRepeat} */
    List<PointRow> rows(TableSchema schema, int count, long day, long seqFrom, boolean mayRepeat) {
        List<SeriesKey> series = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(8); i++) {
            series.add(series(schema));
        }
        List<PointRow> rows = new ArrayList<>();
        Map<SeriesKey, java.util.Set<Long>> taken = new HashMap<>();
        for (int i = 0; i < count; i++) {
            SeriesKey one = series.get(random.nextInt(series.size()));
            long time = day * DAY + (mayRepeat ? random.nextInt(40) : random.nextLong(DAY));
            if (mayRepeat
                    || taken.computeIfAbsent(one, key -> new java.util.HashSet<>())
                            .add(time)) {
                rows.add(new PointRow(one, time, seqFrom + i, fields(schema)));
            }
        }
        return rows;
    }

    private SeriesKey series(TableSchema schema) {
        List<Tag> tags = new ArrayList<>();
        for (Column column : schema.columns()) {
            if (column.role() == ColumnRole.TAG && random.nextInt(5) > 0) {
                tags.add(new Tag(column.name(), "v" + TEXTS[random.nextInt(TEXTS.length)]));
            }
        }
        return new SeriesKey(schema.tenant(), schema.name(), tags);
    }

    private Map<Integer, Object> fields(TableSchema schema) {
        Map<Integer, Object> fields = new HashMap<>();
        for (Column column : schema.columns()) {
            if (column.role() == ColumnRole.FIELD && random.nextInt(4) > 0) {
                fields.put(column.id(), value(column.type()));
            }
        }
        return fields;
    }

    private Object value(FieldType type) {
        return switch (type) {
            case FLOAT64 -> random.nextBoolean() ? random.nextDouble() : DOUBLES[random.nextInt(DOUBLES.length)];
            case INT64, UINT64 -> random.nextBoolean() ? random.nextLong() : LONGS[random.nextInt(LONGS.length)];
            case BOOL -> random.nextBoolean();
            case STRING -> TEXTS[random.nextInt(TEXTS.length)] + (random.nextBoolean() ? "" : random.nextInt(1000));
        };
    }
}
