package dev.weir.query.sql;

import static dev.weir.query.sql.TestRows.field;
import static dev.weir.query.sql.TestRows.tag;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import dev.weir.query.sql.image.TableImage;
import dev.weir.query.sql.image.TablePart;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Conditions on time are exact to the nanosecond, whatever the source keeps: microseconds, a rest beside them, or nanoseconds. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TimeBoundsTest {
    private static final TableSchema EDGES =
            TestRows.schema("bounds", "edges", tag(1, "host"), field(2, "n", FieldType.INT64));
    private static final long NEW_YEAR = 1_704_067_200_000_000_000L;

    private final SqlServer server = SqlServer.shared();
    private final List<Long> times = new ArrayList<>();

    @BeforeAll
    void store() throws Exception {
        TestRows nanos = new TestRows(EDGES, 1);
        TestRows micros = new TestRows(EDGES, 1000);
        TestRows buffered = new TestRows(EDGES, 2000);
        for (long base : List.of(NEW_YEAR, 0L, -5_000_000_000L)) {
            for (long offset : List.of(-1001L, -1000L, -999L, -1L, 0L, 1L, 500L, 999L, 1000L, 1001L)) {
                long time = base + offset;
                nanos.row(time, "host", "n", "n", time);
                buffered.row(time, "host", "b", "n", time);
                times.addAll(List.of(time, time));
                if (Math.floorMod(time, 1000) == 0) {
                    micros.row(time, "host", "m", "n", time);
                    times.add(time);
                }
            }
        }
        server.tables.put(new TableImage(
                EDGES,
                List.of(new TablePart(
                        0,
                        List.of(
                                nanos.file(server.file("edges-nanos.parquet")),
                                micros.file(server.file("edges-micros.parquet"))),
                        List.of(buffered.buffer()),
                        List.of()))));
    }

    @Test
    void everyRowAndNoOtherIsInRange() throws Exception {
        Random random = new Random(20261130);
        for (int i = 0; i < 60; i++) {
            long low = times.get(random.nextInt(times.size())) + random.nextInt(3) - 1;
            long high = low
                    + List.of(0L, 1L, 499L, 1000L, 2001L, Long.MAX_VALUE / 2).get(random.nextInt(6));
            boolean lowIn = random.nextBoolean();
            boolean highIn = random.nextBoolean();
            String where = lowIn && highIn && random.nextBoolean()
                    ? "time BETWEEN " + literal(low) + " AND " + literal(high)
                    : "time >" + (lowIn ? "= " : " ") + literal(low) + " AND " + literal(high) + " >"
                            + (highIn ? "= " : " ") + "time";
            long expected = times.stream()
                    .filter(time -> (lowIn ? time >= low : time > low) && (highIn ? time <= high : time < high))
                    .count();
            assertThat(server.rows(
                                    "SELECT count(*), count(*) FILTER (epoch_ns(time) = n) FROM edges WHERE " + where,
                                    "Tenant",
                                    "bounds")
                            .toString())
                    .as(where)
                    .isEqualTo("[[" + expected + "," + expected + "]]");
        }
    }

    @Test
    void conditionsBesideTimeStay() throws Exception {
        assertThat(count("time >= " + literal(NEW_YEAR) + " AND host = 'm'")).isEqualTo(2);
        assertThat(count("time >= " + literal(NEW_YEAR) + " AND (time < " + literal(NEW_YEAR + 1) + " OR host = 'm')"))
                .isEqualTo(4);
        assertThat(count("NOT (time >= " + literal(NEW_YEAR) + ") AND host = 'm' AND n > 0"))
                .isEqualTo(2);
        assertThat(count("time = " + literal(NEW_YEAR))).isEqualTo(3);
        assertThat(server.rows(
                                "SELECT count(*) FROM edges a LEFT JOIN edges b ON a.time = b.time AND b.host = 'm' WHERE b.time < "
                                        + literal(NEW_YEAR) + " OR b.time IS NULL",
                                "Tenant",
                                "bounds")
                        .path(0)
                        .path(0)
                        .asLong())
                .isEqualTo(times.size() - 3 * 2);
    }

    @Test
    void columnsMayHaveOtherNames() throws Exception {
        assertThat(server.rows(
                                "SELECT count(h), count(n) FROM edges AS e(moment, h, n) WHERE h = 'm' AND moment >= "
                                        + literal(NEW_YEAR),
                                "Tenant",
                                "bounds")
                        .toString())
                .isEqualTo("[[2,2]]");
    }

    @Test
    void bucketsBeforeAndAfterTheirOrigin() throws Exception {
        JsonNode rows = server.rows(
                "SELECT DISTINCT n, epoch_ns(time_bucket('7 microseconds', time)) FROM edges", "Tenant", "bounds");
        assertThat(rows)
                .hasSize((int) Stream.of(times).flatMap(List::stream).distinct().count());
        long monday = 946_857_600_000_000_000L;
        for (JsonNode row : rows) {
            long time = row.path(0).asLong();
            assertThat(row.path(1).asLong()).isEqualTo(time - Math.floorMod(time - monday, 7000L));
        }
    }

    private long count(String where) throws Exception {
        return server.rows("SELECT count(*) FROM edges WHERE " + where, "Tenant", "bounds")
                .path(0)
                .path(0)
                .asLong();
    }

    private static String literal(long nanos) {
        return "'"
                + java.time.Instant.ofEpochSecond(
                        Math.floorDiv(nanos, 1_000_000_000L), Math.floorMod(nanos, 1_000_000_000L))
                + "'";
    }
}
