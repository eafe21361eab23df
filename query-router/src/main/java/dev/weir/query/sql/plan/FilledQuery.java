package dev.weir.query.sql.plan;

import dev.weir.query.sql.image.TimeRange;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The SQL that fills gaps. Columns of the rows are {@code _g0}, {@code _g1} … in the order of the items; the bucket is {@code _b}.
 *
 * @param items of the select list
 * @param bucket which of them is the bucket
 * @param times every bucket of it is given; both ends included
 * @param stepNanos at least one step falls in every bucket
 * @param lookback one bucket more, without a start, holds what was before
 * @param ordered the user said in which order
 */
record FilledQuery(List<Item> items, int bucket, TimeRange times, long stepNanos, boolean lookback, boolean ordered) {
    /** What an item of the select list is. */
    enum Kind {
        BUCKET,
        KEY,
        VALUE,
        LOCF,
        INTERPOLATE
    }

    record Item(Kind kind, String name) {}

    /**
     * @param rows the grouped query
     * @param bucketOfMoment the bucket of a moment {@code _s}, in nanoseconds
     */
    String text(String rows, String bucketOfMoment) {
        List<Integer> keys = keys();
        List<String> joined = new ArrayList<>(List.of("r._g" + bucket + " IS NOT DISTINCT FROM b._b"));
        keys.forEach(i -> joined.add("r._g" + i + " IS NOT DISTINCT FROM k._g" + i));
        List<String> outputs = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            outputs.add(output(i) + " AS " + Quoted.name(items.get(i).name()));
        }
        outputs.add("b._b");
        keys.forEach(i -> outputs.add("k._g" + i));
        List<String> inner = new ArrayList<>(keys.stream().map(i -> "_g" + i).toList());
        String keyRows = keys.isEmpty()
                ? "SELECT 1 AS _none"
                : "SELECT DISTINCT " + String.join(", ", inner) + " FROM _weir_rows";
        inner.add("_b");
        return "WITH _weir_rows AS MATERIALIZED (" + rows + "), _weir_keys AS (" + keyRows + "), _weir_buckets AS ("
                + buckets(bucketOfMoment) + ") SELECT * EXCLUDE (" + String.join(", ", inner) + ") FROM (SELECT "
                + String.join(", ", outputs)
                + " FROM _weir_buckets b CROSS JOIN _weir_keys k LEFT JOIN _weir_rows r ON "
                + String.join(" AND ", joined) + ") f WHERE _b IS NOT NULL"
                + (ordered ? "" : " ORDER BY " + String.join(", ", inner));
    }

    private String buckets(String bucketOfMoment) {
        String moments = "SELECT range AS _s FROM range(" + times.fromNanos() + ", " + times.toNanos() + ", "
                + stepNanos + ") UNION ALL SELECT " + times.toNanos();
        return "SELECT DISTINCT " + bucketOfMoment + " AS _b FROM (" + moments + ") q WHERE " + !times.isEmpty()
                + (lookback ? " UNION ALL SELECT NULL" : "");
    }

    private List<Integer> keys() {
        return IntStream.range(0, items.size())
                .filter(i -> items.get(i).kind() == Kind.KEY)
                .boxed()
                .toList();
    }

    private String output(int i) {
        String value = "r._g" + i;
        return switch (items.get(i).kind()) {
            case BUCKET -> "b._b";
            case KEY -> "k._g" + i;
            case VALUE -> value;
            case LOCF -> before(value);
            case INTERPOLATE -> interpolated(value);
        };
    }

    private String interpolated(String value) {
        String at = "CASE WHEN " + value + " IS NOT NULL THEN epoch_ns(b._b) END";
        String rise = "(" + after(value) + " - " + before(value) + ")::DOUBLE";
        String run = "nullif(" + after(at) + " - " + before(at) + ", 0)";
        return "coalesce(" + value + "::DOUBLE, " + before(value) + " + " + rise + " * (epoch_ns(b._b) - " + before(at)
                + ") / " + run + ")";
    }

    /** The last value up to here, in its group. */
    private String before(String value) {
        return "last_value(" + value + " IGNORE NULLS)" + over("UNBOUNDED PRECEDING AND CURRENT ROW");
    }

    /** The first value from here on. */
    private String after(String value) {
        return "first_value(" + value + " IGNORE NULLS)" + over("CURRENT ROW AND UNBOUNDED FOLLOWING");
    }

    private String over(String rows) {
        String group = keys().stream().map(i -> "k._g" + i).collect(Collectors.joining(", "));
        return " OVER (" + (group.isEmpty() ? "" : "PARTITION BY " + group + " ")
                + "ORDER BY b._b NULLS FIRST ROWS BETWEEN " + rows + ")";
    }
}
