package dev.weir.partition.file;

import dev.weir.partition.entry.CanonicalTags;
import dev.weir.partition.model.SeriesKey;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;

/** A row as a test means it: fields by column id as Double, Long, Boolean or String. */
record PointRow(SeriesKey series, long time, long seq, Map<Integer, Object> fields) {
    static final Comparator<PointRow> ORDER = Comparator.<PointRow, byte[]>comparing(
                    row -> row.tags(), Arrays::compareUnsigned)
            .thenComparingLong(PointRow::time)
            .thenComparingLong(PointRow::seq);

    byte[] tags() {
        return CanonicalTags.encode(series.tags());
    }
}
