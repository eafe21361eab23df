package dev.weir.query.sql;

import static dev.weir.query.sql.TestRows.field;
import static dev.weir.query.sql.TestRows.tag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import dev.weir.query.sql.image.DeletedRange;
import dev.weir.query.sql.image.TableImage;
import dev.weir.query.sql.image.TablePart;
import dev.weir.query.sql.image.TimeRange;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlRoutesTest {
    private static final long T = 1_700_000_000_123_456_789L;
    private static final TableSchema CPU = TestRows.schema(
            "default",
            "cpu",
            tag(1, "host"),
            tag(2, "zone"),
            field(3, "usage", FieldType.FLOAT64),
            field(4, "count", FieldType.INT64),
            field(5, "big", FieldType.UINT64),
            field(6, "ok", FieldType.BOOL),
            field(7, "note", FieldType.STRING));

    private final SqlServer server = SqlServer.shared();

    @BeforeAll
    void store() throws Exception {
        server.tables.put(new TableImage(
                CPU,
                List.of(
                        new TablePart(
                                0,
                                List.of(new TestRows(CPU, 1)
                                        .row(T, "host", "a", "zone", "eu", "usage", 0.5, "count", 9007199254740993L)
                                        .row(T + 1, "host", "a", "zone", "eu", "usage", 1.5, "note", "x,\"y\"")
                                        .file(server.file("cpu-1.parquet"))),
                                List.of(new TestRows(CPU, 3)
                                        .row(T + 2, "host", "a", "big", "18446744073709551615", "ok", true, "note", "")
                                        .buffer()),
                                List.of()),
                        new TablePart(
                                1,
                                List.of(),
                                List.of(new TestRows(CPU, 1)
                                        .row(T, "host", "b", "usage", -2.0)
                                        .buffer()),
                                List.of()))));
        server.tables.put(
                new TableImage(TestRows.schema("other", "secret", field(1, "v", FieldType.INT64)), List.of()));
    }

    @Test
    void answersFilesAndBuffersAsOneTable() throws Exception {
        HttpResponse<String> answer = server.post("SELECT * FROM cpu ORDER BY time, host");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body())
                .isEqualTo(
                        "{\"columns\":[{\"name\":\"time\",\"type\":\"TIMESTAMP_NS\"},{\"name\":\"host\",\"type\":\"VARCHAR\"},"
                                + "{\"name\":\"zone\",\"type\":\"VARCHAR\"},{\"name\":\"big\",\"type\":\"UBIGINT\"},{\"name\":\"count\",\"type\":\"BIGINT\"},"
                                + "{\"name\":\"note\",\"type\":\"VARCHAR\"},{\"name\":\"ok\",\"type\":\"BOOLEAN\"},{\"name\":\"usage\",\"type\":\"DOUBLE\"}],\"rows\":["
                                + "[\"2023-11-14T22:13:20.123456789Z\",\"a\",\"eu\",null,9007199254740993,null,null,0.5],"
                                + "[\"2023-11-14T22:13:20.123456789Z\",\"b\",null,null,null,null,null,-2.0],[\"2023-11-14T22:13:20.123456790Z\",\"a\",\"eu\",null,null,\"x,\\\"y\\\"\",null,1.5],[\"2023-11-14T22:13:20.123456791Z\",\"a\",null,18446744073709551615,null,\"\",true,null]],\"row_count\":4}\n");
        assertThat(answer.headers().firstValue("content-type")).contains("application/json");
        assertThat(answer.headers().firstValue("Weir-Complete-Until")).contains("2026-11-01T00:00:00.123Z");
        assertThat(answer.headers().firstValue("Weir-Served-By")).contains("n1");
        assertThat(Cursor.decode(answer.headers().firstValue("Weir-Read").orElseThrow(), "default"))
                .isEqualTo(Cursor.of(0, 42));
    }

    @Test
    void takesAStatementAsJsonAsTextAndInTheAddress() throws Exception {
        String expected = "[[4]]";
        assertThat(server.rows("SELECT count(*) FROM cpu").toString()).isEqualTo(expected);
        assertThat(server.rows("{\"query\": \"SELECT count(*) FROM \\\"cpu\\\"\"}")
                        .toString())
                .isEqualTo(expected);
        HttpResponse<String> got = server.client.send(
                java.net.http.HttpRequest.newBuilder(java.net.URI.create(
                                "http://127.0.0.1:" + server.port() + "/api/v1/sql?q=SELECT%20count(*)%20FROM%20cpu"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(SqlServer.JSON.readTree(got.body()).get("rows").toString()).isEqualTo(expected);
    }

    @Test
    void prunesByTimeAndTags() throws Exception {
        assertThat(server.rows("SELECT usage FROM cpu WHERE host = 'a' AND time >= '2023-11-14T22:13:20.123456790Z'"
                                + " AND time < TIMESTAMP '2023-11-14 22:13:21' AND count IS NULL")
                        .toString())
                .isEqualTo("[[1.5],[null]]");
        assertThat(server.tables.lastNeed().tags()).isEqualTo(Map.of("host", List.of("a")));
        assertThat(server.tables.lastNeed().columns()).containsExactlyInAnyOrder("host", "zone", "usage", "count");
        assertThat(server.tables.lastNeed().times().fromNanos()).isEqualTo(T + 1 - 1000);
        assertThat(server.tables.lastNeed().times().toNanos())
                .isEqualTo((T / 1_000_000_000 + 1) * 1_000_000_000 - 1 + 1000);
    }

    @Test
    void comparesTimesToTheNanosecondAndMindsTheOffset() throws Exception {
        assertThat(server.rows("SELECT count(*) FROM cpu WHERE time > '2023-11-15T00:13:20.123456790+02:00'")
                        .toString())
                .isEqualTo("[[1]]");
        assertThat(server.rows("SELECT count(*) FROM cpu WHERE time > '1969-01-01' AND time > '1677-10-01T00:00:00Z'")
                        .toString())
                .isEqualTo("[[4]]");
        assertThat(server.rows("SELECT count(*) FROM cpu WHERE time > now()").toString())
                .isEqualTo("[[0]]");
        assertThat(server.rows("SELECT count(*) FROM cpu WHERE time <= current_timestamp - INTERVAL '1 hour'")
                        .toString())
                .isEqualTo("[[4]]");
    }

    @Test
    void prunesByWhatIsRelativeToNow() throws Exception {
        long before = System.currentTimeMillis() * 1_000_000;
        server.rows(
                "SELECT count(*) FROM cpu WHERE time > now() - INTERVAL '1 hour' AND time < time_bucket('1 minute', now())");
        TimeRange times = server.tables.lastNeed().times();
        assertThat(times.fromNanos()).isBetween(before - 3_600_000_000_000L - 2_000_000, before - 3_500_000_000_000L);
        assertThat(times.toNanos()).isBetween(before - 60_000_000_000L - 2_000, before + 60_000_000_000L);
        server.rows("SELECT count(*) FROM cpu WHERE time > now() - INTERVAL 2 DAY - to_hours(1)");
        assertThat(server.tables.lastNeed().times().fromNanos())
                .isBetween(before - 49 * 3_600_000_000_000L - 2_000_000, before - 48 * 3_600_000_000_000L);
        assertThat(server.rows("SELECT now() - INTERVAL '1 month' < now(), now() + INTERVAL '1 day' > now()")
                        .toString())
                .isEqualTo("[[true,true]]");
    }

    @Test
    void readsATableTwiceInOneStatement() throws Exception {
        assertThat(server.rows("WITH x AS (SELECT * FROM cpu) SELECT count(*) FROM x a JOIN x b ON a.time = b.time"
                                + " AND a.host = b.host JOIN cpu c ON c.time = a.time AND c.host = a.host")
                        .toString())
                .isEqualTo("[[4]]");
        await().atMost(Duration.ofSeconds(5)).until(() -> server.tables.open.get() == 0);
    }

    @Test
    void mergesByFieldWhereRowsRepeat() throws Exception {
        TableSchema schema = TestRows.schema(
                "default", "merged", tag(1, "host"), field(2, "a", FieldType.INT64), field(3, "b", FieldType.INT64));
        server.tables.put(new TableImage(
                schema,
                List.of(new TablePart(
                        0,
                        List.of(new TestRows(schema, 1)
                                .row(T, "host", "x", "a", 1L, "b", 1L)
                                .row(T + 1, "host", "x", "a", 5L)
                                .mayRepeat()
                                .file(server.file("merged.parquet"))),
                        List.of(new TestRows(schema, 3)
                                .row(T, "host", "x", "b", 2L)
                                .row(T, "host", "x", "a", 3L)
                                .row(T, "host", "y", "a", 9L)
                                .mayRepeat()
                                .buffer()),
                        List.of()))));
        assertThat(server.rows("SELECT host, a, b FROM merged ORDER BY host, time")
                        .toString())
                .isEqualTo("[[\"x\",3,2],[\"x\",5,null],[\"y\",9,null]]");
    }

    @Test
    void leavesOutWhatWasDeletedButNotWhatWasWrittenAfterwards() throws Exception {
        TableSchema schema = TestRows.schema("default", "deleted", tag(1, "host"), field(2, "a", FieldType.INT64));
        server.tables.put(new TableImage(
                schema,
                List.of(new TablePart(
                        0,
                        List.of(new TestRows(schema, 1)
                                .row(T, "host", "x", "a", 1L)
                                .row(T + 1, "a", 2L)
                                .row(T + 5, "host", "x", "a", 3L)
                                .file(server.file("deleted.parquet"))),
                        List.of(new TestRows(schema, 10)
                                .row(T, "host", "x", "a", 4L)
                                .buffer()),
                        List.of(
                                new DeletedRange(9, new TimeRange(T, T + 2), Map.of("host", List.of("x"))),
                                new DeletedRange(9, TimeRange.ALL, Map.of("host", List.of(""))))))));
        assertThat(server.rows("SELECT a FROM deleted ORDER BY time").toString())
                .isEqualTo("[[4],[3]]");
    }

    @Test
    void readsFilesOfOlderSchemas() throws Exception {
        TableSchema old = TestRows.schema("default", "evolved", tag(1, "host"), field(2, "v", FieldType.INT64));
        TableSchema now = new TableSchema(
                old.tableId(),
                "default",
                "evolved",
                3,
                false,
                List.of(
                        tag(1, "host"),
                        field(2, "v", FieldType.FLOAT64),
                        new Column(5, "added", ColumnRole.FIELD, FieldType.STRING, false)));
        server.tables.put(new TableImage(
                now,
                List.of(new TablePart(
                        0,
                        List.of(new TestRows(old, 1)
                                .row(T, "host", "x", "v", 7L)
                                .file(server.file("old.parquet"))),
                        List.of(new TestRows(now, 2)
                                .row(T + 1, "host", "x", "v", 0.5, "added", "n")
                                .buffer()),
                        List.of()))));
        assertThat(server.rows("SELECT added, v FROM evolved ORDER BY time").toString())
                .isEqualTo("[[null,7.0],[\"n\",0.5]]");
    }

    @Test
    void readsBuffersOfManyPartitionsWhateverTheirColumns() throws Exception {
        TableSchema old = TestRows.schema("default", "spread", tag(1, "host"), field(2, "v", FieldType.INT64));
        TableSchema now = new TableSchema(
                old.tableId(),
                "default",
                "spread",
                2,
                false,
                List.of(tag(1, "host"), field(2, "v", FieldType.INT64), field(5, "added", FieldType.STRING)));
        List<TablePart> parts = new ArrayList<>();
        for (int partition = 0; partition < 12; partition++) {
            boolean older = partition % 4 == 3;
            TestRows rows = new TestRows(older ? old : now, 1);
            for (int i = 0; i < 3; i++) {
                rows.row(T + i, "host", "h" + partition, "v", 10L * partition + i);
            }
            List<DeletedRange> deletes =
                    partition == 5 ? List.of(new DeletedRange(9, new TimeRange(T, T), Map.of())) : List.of();
            parts.add(new TablePart(partition, List.of(), List.of(rows.buffer()), deletes));
        }
        server.tables.put(new TableImage(now, parts));
        // 3 rows each of 0 to 11, but for the first of partition 5.
        assertThat(server.rows("SELECT count(*), sum(v), count(DISTINCT host), count(added) FROM spread")
                        .toString())
                .isEqualTo("[[35,1966,12,0]]");
        assertThat(server.rows("WITH s AS (SELECT * FROM spread) SELECT count(*) FROM s a JOIN s b USING (host, time)"
                                + " JOIN spread c USING (host, time)")
                        .toString())
                .isEqualTo("[[35]]");
        assertThat(server.rows("SELECT v FROM spread LIMIT 1").size()).isEqualTo(1);
        await().atMost(Duration.ofSeconds(5)).until(() -> server.tables.open.get() == 0);
    }

    @Test
    void namesThePlaceAndTheValueOfAnError() throws Exception {
        JsonNode bad = server.refusal(400, "SELECT CAST(note AS INTEGER) FROM cpu WHERE note = 'x,\"y\"'");
        assertThat(bad.get("code").asText()).isEqualTo("conversion");
        assertThat(bad.get("error").asText()).contains("x,\"y\"").contains("note");
        assertThat(bad.get("position").asInt()).isEqualTo(8);
        assertThat(server.rows("SELECT TRY_CAST(note AS INTEGER) FROM cpu WHERE note = 'x,\"y\"'")
                        .toString())
                .isEqualTo("[[null]]");
        JsonNode unknown = server.refusal(400, "SELECT 'ü', host, nope FROM cpu WHERE time > now()");
        assertThat(unknown.get("error").asText()).contains("nope");
        assertThat(unknown.get("position").asInt()).isEqualTo(19);
        JsonNode syntax = server.refusal(400, "SELECT 'ü' FRM cpu x");
        assertThat(syntax.get("code").asText()).isEqualTo("syntax");
        assertThat(syntax.get("position").asInt()).isPositive();
        JsonNode table = server.refusal(404, "SELECT * FROM nowhere");
        assertThat(table.get("code").asText()).isEqualTo("not_found");
        assertThat(table.get("position").asInt()).isEqualTo(15);
    }
}
