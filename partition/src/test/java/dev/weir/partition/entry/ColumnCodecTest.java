package dev.weir.partition.entry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ColumnCodecTest {
    private static final long SEED = Long.getLong("weir.seed", System.nanoTime());
    private static final long SECOND = 1_000_000_000L;

    private final SplittableRandom random = new SplittableRandom(SEED);

    @Test
    void packsEveryWidthAtEveryLength() {
        for (int width = 0; width <= 64; width++) {
            long mask = width == 0 ? 0 : -1L >>> (64 - width);
            for (int count : new int[] {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 200}) {
                long[] values = random.longs(count).map(v -> (v & mask) + 17).toArray();
                ByteWriter out = new ByteWriter(1);
                BitPacking.pack(out, values, 0, count, 17, width);
                assertThat(out.size()).isEqualTo(BitPacking.bytes(count, width));
                long[] back = new long[count];
                BitPacking.unpack(out.toArray(), 0, count, width, 17, back, 0);
                assertThat(back).as("width %d, seed %d", width, SEED).isEqualTo(values);
            }
        }
    }

    @Test
    void takesFewBytesForRegularIntegers() {
        assertThat(bytes(false, i -> 42)).isLessThan(5);
        assertThat(bytes(true, i -> 1_700_000_000 * SECOND + i * 10 * SECOND)).isLessThan(25);
        assertThat(bytes(true, i -> 1_700_000_000 * SECOND + i / 125 * 10 * SECOND))
                .isLessThan(70);
        assertThat(bytes(true, i -> 1_700_000_000 * SECOND + i * 37 % 64 * SECOND))
                .isLessThan(600 * 6 / 8 + 20);
        assertThat(bytes(false, i -> 1000 + i * 37 % 64)).isLessThan(600 * 6 / 8 + 20);
        assertThat(bytes(false, i -> 1L << 60 | i * i)).isLessThan(600 * 11 / 8 + 30);
    }

    @Test
    void keepsExtremeIntegers() {
        long[][] columns = {
            {Long.MIN_VALUE, Long.MAX_VALUE},
            {Long.MAX_VALUE, Long.MIN_VALUE, 0},
            {0, Long.MIN_VALUE},
            {-1, 1, -1, 1},
            {5},
            {Long.MIN_VALUE, Long.MIN_VALUE + SECOND, Long.MIN_VALUE},
            {Long.MAX_VALUE - 3 * SECOND, Long.MAX_VALUE, Long.MAX_VALUE - SECOND},
            {0, 4_000_000_000_000_000_000L, -4_000_000_000_000_000_000L, 0}
        };
        for (long[] column : columns) {
            assertThat(longs(column, true)).isEqualTo(column);
            assertThat(longs(column, false)).isEqualTo(column);
        }
    }

    @Test
    void takesDecimalsAsIntegers() {
        double[] walk = new double[600];
        for (int i = 0; i < walk.length; i++) {
            walk[i] = random.nextInt(10_000) / 100.0;
        }
        assertThat(encoded(walk).length).isLessThan(600 * 14 / 8 + 20);
        walk[7] = Double.NaN;
        walk[8] = -0.0;
        walk[599] = Double.NEGATIVE_INFINITY;
        assertThat(encoded(walk).length).isLessThan(600 * 14 / 8 + 20 + 3 * 11);
        assertThat(bits(doubles(walk))).isEqualTo(bits(walk));
    }

    @Test
    void keepsParsedDecimalsOfAnyScale() {
        for (int scale = 0; scale <= 17; scale++) {
            double[] values = new double[100];
            for (int i = 0; i < values.length; i++) {
                values[i] = Double.parseDouble(random.nextLong(-999_999, 999_999) + "e-" + scale);
            }
            assertThat(bits(doubles(values)))
                    .as("scale %d, seed %d", scale, SEED)
                    .isEqualTo(bits(values));
        }
    }

    @Test
    void splitsDoublesThatRepeat() {
        double[] values = new double[600];
        Arrays.setAll(values, i -> Math.sqrt(2 + i % 20));
        assertThat(encoded(values).length).isLessThan(600 * 4);
        assertThat(bits(doubles(values))).isEqualTo(bits(values));
    }

    @Test
    void cutsDoublesOfAllDigits() {
        double[] values = new double[600];
        Arrays.setAll(values, i -> random.nextDouble() * 100);
        assertThat(encoded(values).length).isLessThan(600 * 7 + 200);
        assertThat(bits(doubles(values))).isEqualTo(bits(values));
        Arrays.setAll(values, i -> Double.longBitsToDouble(random.nextLong()));
        assertThat(encoded(values).length).isEqualTo(1 + 600 * 8);
        assertThat(bits(doubles(values))).isEqualTo(bits(values));
    }

    private static int bytes(boolean timestamps, LongUnaryOperator values) {
        long[] column = LongStream.range(0, 600).map(values).toArray();
        ByteWriter out = new ByteWriter(64);
        LongCodec.encode(out, column, column.length, new long[column.length], timestamps);
        assertThat(longs(column, timestamps)).isEqualTo(column);
        return out.size();
    }

    private static long[] longs(long[] column, boolean timestamps) {
        ByteWriter out = new ByteWriter(64);
        LongCodec.encode(out, column.clone(), column.length, new long[column.length], timestamps);
        ByteReader in = new ByteReader(out.array(), 0, out.size());
        long[] back = LongCodec.decode(in, column.length, "test");
        in.expectEnd("test");
        return back;
    }

    private static byte[] encoded(double[] values) {
        ByteWriter out = new ByteWriter(64);
        DoubleCodec.encode(out, bits(values), values.length, new Scratch());
        return out.toArray();
    }

    private static double[] doubles(double[] values) {
        byte[] bytes = encoded(values);
        ByteReader in = new ByteReader(bytes, 0, bytes.length);
        double[] back = DoubleCodec.decode(in, values.length, "test");
        in.expectEnd("test");
        return back;
    }

    private static long[] bits(double[] values) {
        return Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray();
    }
}
