package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class JsonBytesTest {
    private static String written(Consumer<JsonBytes> write) {
        JsonBytes json = new JsonBytes(1);
        write.accept(json);
        return new String(json.copy(), StandardCharsets.UTF_8);
    }

    @Test
    void writesRealNumbersAsTheJdkDoes() {
        Random random = new Random(3);
        double[] special = {
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.1,
            0.001,
            0.0009,
            0.0001,
            12.3456,
            -0.5,
            9_999_999.0,
            9_999_999.9999,
            1e7,
            1e-300,
            1e308,
            Double.MIN_VALUE,
            Double.MAX_VALUE,
            0.30000000000000004,
            100.00005,
            4503599627370497.5
        };
        for (double value : special) {
            assertThat(written(json -> json.real(value))).isEqualTo(Double.toString(value));
        }
        for (int i = 0; i < 200_000; i++) {
            double value = switch (i % 4) {
                case 0 -> Double.longBitsToDouble(random.nextLong());
                case 1 -> random.nextInt(2_000_000) / 100.0 - 10_000;
                case 2 -> random.nextInt() / 10_000.0;
                default -> random.nextDouble() * 100;
            };
            if (Double.isFinite(value)) {
                String text = written(json -> json.real(value));
                if (!text.equals(Double.toString(value))) {
                    throw new AssertionError("expected " + value + ", found " + text);
                }
            }
        }
        assertThatThrownBy(() -> written(json -> json.real(Double.NaN))).hasMessageContaining("NaN");
    }

    @Test
    void writesIntegersOfAllSizes() {
        for (long value :
                new long[] {0, 9, 10, -1, 99, 100, Long.MAX_VALUE, Long.MIN_VALUE, 1_000_000_000_000_000_000L}) {
            assertThat(written(json -> json.number(value))).isEqualTo(Long.toString(value));
        }
        assertThat(written(json -> json.unsigned(-1, false))).isEqualTo("18446744073709551615");
        assertThat(written(json -> json.unsigned(5, true))).isEqualTo("\"5\"");
        assertThat(written(json -> json.hex(0x0123456789abcdefL))).isEqualTo("0123456789abcdef");
    }

    @Test
    void writesLoneSurrogatesAsReplacementAndControlsEscaped() {
        assertThat(written(json -> json.string("a\ud800b\udc00\u0000\u001f\u2028𝄞")))
                .isEqualTo("\"a\ufffdb\ufffd\\u0000\\u001f\u2028𝄞\"");
    }
}
