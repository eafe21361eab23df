package dev.weir.ops.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepeatedBodiesTest {
    private static final long START = 1_767_225_600_000_000_000L;

    @Test
    void aSecondRoundIsWhatTheSourceWouldHaveSentLaterButForItsValues() {
        RepeatedBodies bodies = new RepeatedBodies(
                List.of(body("cpu,host=a x=1.5 ", START), body("cpu,host=b x=2 ", START + 9)), 3, 1_000_000_000_001L);

        assertThat(bodies.stream().map(RepeatedBodiesTest::text))
                .containsExactly(
                        "cpu,host=a x=1.5 1767225600000000000\n",
                        "cpu,host=b x=2 1767225600000000009\n",
                        "cpu,host=a x=1.5 1767226600000000001\n",
                        "cpu,host=b x=2 1767226600000000010\n",
                        "cpu,host=a x=1.5 1767227600000000002\n",
                        "cpu,host=b x=2 1767227600000000011\n");
        assertThat(bodies.bytes()).isEqualTo(3 * (37 + 35));
        assertThat(bodies.round(5)).isEqualTo(2);
    }

    @Test
    void everyLineOfARealBodyGoesToTheNextRound() {
        byte[] first = new CpuRows("cpu", 10, START, 1).next(100);
        RepeatedBodies bodies = new RepeatedBodies(List.of(first), 2, 10 * CpuRows.STEP_NANOS);

        assertThat(text(bodies.get(1)).lines().map(line -> line.substring(line.lastIndexOf(' ') + 1)))
                .containsExactlyElementsOf(text(first)
                        .lines()
                        .map(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1))
                                + 10 * CpuRows.STEP_NANOS
                                + "")
                        .toList());
    }

    private static byte[] body(String head, long time) {
        return (head + time + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] body) {
        return new String(body, StandardCharsets.UTF_8);
    }
}
