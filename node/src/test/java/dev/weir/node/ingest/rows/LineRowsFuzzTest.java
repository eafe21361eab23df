package dev.weir.node.ingest.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Mutated lines: each is a row with the same meaning as the slow parser finds, or is refused with a reason; reading always ends. */
class LineRowsFuzzTest {
    private static final String[] SEEDS = {
        "cpu,host=a,region=eu-1 usage_user=58i,usage_system=2i,idle=1.5e-3 1451606400000000000",
        "m\\,x,k\\=\\ =v\\\\,z=Z:\\\\ f\\ =\"a\\\"b\\\\c, d=e\",g=t -5",
        "disk,drv=Z:\\,host=h1 free=7i 1700000000000000000",
        "ev msg=\"one two\",n=18446744073709551615u,b=FALSE",
        "\u6e29\u5ea6,\u4f4d=\u5317 \u503c=-0.1 99",
        "a b=1,c=2,d=3   12   "
    };
    private static final String ALPHABET = "ab,= \\\"1234567890.-+eEiutfTFnN_\t#\r";

    @Test
    void agreesWithTheSlowParser() {
        long seed = Long.getLong("weir.seed", 20261129L);
        Random random = new Random(seed);
        for (int i = 0; i < 60_000; i++) {
            String line = Mutations.of(SEEDS[random.nextInt(SEEDS.length)], 1 + random.nextInt(5), ALPHABET, random);
            assertThat(fast(line)).as("seed %d, line <%s>", seed, line).isEqualTo(slow(line));
        }
    }

    @Test
    void readsAnyBytesToTheEnd() {
        long seed = Long.getLong("weir.seed", 7L);
        Random random = new Random(seed);
        String all = String.join("\n", SEEDS) + "\n";
        for (int i = 0; i < 20_000; i++) {
            byte[] body =
                    Mutations.of(all, 1 + random.nextInt(5), ALPHABET, random).getBytes(StandardCharsets.UTF_8);
            for (int k = random.nextInt(4); k > 0 && body.length > 0; k--) {
                body[random.nextInt(body.length)] = (byte) random.nextInt();
            }
            LineRows rows = Lines.of(body, "ns", random.nextBoolean());
            int count = 0;
            int place = -1;
            while (rows.next()) {
                assertThat(rows.place()).as("seed %d round %d", seed, i).isGreaterThan(place);
                place = rows.place();
                if (rows.fault() == null) {
                    Lines.describe(rows.row());
                }
                assertThat(++count).isLessThanOrEqualTo(body.length);
            }
        }
    }

    @Test
    void takesLinearTimeForHostileBodies() {
        int size = 2_000_000;
        String[] hostile = {
            "\"".repeat(size),
            "m a=\"".repeat(size / 5),
            "m a=\"\n".repeat(size / 6),
            "\\".repeat(size),
            "m a\\".repeat(size / 4),
            "m,a=b\\,".repeat(size / 7),
            ",".repeat(size),
            "m " + "a=1,".repeat(size / 4),
            "m a=\"\\\n".repeat(size / 7),
            "m x,y=\"\n".repeat(size / 8),
            "=".repeat(size),
            "m" + ",a=1".repeat(size / 4) + " v=1",
            "m v=1 \\\\\n".repeat(size / 9)
        };
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            for (String body : hostile) {
                Lines.faults(Lines.of(body));
            }
        });
    }

    private static Object fast(String line) {
        LineRows rows = Lines.of(line + "\n");
        if (!rows.next()) {
            return "nothing";
        }
        if (rows.fault() != null) {
            return "refused";
        }
        Row row = rows.row();
        return new SlowLineParser.Parsed(
                row.series().table().table(),
                Lines.tags(row.series()),
                Lines.fields(row),
                row.timed() ? BigInteger.valueOf(row.timestampNanos()) : null);
    }

    private static Object slow(String line) {
        String text = line.replaceFirst("^[ \t]+", "");
        if (text.endsWith("\r")) {
            text = text.substring(0, text.length() - 1);
        }
        if (text.isEmpty() || text.startsWith("#")) {
            return "nothing";
        }
        if (text.matches(".*=[-+]?([nN][aA][nN]|[iI][nN][fF].*)")) {
            return fast(line);
        }
        SlowLineParser.Parsed parsed = SlowLineParser.parse(text);
        return parsed == null ? "refused" : parsed;
    }
}
