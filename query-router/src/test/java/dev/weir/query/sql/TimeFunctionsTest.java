package dev.weir.query.sql;

import static dev.weir.query.sql.TestRows.field;
import static dev.weir.query.sql.TestRows.tag;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import dev.weir.query.sql.image.TableImage;
import dev.weir.query.sql.image.TableNeed;
import dev.weir.query.sql.image.TablePart;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TimeFunctionsTest {
    private static final long MINUTE = 60_000_000_000L;
    private static final TableSchema SERIES = TestRows.schema(
            "default", "ticks", tag(1, "host"), field(2, "v", FieldType.FLOAT64), field(3, "n", FieldType.INT64));
    private static final TableSchema COUNTERS =
            TestRows.schema("default", "counters", tag(1, "host"), field(2, "v", FieldType.INT64));

    private final SqlServer server = SqlServer.shared();

    private static long at(String time) {
        Instant instant = Instant.parse(time);
        return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
    }

    @BeforeAll
    void store() {
        TestRows ticks = new TestRows(SERIES, 1);
        for (long time = at("2024-11-03T04:00:00Z"); time < at("2024-11-03T08:00:00Z"); time += 30 * MINUTE) {
            ticks.row(time, "host", "ny", "v", 1.0);
        }
        ticks.row(at("2024-05-01T10:05:00Z"), "host", "a", "v", 10.0, "n", 1L)
                .row(at("2024-05-01T10:45:00Z"), "host", "a", "v", 12.0, "n", 2L)
                .row(at("2024-05-01T13:10:00Z"), "host", "a", "v", 20.0, "n", 5L)
                .row(at("2024-05-01T12:10:00Z"), "host", "b", "v", 7.0, "n", 9L)
                .row(at("2024-05-01T12:59:59.999999999Z"), "host", "b", "n", 10L);
        put(SERIES, ticks);
        TestRows counters = new TestRows(COUNTERS, 1);
        long[] values = {50, 57, 3, 9, 1};
        for (int i = 0; i < values.length; i++) {
            counters.row(at("2024-05-01T00:00:00Z") + i * MINUTE, "host", "a", "v", values[i]);
        }
        counters.row(at("2024-05-01T00:00:00Z"), "host", "b", "v", 4294967290L)
                .row(at("2024-05-01T00:01:00Z"), "host", "b", "v", 4L);
        put(COUNTERS, counters);
    }

    private void put(TableSchema schema, TestRows rows) {
        server.tables.put(
                new TableImage(schema, List.of(new TablePart(0, List.of(), List.of(rows.buffer()), List.of()))));
    }

    private String rows(String statement) throws Exception {
        return server.rows(statement).toString().replace(":00.000000000Z", "Z").replace("\"", "");
    }

    @Test
    void keepsTheTwoHoursOfTheAutumnChangeApart() throws Exception {
        JsonNode rows = server.rows(
                "SELECT time_bucket('1 hour', time, 'America/New_York') b, count(*), min(time) >= b FROM ticks"
                        + " WHERE host = 'ny' GROUP BY b ORDER BY b");
        assertThat(rows.toString().replace(":00:00.000000000Z", ""))
                .isEqualTo("[[\"2024-11-03T04\",2,true],[\"2024-11-03T05\",2,true],[\"2024-11-03T06\",2,true],"
                        + "[\"2024-11-03T07\",2,true]]");
    }

    @Test
    void bucketsNeverBeginAfterTheirRows() throws Exception {
        String times =
                "(SELECT make_timestamp_ns(1730592000000000000 + i * 899999999999) t FROM range(-600, 600) r(i))";
        for (String zone : List.of("America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Europe/Berlin", "UTC")) {
            for (String width :
                    List.of("15 minutes", "1 hour", "90 minutes", "6 hours", "1 day", "1 week", "1 month")) {
                assertThat(rows("SELECT count(*) FILTER (b > t), count(*) FROM (SELECT t, time_bucket('" + width
                                + "', t, '" + zone + "') b FROM " + times + ")"))
                        .as(width + " " + zone)
                        .isEqualTo("[[0,1200]]");
            }
        }
    }

    @Test
    void bucketsToTheNanosecond() throws Exception {
        assertThat(rows("SELECT time_bucket('1 hour', time), typeof(time_bucket('1 hour', time)) FROM ticks"
                        + " WHERE n = 10"))
                .isEqualTo("[[2024-05-01T12:00Z,TIMESTAMP_NS]]");
        assertThat(server.rows("SELECT time_bucket('500 milliseconds', TIMESTAMP_NS '2024-01-01 00:00:00.499999999'),"
                                + " time_bucket('1 week', DATE '2024-05-05'), time_bucket('1 month', TIMESTAMP"
                                + " '1969-12-31 23:59:59'), time_bucket('1 day', TIMESTAMPTZ"
                                + " '1969-12-31T23:00:00-02:00'), time_bucket('1 hour', TIMESTAMP '2024-01-01"
                                + " 10:20:00', TIMESTAMP '2020-01-01 00:15:00')")
                        .toString())
                .isEqualTo(
                        "[[\"2024-01-01T00:00:00.000000000Z\",\"2024-04-29T00:00:00.000000000Z\",\"1969-12-01T00:00:00.000000000Z\","
                                + "\"1970-01-01T00:00:00.000000000Z\",\"2024-01-01T10:15:00.000000000Z\"]]");
        assertThat(server.refusal(400, "SELECT time_bucket('0 hours', time) FROM ticks")
                        .get("error")
                        .asText())
                .contains("positive width");
    }

    /** Rows that are known to be late are bucketed in less steps. */
    @Test
    void bucketsEarlyAndLateRowsAlike() throws Exception {
        TableSchema schema = TestRows.schema("default", "early", tag(1, "host"), field(2, "v", FieldType.FLOAT64));
        put(
                schema,
                new TestRows(schema, 1)
                        .row(-1, "host", "a", "v", 1.0)
                        .row(at("1950-02-03T04:05:06Z"), "host", "a", "v", 1.0)
                        .row(at("2024-05-01T12:59:59.999999999Z"), "host", "a", "v", 1.0));
        for (String table : List.of("early", "ticks", "early WHERE time >= '1971-01-01T00:00:00Z'")) {
            for (String width : List.of("7 seconds", "1 hour", "90 minutes", "1 day", "1 week", "1000 days")) {
                assertThat(rows("SELECT count(*) FILTER (time_bucket('" + width + "', time) <> time_bucket('" + width
                                + "', make_timestamp_ns(epoch_ns(time)))), count(*) > 0 FROM " + table))
                        .as(width + " of " + table)
                        .isEqualTo("[[0,true]]");
            }
        }
        assertThat(rows("SELECT time_bucket('1 hour', time) FROM early ORDER BY 1"))
                .isEqualTo("[[1950-02-03T04:00Z],[1969-12-31T23:00Z],[2024-05-01T12:00Z]]");
        assertThat(rows("SELECT time_bucket('1 hour', time) FROM (SELECT make_timestamp_ns(epoch_ns(time) -"
                        + " 1800000000000000000) AS time FROM ticks WHERE n = 10)"))
                .isEqualTo("[[1967-04-18T04:00Z]]");
        assertThat(rows("SELECT make_timestamp_ns(epoch_ns(time) - 1800000000000000000) AS time FROM ticks"
                        + " WHERE n = 10 ORDER BY time_bucket('1 hour', time)"))
                .isEqualTo("[[1967-04-18T04:59:59.999999999Z]]");
    }

    @Test
    void takesTheFirstAndTheLastByTime() throws Exception {
        assertThat(rows("SELECT host, first(v, time), last(v, time), last(n, time) FILTER (n < 5) FROM ticks WHERE n >"
                        + " 0 GROUP BY host ORDER BY host"))
                .isEqualTo("[[a,10.0,20.0,2],[b,7.0,7.0,null]]");
        assertThat(server.post("SELECT last(v, time), now() IS NULL FROM ticks").body())
                .contains("{\"name\":\"last\",\"type\":\"DOUBLE\"}");
    }

    @Test
    void countsUpwardStepsAndWhatCameAfterAReset() throws Exception {
        assertThat(rows("SELECT increase(v, time), rate(v, time), delta(v, time) FROM counters WHERE host = 'a'"))
                .isEqualTo("[[17,0.07083333333333333,-49]]");
        String byBucket =
                "SELECT time_bucket('2 minutes', time) b, increase(v, time) i FROM counters WHERE host = 'a' GROUP BY"
                        + " b";
        assertThat(rows(byBucket + " ORDER BY b"))
                .isEqualTo("[[2024-05-01T00:00Z,7],[2024-05-01T00:02Z,9],[2024-05-01T00:04Z,1]]");
        assertThat(rows("SELECT sum(i) FROM (" + byBucket + ")")).isEqualTo("[[17]]");
        assertThat(rows("SELECT host, increase(v, time, 4294967295) FROM counters GROUP BY host ORDER BY host"))
                .isEqualTo("[[a,17],[b,10]]");
        assertThat(rows("SELECT increase(x, t), rate(x, t), delta(x, t) FROM (SELECT v * 2 AS x, time AS t"
                        + " FROM counters WHERE host = 'a')"))
                .isEqualTo("[[34,0.14166666666666666,-98]]");
    }

    @Test
    void fillsAnEmptyDayWithEveryBucket() throws Exception {
        String empty =
                "SELECT time_bucket_gapfill('6 hours', time) b, avg(v) FROM ticks WHERE time %s '2024-06-01' AND time"
                        + " %s '2024-06-01T23:59:59Z'";
        String expected =
                "[[2024-06-01T00:00Z,null],[2024-06-01T06:00Z,null],[2024-06-01T12:00Z,null],[2024-06-01T18:00Z,null]]";
        assertThat(rows(empty.formatted(">=", "<") + " GROUP BY b")).isEqualTo(expected);
        assertThat(rows(empty.formatted(">", "<=") + " GROUP BY 1")).isEqualTo(expected);
        assertThat(rows("SELECT time_bucket_gapfill('6 hours', time) b, locf(last(v, time), INTERVAL '60"
                        + " days') FROM ticks WHERE host = 'a' AND time BETWEEN '2024-06-01' AND"
                        + " '2024-06-01T11:00:00Z' GROUP BY b"))
                .isEqualTo("[[2024-06-01T00:00Z,20.0],[2024-06-01T06:00Z,20.0]]");
    }

    @Test
    void fillsPerGroupAndCarriesAndInterpolates() throws Exception {
        assertThat(rows("SELECT host, time_bucket_gapfill('1 hour', time) AS b, avg(v), locf(avg(v)),"
                        + " interpolate(avg(v)), count(*) FROM ticks WHERE time >= '2024-05-01T10:00:00Z' AND time"
                        + " < '2024-05-01T14:00:00Z' GROUP BY host, b ORDER BY host, b"))
                .isEqualTo("[[a,2024-05-01T10:00Z,11.0,11.0,11.0,2],[a,2024-05-01T11:00Z,null,11.0,14.0,null],"
                        + "[a,2024-05-01T12:00Z,null,11.0,17.0,null],[a,2024-05-01T13:00Z,20.0,20.0,20.0,1],"
                        + "[b,2024-05-01T10:00Z,null,null,null,null],[b,2024-05-01T11:00Z,null,null,null,null],"
                        + "[b,2024-05-01T12:00Z,7.0,7.0,7.0,2],[b,2024-05-01T13:00Z,null,7.0,null,null]]");
        assertThat(rows("WITH f AS (SELECT time_bucket_gapfill('1 hour', time, '2024-05-01T12:00:00Z',"
                        + " '2024-05-01T14:00:00Z') b, increase(n, time) i FROM ticks WHERE host = 'a'"
                        + " GROUP BY b) SELECT count(*), sum(i) FROM f"))
                .isEqualTo("[[2,3]]");
    }

    @Test
    void saysWhatGapFillingLacks() throws Exception {
        assertThat(server.refusal(400, "SELECT time_bucket_gapfill('1 hour', time) b, avg(v) FROM ticks GROUP BY b")
                        .get("error")
                        .asText())
                .contains("expected a start");
        assertThat(server.refusal(
                                400,
                                "SELECT time_bucket_gapfill('1 ms', time) b, avg(v) FROM ticks WHERE time >"
                                        + " '2020-01-01' GROUP BY b")
                        .get("code")
                        .asText())
                .isEqualTo("limit_query");
        assertThat(server.refusal(400, "SELECT avg(v) FROM ticks GROUP BY time_bucket_gapfill('1 hour', time)")
                        .get("error")
                        .asText())
                .contains("as an item of SELECT");
    }

    @Test
    void joinsAsOf() throws Exception {
        assertThat(rows("SELECT a.time, b.n FROM ticks a ASOF JOIN ticks b ON a.host = b.host AND a.time > b.time"
                        + " WHERE a.host = 'a' AND a.n > 1 ORDER BY a.time"))
                .isEqualTo("[[2024-05-01T10:45Z,1],[2024-05-01T13:10Z,2]]");
    }

    @Test
    void givesTheNewestRowOfEach() throws Exception {
        TableSchema schema =
                TestRows.schema("default", "newest", tag(1, "host"), tag(2, "zone"), field(3, "v", FieldType.INT64));
        TestRows files = new TestRows(schema, 1);
        TestRows buffer = new TestRows(schema, 1000);
        String[] hosts = {"a", "b", "c", null};
        for (int i = 0; i < 60; i++) {
            files.row(i * 7L % 60, "host", hosts[i % 4], "zone", i % 3 == 0 ? null : "z" + i % 3, "v", (long) i);
            buffer.row(30 + i * 11L % 60, "host", hosts[i * 3 % 4], "zone", "z" + i % 2, "v", 100L + i);
        }
        server.tables.put(new TableImage(
                schema,
                List.of(new TablePart(
                        0, List.of(files.file(server.file("newest.parquet"))), List.of(buffer.buffer()), List.of()))));
        for (String query : List.of(
                "SELECT DISTINCT ON (%s) host, zone, time FROM newest ORDER BY %s, time DESC",
                "SELECT DISTINCT ON (%s) n.host, n.zone, n.time FROM newest n ORDER BY %s, time DESC LIMIT 3",
                "WITH w AS (SELECT DISTINCT ON (%s) host, zone, time FROM newest ORDER BY %s, time DESC) SELECT * FROM w ORDER BY ALL",
                "SELECT DISTINCT ON (%s) host, zone, time FROM newest WHERE host = 'a' OR host IS NULL ORDER BY %s, time DESC",
                "SELECT DISTINCT ON (%s) host, zone, time FROM newest WHERE zone = 'z1' ORDER BY %s, time DESC",
                "SELECT DISTINCT ON (%s) host, zone, time FROM newest WHERE v < 50 ORDER BY %s, time DESC")) {
            for (String keys : List.of("host, zone", "zone, host")) {
                String fast = query.formatted(keys, keys);
                // An expression in place of the column hides the shape, and answers the same.
                String plain = fast.replace("time DESC", "epoch_ns(time) DESC");
                assertThat(rows(fast)).as(fast).isEqualTo(rows(plain)).isNotEqualTo("[]");
            }
            String byHost =
                    query.formatted("host", "host").replace(", zone", "").replace(", n.zone", "");
            assertThat(rows(byHost)).as(byHost).isEqualTo(rows(byHost.replace("time DESC", "epoch_ns(time) DESC")));
        }
        assertThat(server.post("EXPLAIN SELECT DISTINCT ON (host) * FROM newest ORDER BY host, time DESC")
                        .body())
                .contains("Join Type: SEMI");
        assertThat(server.post(
                                "EXPLAIN SELECT DISTINCT ON (host) *, count(*) OVER () FROM newest ORDER BY host, time DESC")
                        .body())
                .doesNotContain("Join Type: SEMI");
    }

    @Test
    void asksForTheNewestRowsAloneWhereOthersCannotMatter() throws Exception {
        for (String query : List.of(
                "SELECT DISTINCT ON (host) * FROM ticks ORDER BY host, time DESC",
                "SELECT DISTINCT ON (host) host, v AS w, time FROM ticks t WHERE host IN ('a', 'b') ORDER BY t.host, time DESC, v LIMIT 5",
                "SELECT max(time) FROM ticks",
                "SELECT host, max(time) AS newest FROM ticks WHERE host <> 'b' GROUP BY host ORDER BY newest",
                "SELECT max(time) FROM ticks WHERE time >= '2024-05-01T00:00:00Z'",
                "SELECT * FROM ticks WHERE host = 'a' ORDER BY time DESC LIMIT 1")) {
            assertThat(rows(query)).as(query).isNotEqualTo("[]");
            assertThat(server.tables.lastNeed().newest()).as(query).isTrue();
        }
        for (String query : List.of(
                "SELECT DISTINCT ON (host) * FROM ticks ORDER BY host, time",
                "SELECT DISTINCT ON (host) * FROM ticks WHERE n > 1 ORDER BY host, time DESC",
                "SELECT DISTINCT ON (host) host, -n AS time FROM ticks ORDER BY host, time DESC",
                "SELECT DISTINCT ON (host) host, first_value(n) OVER () FROM ticks ORDER BY host, time DESC",
                "SELECT * REPLACE (-n AS time) FROM ticks ORDER BY time DESC LIMIT 1",
                "SELECT host, max(time), count(*) FROM ticks GROUP BY host",
                "SELECT host, max(time) FROM ticks GROUP BY host HAVING count(*) > 1",
                "SELECT host, max(time) FILTER (n < 2) FROM ticks GROUP BY host",
                "SELECT max(time) FROM ticks WHERE time <> '2024-05-01T00:00:00Z'",
                "SELECT max(time), (SELECT count(*) FROM ticks) FROM ticks",
                "SELECT n, max(time) FROM ticks GROUP BY n",
                "SELECT max(time) FROM ticks WHERE COLUMNS('^n$') > 0",
                "SELECT time, unnest([n, n]) FROM ticks ORDER BY time DESC LIMIT 1",
                "SELECT DISTINCT ON (count(*)) host, max(time) FROM ticks GROUP BY host ORDER BY host",
                "SELECT time, row_number() OVER () FROM ticks ORDER BY time DESC LIMIT 1",
                "SELECT n, time FROM ticks ORDER BY time DESC, row_number() OVER () LIMIT 1",
                "SELECT * FROM ticks ORDER BY time DESC LIMIT 2",
                "SELECT * FROM ticks ORDER BY time DESC LIMIT 1 OFFSET 1",
                "SELECT DISTINCT n FROM ticks ORDER BY n LIMIT 1",
                "SELECT n, time FROM ticks ORDER BY n, time DESC LIMIT 1",
                "SELECT max(a.time) FROM ticks a JOIN ticks b USING (host)")) {
            assertThat(rows(query)).as(query).isNotEqualTo("[]");
            assertThat(server.tables.lastNeed().newest()).as(query).isFalse();
        }
    }

    @Test
    void asksForNoTimesBeyondThoseThatAreShown() throws Exception {
        // A newest row just beyond the bound hides the one within it from who asks for newest rows.
        rows("SELECT max(time) FROM ticks WHERE time <= '2024-05-01T10:45:00.000000001Z'");

        TableNeed need = server.tables.lastNeed();
        assertThat(need.newest()).isTrue();
        assertThat(need.times().toNanos()).isEqualTo(1_714_560_300_000_000_001L);
    }
}
