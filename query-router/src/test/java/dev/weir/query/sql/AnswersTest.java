package dev.weir.query.sql;

import static dev.weir.query.sql.TestRows.field;
import static dev.weir.query.sql.TestRows.tag;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Publication;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.read.Consistency;
import dev.weir.query.sql.image.ReadOptions;
import dev.weir.query.sql.image.TableImage;
import dev.weir.query.sql.image.TablePart;
import dev.weir.query.sql.image.TimeRange;
import dev.weir.query.sql.statement.Statement;
import dev.weir.query.sql.statement.Statement.ColumnDefinition;
import dev.weir.query.sql.statement.TableOptions;
import dev.weir.query.sql.statement.TableStatements.RefusedRow;
import java.math.BigInteger;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Formats, parameters, and the statements that are ours. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AnswersTest {
    private static final TableSchema THINGS = TestRows.schema(
            "answers",
            "things",
            tag(1, "host"),
            field(2, "v", FieldType.FLOAT64),
            field(3, "n", FieldType.INT64),
            field(4, "u", FieldType.UINT64),
            field(5, "note", FieldType.STRING));
    private static final String VALUES =
            "SELECT 1.50::DECIMAL(4,2) a, 9007199254740993 b, 'NaN'::DOUBLE c, '-inf'::DOUBLE d, DATE '2024-02-29' e,"
                    + " [1, 2] f, {'x': 'y'} g, INTERVAL '1 month 2 days 3 seconds' h, NULL i, 'x'::BLOB j,"
                    + " sum(170141183460469231731) k";

    private final SqlServer server = SqlServer.shared();

    @BeforeAll
    void store() {
        server.tables.put(new TableImage(
                THINGS,
                List.of(new TablePart(
                        0,
                        List.of(),
                        List.of(new TestRows(THINGS, 1)
                                .row(
                                        -1,
                                        "host",
                                        "a",
                                        "v",
                                        1.0,
                                        "n",
                                        Long.MAX_VALUE,
                                        "u",
                                        "18446744073709551615",
                                        "note",
                                        "a,\"b\"\nc")
                                .row(1, "host", "b", "note", "")
                                .buffer()),
                        List.of()))));
    }

    @BeforeEach
    void forget() {
        server.statements.executed.clear();
        server.statements.inserted.clear();
        server.statements.refuse = List.of();
    }

    private HttpResponse<String> post(String statement, String... headers) throws Exception {
        return postTo("/api/v1/sql", statement, headers);
    }

    private HttpResponse<String> postTo(String path, String statement, String... headers) throws Exception {
        String[] all = java.util.Arrays.copyOf(headers, headers.length + 2);
        all[headers.length] = "Tenant";
        all[headers.length + 1] = "answers";
        return server.postTo(path, statement, all);
    }

    @Test
    void writesJson() throws Exception {
        assertThat(post(VALUES).body())
                .endsWith(
                        "\"rows\":[[1.50,9007199254740993,\"NaN\",\"-Infinity\",\"2024-02-29\",[1,2],{\"x\":\"y\"},\"P1M2DT3S\",null,\"eA==\",170141183460469231731]],\"row_count\":1}\n");
        assertThat(postTo("/api/v1/sql?epoch=ns&int64=string", "SELECT time, n, u FROM things ORDER BY time")
                        .body())
                .isEqualTo(
                        "{\"columns\":[{\"name\":\"time\",\"type\":\"BIGINT\"},{\"name\":\"n\",\"type\":\"BIGINT\"},{\"name\":\"u\",\"type\":\"UBIGINT\"}],\"rows\":[[\"-1\",\"9223372036854775807\",\"18446744073709551615\"],[\"1\",null,null]],\"row_count\":2}\n");
    }

    @Test
    void writesNdjson() throws Exception {
        HttpResponse<String> answer =
                post("SELECT time, host, host, v FROM things ORDER BY time", "Accept", "application/x-ndjson");
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/x-ndjson");
        assertThat(answer.body())
                .isEqualTo("{\"time\":\"1969-12-31T23:59:59.999999999Z\",\"host\":\"a\",\"host_1\":\"a\",\"v\":1.0}\n"
                        + "{\"time\":\"1970-01-01T00:00:00.000000001Z\",\"host\":\"b\",\"host_1\":\"b\",\"v\":null}\n");
        assertThat(post("SELECT 1 WHERE false", "Accept", "application/x-ndjson")
                        .body())
                .isEmpty();
    }

    @Test
    void writesCsv() throws Exception {
        assertThat(post("SELECT time, note, n FROM things ORDER BY time", "Accept", "text/csv")
                        .body())
                .isEqualTo("time,note,n\r\n1969-12-31T23:59:59.999999999Z,\"a,\"\"b\"\"\nc\",9223372036854775807\r\n"
                        + "1970-01-01T00:00:00.000000001Z,\"\",\r\n");
        assertThat(post(VALUES, "Accept", "text/csv").body())
                .isEqualTo(
                        "a,b,c,d,e,f,g,h,i,j,k\r\n"
                                + "1.50,9007199254740993,NaN,-Infinity,2024-02-29,\"[1,2]\",\"{\"\"x\"\":\"\"y\"\"}\",P1M2DT3S,,eA==,170141183460469231731\r\n");
        assertThat(post("SELECT 1", "Accept", "image/png").statusCode()).isEqualTo(406);
    }

    @Test
    void passesOnHowFreshItMustBe() throws Exception {
        String cursor = Cursor.of(0, 5).encode("answers");
        assertThat(postTo("/api/v1/sql?consistency=any&max_staleness=5s&min_cursor=" + cursor, "SELECT 1 FROM things")
                        .statusCode())
                .isEqualTo(200);
        assertThat(server.tables.asked.getLast().options())
                .isEqualTo(new ReadOptions(
                        Consistency.ANY, Optional.of(Cursor.of(0, 5)), Optional.of(Duration.ofSeconds(5))));
        for (String bad : List.of("consistency=some", "max_staleness=5s", "min_cursor=x", "limit=1", "epoch=s")) {
            assertThat(postTo("/api/v1/sql?" + bad, "SELECT 1").statusCode())
                    .as(bad)
                    .isEqualTo(400);
        }
    }

    @Test
    void insertsValuesExactly() throws Exception {
        HttpResponse<String> answer =
                post("INSERT INTO things (time, host, v, n, u, note) VALUES ('2024-01-01T00:00:00Z', 'a', 0.5,"
                        + " 9007199254740993, 18446744073709551615, 'it''s'), ('2024-01-01T00:00:00.000000001Z', 'b', 1,"
                        + " NULL, 7, NULL)");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("\"rows\":[[2]]");
        assertThat(Cursor.decode(answer.headers().firstValue("Weir-Commit").orElseThrow(), "answers"))
                .isEqualTo(Cursor.of(0, 7));
        var inserted = server.statements.inserted.getFirst();
        assertThat(inserted.columns()).containsExactly("time", "host", "v", "n", "u", "note");
        assertThat(inserted.rows().timeIsNanos()).isFalse();
        assertThat(inserted.rows().rows().getFirst())
                .containsExactly(
                        "2024-01-01T00:00:00Z",
                        "a",
                        0.5,
                        9007199254740993L,
                        new BigInteger("18446744073709551615"),
                        "it's");
        assertThat(inserted.rows().rows().getLast())
                .containsExactly("2024-01-01T00:00:00.000000001Z", "b", 1.0, null, 7L, null);
    }

    @Test
    void insertsWhatAQueryGives() throws Exception {
        assertThat(post("INSERT INTO copies (time, host, n) SELECT time, host, n FROM things ORDER BY time")
                        .body())
                .contains("[[2]]");
        var inserted = server.statements.inserted.getFirst();
        assertThat(inserted.rows().timeIsNanos()).isTrue();
        assertThat(inserted.rows().rows().getFirst()).containsExactly(-1L, "a", Long.MAX_VALUE);
        server.statements.refuse = List.of(new RefusedRow(1, Refusal.of(ErrorCode.TYPE_CONFLICT, "n: expected int64")));
        HttpResponse<String> refused = post("INSERT INTO copies (time, n) SELECT time, v FROM things ORDER BY time");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body())
                .contains("row 2: n: expected int64; 1 rows were stored")
                .contains("type_conflict");
        assertThat(post("INSERT INTO copies (time) SELECT time, v FROM things").body())
                .contains("1 columns are named");
        assertThat(post("INSERT INTO copies (time, v) SELECT time, [v] FROM things")
                        .body())
                .contains("type_conflict");
        assertThat(post("INSERT INTO copies (time, v) SELECT * FROM read_parquet('x')")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void parsesStatementsOnTables() throws Exception {
        assertThat(statement("CREATE TABLE IF NOT EXISTS \"my table\" (time TIMESTAMP, host TAG, v DOUBLE"
                        + " PRECISION, n BIGINT, u UBIGINT, b BOOLEAN, s VARCHAR) WITH (retention = '30d',"
                        + " schema = 'strict', time_unit = 'ms')"))
                .isEqualTo(new Statement.CreateTable(
                        "my table",
                        true,
                        List.of(
                                new ColumnDefinition("host", ColumnRole.TAG, FieldType.STRING),
                                new ColumnDefinition("v", ColumnRole.FIELD, FieldType.FLOAT64),
                                new ColumnDefinition("n", ColumnRole.FIELD, FieldType.INT64),
                                new ColumnDefinition("u", ColumnRole.FIELD, FieldType.UINT64),
                                new ColumnDefinition("b", ColumnRole.FIELD, FieldType.BOOL),
                                new ColumnDefinition("s", ColumnRole.FIELD, FieldType.STRING)),
                        new TableOptions(
                                Optional.of(Duration.ofDays(30)),
                                Optional.of(true),
                                Optional.of(TableOptions.TimeUnit.MS),
                                Optional.empty()),
                        28));
        assertThat(statement("create table t"))
                .isEqualTo(new Statement.CreateTable("t", false, List.of(), TableOptions.NONE, 14));
        assertThat(statement("ALTER TABLE t ADD COLUMN c TAG"))
                .isEqualTo(
                        new Statement.AddColumn("t", new ColumnDefinition("c", ColumnRole.TAG, FieldType.STRING), 13));
        assertThat(statement("ALTER TABLE t DROP COLUMN \"c\"\"d\""))
                .isEqualTo(new Statement.DropColumn("t", "c\"d", 13));
        assertThat(statement("ALTER TABLE t ALTER COLUMN c TYPE DOUBLE"))
                .isEqualTo(new Statement.ColumnType("t", "c", FieldType.FLOAT64, 13));
        assertThat(statement("ALTER TABLE t SET retention = '12 hours'"))
                .isEqualTo(new Statement.SetOptions(
                        "t",
                        new TableOptions(
                                Optional.of(Duration.ofHours(12)),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()),
                        13));
        assertThat(statement("ALTER TABLE t SET published = 'delta'"))
                .isEqualTo(new Statement.SetOptions(
                        "t",
                        new TableOptions(
                                Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(Publication.DELTA)),
                        13));
        assertThat(statement("DROP TABLE IF EXISTS t;")).isEqualTo(new Statement.DropTable("t", true, 22));
        assertThat(statement("-- now\nFLUSH TABLE t")).isEqualTo(new Statement.FlushTable("t", 20));
        assertThat(statement("/* now */ compact table tables")).isEqualTo(new Statement.CompactTable("tables", 25));
        assertThat(statement("SHOW CREATE TABLE t")).isEqualTo(new Statement.ShowCreateTable("t", 19));
    }

    private Statement statement(String text) throws Exception {
        server.statements.executed.clear();
        HttpResponse<String> answer = post(text);
        assertThat(answer.statusCode()).as(text + " " + answer.body()).isEqualTo(200);
        return server.statements.executed.getFirst();
    }

    @Test
    void parsesDeletes() throws Exception {
        assertThat(statement("DELETE FROM t WHERE host = 'it''s' AND zone IN ('a', 'b') AND rack IS NULL AND time >="
                        + " '2024-01-01T00:00:00+01:00' AND (time < 1704067200000000000)"))
                .isEqualTo(new Statement.Delete(
                        "t",
                        new TimeRange(1704063600000000000L, 1704067199999999999L),
                        Map.of("host", List.of("it's"), "zone", List.of("a", "b"), "rack", List.of("")),
                        13));
        assertThat(statement("DELETE FROM t")).isEqualTo(new Statement.Delete("t", TimeRange.ALL, Map.of(), 13));
        Statement.Delete recent = (Statement.Delete) statement("DELETE FROM t WHERE time < now() - INTERVAL '2 days'");
        assertThat(recent.times().toNanos()).isLessThan(System.currentTimeMillis() * 1_000_000 - 86_400_000_000_000L);
        for (String bad : List.of(
                "DELETE FROM t WHERE v > 5",
                "DELETE FROM t WHERE host = 'a' OR host = 'b'",
                "DELETE FROM t WHERE host <> 'a'",
                "DELETE FROM t WHERE host = 5",
                "DELETE FROM t WHERE time = 'yesterday'",
                "DELETE FROM t WHERE host LIKE 'a%'",
                "DELETE FROM t WHERE time IN (1)",
                "DELETE t",
                "CREATE TABLE t (c FLOAT)",
                "CREATE TABLE t AS SELECT 1",
                "CREATE VIEW v AS SELECT 1",
                "CREATE TABLE t (c TAG) WITH (retention = 'soon')",
                "ALTER TABLE t SET colour = 'red'",
                "ALTER TABLE t RENAME TO u",
                "DROP TABLE",
                "DROP VIEW v",
                "SHOW EVERYTHING",
                "FLUSH TABLE a.b",
                "INSERT INTO t VALUES (1)",
                "KILL n1-1")) {
            HttpResponse<String> answer = post(bad);
            assertThat(answer.statusCode()).as(bad).isEqualTo(400);
            assertThat(answer.body()).as(bad).contains("\"code\":\"syntax\"").contains("\"position\":");
        }
    }

    @Test
    void showsTablesAndColumns() throws Exception {
        assertThat(post("SHOW TABLES").body()).contains("\"rows\":[[\"tables of answers\"]]");
        assertThat(post("SHOW COLUMNS FROM things").body())
                .contains(
                        "[\"time\",\"TIME\",\"TIMESTAMP_NS\"],[\"host\",\"TAG\",\"VARCHAR\"],[\"n\",\"FIELD\",\"BIGINT\"]");
    }

    @Test
    void writesOnlyByPostAndByThoseWhoMay() throws Exception {
        assertThat(post("DROP TABLE things", "Read-Only", "yes").statusCode()).isEqualTo(403);
        HttpResponse<String> got = server.client.send(
                java.net.http.HttpRequest.newBuilder(java.net.URI.create(
                                "http://127.0.0.1:" + server.port() + "/api/v1/sql?q=DROP%20TABLE%20things"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(got.statusCode()).isEqualTo(405);
        assertThat(server.statements.executed).isEmpty();
    }

    @Test
    void explainsWhatIsRead() throws Exception {
        String body = post("EXPLAIN SELECT v FROM things WHERE host = 'a'").body();
        assertThat(body)
                .contains("things: all times; tags host=a")
                .contains("partition 0: 2 rows")
                .contains("\"plan\"");
        assertThat(post("EXPLAIN ANALYZE SELECT v FROM things").statusCode()).isEqualTo(200);
        assertThat(post("EXPLAIN SELECT nope FROM things").body()).contains("\"position\":16");
    }
}
