package dev.weir.node.ingest.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Mutated JSON bodies: reading always ends, and gives rows, refused rows or a refused body, never an exception. */
class JsonRowsFuzzTest {
    private static final String ROW =
            "{\"measurement\":\"m\",\"tags\":{\"h\":\"\u00e9\",\"n\":1.50},\"fields\":{\"a\":1,\"b\":[],\"c\":null,\"d\":\"x\\n\",\"e\":1.5e3,\"f\":18446744073709551615},\"time\":\"2024-01-01T00:00:00.5Z\"}";
    private static final List<String> SEEDS = List.of(
            ROW,
            "[" + ROW + "," + ROW + "]",
            ROW + "\n" + ROW + "\r\n\n" + ROW,
            "{\"ts\":5,\"host\":\"a\",\"v\":1}\n{\"v\":-2}");
    private static final String ALPHABET = "{}[]\",:\\0123456789.-+eEntfu \n\r\u00e9x";

    @Test
    void readsAnyBytesToTheEnd() {
        long seed = Long.getLong("weir.seed", 11L);
        Random random = new Random(seed);
        for (int i = 0; i < 30_000; i++) {
            byte[] body = Mutations.of(SEEDS.get(random.nextInt(SEEDS.size())), random.nextInt(4), ALPHABET, random)
                    .getBytes(StandardCharsets.UTF_8);
            if (body.length > 0 && random.nextInt(4) == 0) {
                body[random.nextInt(body.length)] = (byte) random.nextInt();
            }
            JsonRows rows = rows(body, random);
            int count = 0;
            while (rows.next()) {
                assertThat(++count).as("seed %d, round %d", seed, i).isLessThanOrEqualTo(body.length);
                if (rows.fault() == null) {
                    String first = Lines.describe(rows.row());
                    JsonRows again = again(body, rows);
                    assertThat(Lines.describe(again.row()))
                            .as("seed %d, round %d", seed, i)
                            .isEqualTo(first);
                }
            }
        }
    }

    @Test
    void endsForHostileBodies() {
        int size = 500_000;
        String[] hostile = {
            "[".repeat(size),
            "{\"a\":".repeat(size / 5),
            "{\"measurement\":\"m\",\"fields\":{\"a\":" + "[".repeat(size),
            "[" + "{},".repeat(size / 3) + "{}]",
            "{}\n".repeat(size / 3),
            "{\"measurement\":\"m\",\"fields\":{\"a\":" + "9".repeat(size) + "}}",
            "{\"measurement\":\"m\",\"fields\":{\"a\":1" + "0".repeat(size) + ".5}}",
            "\"" + "\\u0000".repeat(size / 6)
        };
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            for (String body : hostile) {
                Lines.faults(rows(body.getBytes(StandardCharsets.UTF_8), new Random(1)));
            }
        });
    }

    private static JsonRows rows(byte[] body, Random random) {
        JsonOptions.Flat flat = random.nextInt(3) == 0 ? new JsonOptions.Flat("m", Set.of("host"), "ts") : null;
        return rows(body, new JsonOptions(Precision.NANOSECONDS, random.nextInt(4) == 0, 1 << 20, flat));
    }

    /** A reader that has read the row of another one again. */
    private static JsonRows again(byte[] body, JsonRows at) {
        JsonRows again = rows(body, at.options());
        again.seek(at.place(), at.line());
        assertThat(again.next()).isTrue();
        return again;
    }

    private static JsonRows rows(byte[] body, JsonOptions options) {
        return new JsonRows(body, body.length, options, new NameCaches(1 << 12), "acme");
    }
}
