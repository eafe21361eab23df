package dev.weir.ops.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CpuRowsTest {
    private static final long START = 1_767_225_600_000_000_000L;

    @Test
    void rowsHaveTheShapeOfTheSuite() {
        List<String> rows = rows(1000, 2000);

        assertThat(rows)
                .hasSize(2000)
                .allMatch(row -> row.matches("cpu(,[a-z_]+=[A-Za-z0-9._-]+){10} "
                        + "[a-z_]+=\\d{1,3}\\.\\d\\d(,[a-z_]+=\\d{1,3}\\.\\d\\d){9} \\d{19}"));
        assertThat(rows.get(999)).startsWith("cpu,hostname=host_999,").endsWith(" " + START);
        assertThat(rows.get(1000)).startsWith("cpu,hostname=host_0,").endsWith(" " + (START + CpuRows.STEP_NANOS));
        assertThat(rows.stream().mapToInt(row -> row.length() + 1).average().orElse(0))
                .isBetween(360.0, 372.0);
    }

    @Test
    void theSameSeedGivesTheSameRows() {
        assertThat(rows(10, 100)).isEqualTo(rows(10, 100));
    }

    private static List<String> rows(int hosts, int count) {
        byte[] body = new CpuRows("cpu", hosts, START, 7).next(count);
        return new String(body, StandardCharsets.UTF_8).lines().toList();
    }
}
