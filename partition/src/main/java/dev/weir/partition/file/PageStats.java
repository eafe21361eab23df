package dev.weir.partition.file;

import org.apache.parquet.column.statistics.BooleanStatistics;
import org.apache.parquet.column.statistics.DoubleStatistics;
import org.apache.parquet.column.statistics.IntStatistics;
import org.apache.parquet.column.statistics.LongStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.PrimitiveType;

/**
 * Smallest and largest value of a page, by which readers skip it; from these the writer makes those of the chunk.
 *
 * <p>Where a chunk of doubles has a NaN there are none: readers differ in where NaN stands (DuckDB: above all else), and one that skips by
 * bounds without it would miss it. A bound that is zero is written as -0.0 below and 0.0 above, since readers differ in whether these are
 * equal. UINT64 is compared unsigned, text by unsigned bytes.
 */
interface PageStats {
    /** @param nulls of the page */
    Statistics<?> of(int from, int to, int nulls);

    /** Whether the chunk has bounds at all. */
    default boolean isBounded() {
        return true;
    }

    static Statistics<?> empty(PrimitiveType type, int nulls) {
        Statistics<?> stats = Statistics.createStats(type);
        stats.incrementNumNulls(nulls);
        return stats;
    }

    /** INT64, INT32. */
    record Signed(PrimitiveType type, long[] values) implements PageStats {
        @Override
        public Statistics<?> of(int from, int to, int nulls) {
            Statistics<?> stats = empty(type, nulls);
            if (from < to) {
                long min = values[from];
                long max = min;
                for (int i = from + 1; i < to; i++) {
                    min = Math.min(min, values[i]);
                    max = Math.max(max, values[i]);
                }
                set(stats, min, max);
            }
            return stats;
        }

        private static void set(Statistics<?> stats, long min, long max) {
            switch (stats) {
                case LongStatistics longs -> longs.setMinMax(min, max);
                case IntStatistics ints -> ints.setMinMax((int) min, (int) max);
                case BooleanStatistics bools -> bools.setMinMax(min != 0, max != 0);
                default -> throw new IllegalStateException("bounds of integers for " + stats.type());
            }
        }
    }

    record Unsigned(PrimitiveType type, long[] values) implements PageStats {
        @Override
        public Statistics<?> of(int from, int to, int nulls) {
            LongStatistics stats = (LongStatistics) empty(type, nulls);
            if (from < to) {
                long min = values[from] ^ Long.MIN_VALUE;
                long max = min;
                for (int i = from + 1; i < to; i++) {
                    long flipped = values[i] ^ Long.MIN_VALUE;
                    min = Math.min(min, flipped);
                    max = Math.max(max, flipped);
                }
                stats.setMinMax(min ^ Long.MIN_VALUE, max ^ Long.MIN_VALUE);
            }
            return stats;
        }
    }

    /** @param isBounded no value is NaN */
    record Doubles(PrimitiveType type, long[] bits, boolean isBounded) implements PageStats {
        static Doubles of(PrimitiveType type, long[] bits, int count) {
            for (int i = 0; i < count; i++) {
                if (Double.isNaN(Double.longBitsToDouble(bits[i]))) {
                    return new Doubles(type, bits, false);
                }
            }
            return new Doubles(type, bits, true);
        }

        @Override
        public Statistics<?> of(int from, int to, int nulls) {
            DoubleStatistics stats = (DoubleStatistics) empty(type, nulls);
            if (from < to) {
                double min = Double.longBitsToDouble(bits[from]);
                double max = min;
                for (int i = from + 1; i < to; i++) {
                    double value = Double.longBitsToDouble(bits[i]);
                    min = Math.min(min, value);
                    max = Math.max(max, value);
                }
                stats.setMinMax(min == 0 ? -0.0 : min, max == 0 ? 0.0 : max);
            }
            return stats;
        }
    }

    record Texts(PrimitiveType type, TextValues values) implements PageStats {
        @Override
        public Statistics<?> of(int from, int to, int nulls) {
            Statistics<?> stats = empty(type, nulls);
            if (from < to) {
                int min = from;
                int max = from;
                for (int i = from + 1; i < to; i++) {
                    min = values.compare(i, min) < 0 ? i : min;
                    max = values.compare(i, max) > 0 ? i : max;
                }
                update(stats, values, min, max);
            }
            return stats;
        }

        static void update(Statistics<?> stats, TextValues values, int min, int max) {
            stats.updateStats(binary(values, min));
            stats.updateStats(binary(values, max));
        }

        private static Binary binary(TextValues values, int index) {
            return Binary.fromReusedByteArray(values.bytes(), values.from(index), values.length(index));
        }
    }

    /** Texts by their places in a dictionary: entries that a page does not use don't count. */
    record Entries(PrimitiveType type, TextValues entries, int[] places) implements PageStats {
        @Override
        public Statistics<?> of(int from, int to, int nulls) {
            Statistics<?> stats = empty(type, nulls);
            if (from < to) {
                int min = places[from];
                int max = min;
                int before = min;
                for (int i = from + 1; i < to; i++) {
                    int place = places[i];
                    if (place != before) {
                        before = place;
                        min = place != min && entries.compare(place, min) < 0 ? place : min;
                        max = place != max && entries.compare(place, max) > 0 ? place : max;
                    }
                }
                Texts.update(stats, entries, min, max);
            }
            return stats;
        }
    }
}
