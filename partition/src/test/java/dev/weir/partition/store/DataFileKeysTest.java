package dev.weir.partition.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class DataFileKeysTest {
    private static final byte[] SHA = new byte[32];

    @Test
    void areReadableAndPartitionedByDay() {
        assertThat(DataFileKeys.dataFile("acme", "cpu.load", 17, LocalDate.of(2026, 11, 30), 3, 100, 4711, SHA))
                .isEqualTo("acme/cpu.load-17/date=2026-11-30/p3-100-4711-0000000000000000.parquet");
    }

    @Test
    void tellWhoseTheyAre() {
        String key = DataFileKeys.dataFile("acme", "cpu-1", 17, LocalDate.of(2026, 11, 30), 3, 100, 4711, SHA);

        assertThat(DataFileKeys.isOfTable(key, "acme", "cpu-1")).isTrue();
        assertThat(DataFileKeys.isOfTable(key, "acme", "cpu"))
                .as("a table of another name")
                .isFalse();
        assertThat(DataFileKeys.isOfTable(key, "acm", "cpu-1")).isFalse();
        assertThat(key).startsWith(DataFileKeys.tenantPrefix("acme"));
    }

    @Test
    void namesNeverBecomePaths() {
        assertThat(DataFileKeys.encode("..")).isEqualTo("%2E.");
        assertThat(DataFileKeys.encode(".")).isEqualTo("%2E");
        assertThat(DataFileKeys.encode("a/../b")).isEqualTo("a%2F..%2Fb");
        assertThat(DataFileKeys.encode("date=x%41~")).isEqualTo("date%3Dx%2541%7E");
        assertThat(DataFileKeys.encode("ж 日\u0000")).isEqualTo("%D0%B6%20%E6%97%A5%00");
        assertThatThrownBy(() -> DataFileKeys.encode("")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void differentNamesStayDifferentAndKeysShort() throws StoreException {
        Map<String, String> nameOf = new HashMap<>();
        SplittableRandom random = new SplittableRandom(1);
        List<String> parts = List.of(
                "a",
                "A",
                ".",
                "..",
                "/",
                "%",
                "%2E",
                "=",
                "~",
                "-",
                "ж",
                "日".repeat(40),
                "x".repeat(95),
                "é",
                "\uD83D\uDE00");
        for (int i = 0; i < 4_000; i++) {
            StringBuilder name = new StringBuilder();
            for (int n = 1 + random.nextInt(6); n > 0; n--) {
                name.append(parts.get(random.nextInt(parts.size())));
            }
            String encoded = DataFileKeys.encode(name.toString());
            String other = nameOf.putIfAbsent(encoded, name.toString());
            assertThat(other == null || other.contentEquals(name))
                    .as("%s and %s", other, name)
                    .isTrue();
            assertThat(encoded).matches("[A-Za-z0-9_.%~-]{1,113}").doesNotStartWith(".");
            ObjectKeys.check(DataFileKeys.dataFile(
                    name.toString(),
                    name.toString(),
                    Integer.MAX_VALUE,
                    LocalDate.MAX,
                    Integer.MAX_VALUE,
                    Long.MAX_VALUE,
                    Long.MAX_VALUE,
                    SHA));
        }
    }
}
