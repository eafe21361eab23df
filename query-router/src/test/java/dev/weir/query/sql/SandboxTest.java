package dev.weir.query.sql;

import static dev.weir.query.sql.TestRows.field;
import static dev.weir.query.sql.TestRows.tag;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import dev.weir.query.sql.image.TableImage;
import dev.weir.query.sql.image.TablePart;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Statements of somebody who wants more than his own tables. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SandboxTest {
    private static final TableSchema MINE =
            TestRows.schema("default", "mine", tag(1, "host"), field(2, "v", FieldType.INT64));
    private static final TableSchema SECRET =
            TestRows.schema("victim", "secret", tag(1, "host"), field(2, "v", FieldType.INT64));

    private final SqlServer server = SqlServer.shared();
    private String secretFile = "";

    @BeforeAll
    void store() throws Exception {
        server.tables.put(new TableImage(
                MINE,
                List.of(new TablePart(
                        0,
                        List.of(),
                        List.of(new TestRows(MINE, 1)
                                .row(1, "host", "a", "v", 1L)
                                .buffer()),
                        List.of()))));
        secretFile = server.file("secret.parquet").toString();
        server.tables.put(new TableImage(
                SECRET,
                List.of(new TablePart(
                        0,
                        List.of(new TestRows(SECRET, 1)
                                .row(1, "host", "a", "v", 271828182845904L)
                                .file(server.file("secret.parquet"))),
                        List.of(),
                        List.of()))));
    }

    @Test
    void refusesWhatReachesBeyondTheTablesOfTheTenant() throws Exception {
        for (String statement : List.of(
                "SELECT * FROM read_parquet('" + secretFile + "')",
                "SELECT * FROM parquet_scan('" + secretFile + "')",
                "SELECT * FROM '" + secretFile + "'",
                "SELECT * FROM \"" + secretFile + "\"",
                "WITH \"" + secretFile + "\" AS (SELECT 1) SELECT * FROM (SELECT 1), '" + secretFile + "'",
                "SELECT * FROM (WITH x AS (SELECT 1) SELECT * FROM x), x",
                "WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a",
                "SELECT (SELECT v FROM secret)",
                "SELECT * FROM secret",
                "SELECT * FROM victim.secret",
                "SELECT * FROM main.mine",
                "SELECT * FROM memory.main.mine",
                "SELECT * FROM temp.mine",
                "SELECT * FROM _weir_t0",
                "SELECT * FROM mine, _weir_t0",
                "SELECT * FROM mine, _weir_b0",
                "SELECT * FROM '/etc/passwd'",
                "SELECT * FROM read_text('/etc/passwd')",
                "SELECT * FROM read_blob('/etc/passwd')",
                "SELECT * FROM read_csv('/etc/passwd')",
                "SELECT * FROM \"READ_CSV\"('/etc/passwd')",
                "SELECT * FROM glob('/*')",
                "SELECT * FROM sniff_csv('/etc/passwd')",
                "SELECT * FROM query('SELECT 1')",
                "SELECT * FROM query_table('mine')",
                "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
                "SELECT json_serialize_plan('SELECT 1')",
                "SELECT * FROM arrow_scan(1, 2, 3)",
                "SELECT * FROM seq_scan('x')",
                "SELECT getvariable('x')",
                "SELECT current_setting('memory_limit')",
                "SELECT nextval('s')",
                "SELECT * FROM duckdb_settings()",
                "SELECT * FROM duckdb_secrets()",
                "SELECT * FROM duckdb_tables",
                "SELECT * FROM duckdb_views()",
                "SELECT * FROM pg_catalog.pg_class",
                "SELECT * FROM pg_class",
                "SELECT * FROM sqlite_master",
                "SELECT * FROM information_schema.schemata",
                "SELECT * FROM system.information_schema.tables",
                "SELECT * FROM pragma_version()",
                "SELECT current_database(), current_schema()",
                "SELECT current_query()",
                "SELECT version()",
                "SELECT pg_sleep(10)",
                "SELECT sleep_ms(10)",
                "SELECT write_log('x')",
                "SELECT system.main.current_setting('threads')",
                "SELECT main.abs(1)",
                "SELECT v FROM mine ORDER BY current_setting('threads')",
                "SELECT v FROM mine GROUP BY ALL HAVING getvariable('x') IS NULL",
                "SELECT v FROM mine WHERE EXISTS (SELECT 1 FROM duckdb_settings())",
                "SELECT v FROM mine LIMIT (SELECT count(*) FROM glob('*'))",
                "SELECT list_transform([1], lambda x: current_setting('threads'))",
                "SELECT sum(v) FILTER (current_setting('threads') = '1') FROM mine",
                "SELECT sum(v) OVER (ORDER BY current_setting('threads')) FROM mine",
                "SELECT CASE WHEN true THEN current_setting('threads') END",
                "SELECT * REPLACE (current_setting('threads') AS v) FROM mine",
                "SELECT COLUMNS(c -> current_setting('threads') = c) FROM mine",
                "VALUES (current_setting('threads'))",
                "FROM duckdb_settings()",
                "SELECT * FROM mine JOIN duckdb_settings() d ON true",
                "SELECT * FROM mine, LATERAL (SELECT * FROM duckdb_settings())",
                "SELECT 1 UNION ALL SELECT 1 FROM duckdb_settings()",
                "SELECT * FROM (VALUES (1)) UNION BY NAME SELECT * FROM duckdb_settings()",
                "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT * FROM t",
                "SELECT * FROM (DESCRIBE mine)",
                "DESCRIBE mine",
                "SUMMARIZE mine",
                "EXPLAIN SELECT * FROM duckdb_settings()",
                "EXPLAIN ANALYZE COPY mine TO '/tmp/x'",
                "COPY mine TO '/tmp/x'",
                "COPY (SELECT 1) TO '/tmp/x'",
                "EXPORT DATABASE '/tmp/x'",
                "ATTACH '/tmp/x' AS x",
                "DETACH memory",
                "USE memory",
                "PRAGMA database_list",
                "SET threads = 1",
                "RESET threads",
                "INSTALL httpfs",
                "LOAD httpfs",
                "CALL pragma_version()",
                "CHECKPOINT",
                "BEGIN",
                "VACUUM",
                "PREPARE p AS SELECT 1",
                "EXECUTE p",
                "UPDATE mine SET v = 1",
                "TRUNCATE mine",
                "SELECT 1; SELECT 2",
                "SELECT 1; DROP TABLE mine",
                "PIVOT mine ON host USING sum(v)",
                "SELECT * FROM (PIVOT mine ON host USING sum(v))",
                "SELECT ?",
                "SELECT $1",
                "SELECT repeat('x', 2000000000)",
                "SELECT repeat(host, 100) FROM mine",
                "SELECT repeat('x', v) FROM mine",
                "SELECT lpad('x', 2000000000, 'y')",
                "SELECT len(range(2000000000))",
                "SELECT generate_series(1, v) FROM mine",
                "SELECT printf('%2000000000d', 1)",
                "SELECT list_resize([1], 2000000000)",
                "SELECT 1::mine",
                "SELECT 1::main.mine",
                "SELECT * FROM mine AT (VERSION => 1)",
                "",
                "  ",
                "-- nothing",
                "(",
                "garbage")) {
            JsonNode answer = refusal(statement);
            assertThat(answer.toString())
                    .as(statement)
                    .doesNotContain("271828182845904")
                    .doesNotContain("root:");
            assertThat(answer.get("code").asText())
                    .as(statement + " " + answer)
                    .isIn(Set.of("not_allowed", "not_found", "syntax", "limit_query", "bad_request"));
        }
    }

    private JsonNode refusal(String statement) throws Exception {
        var answer = server.post(statement);
        assertThat(answer.statusCode()).as(statement + " " + answer.body()).isIn(400, 404);
        return SqlServer.JSON.readTree(answer.body());
    }

    @Test
    void seesTheCatalogOfTheTenantAlone() throws Exception {
        assertThat(server.rows("SELECT table_name FROM information_schema.tables WHERE table_name IN ('mine',"
                                + " 'secret')")
                        .toString())
                .isEqualTo("[[\"mine\"]]");
        assertThat(server.rows("SELECT table_name FROM information_schema.tables", "Tenant", "victim")
                        .toString())
                .isEqualTo("[[\"secret\"]]");
        assertThat(server.rows("SELECT v FROM secret", "Tenant", "victim").toString())
                .isEqualTo("[[271828182845904]]");
        assertThat(server.rows("SELECT column_name, data_type, column_role FROM information_schema.columns WHERE"
                                + " table_name = 'mine'")
                        .toString())
                .isEqualTo(
                        "[[\"time\",\"TIMESTAMP_NS\",\"TIME\"],[\"host\",\"VARCHAR\",\"TAG\"],[\"v\",\"BIGINT\",\"FIELD\"]]");
    }

    @Test
    void allowsWhatQueriesNeed() throws Exception {
        for (String statement : List.of(
                "SELECT v FROM MINE",
                "SELECT m.v FROM \"mine\" m",
                "WITH mine AS (SELECT 5 AS v) SELECT v FROM mine",
                "WITH a AS (SELECT v FROM mine), b AS (SELECT * FROM a) SELECT * FROM b",
                "SELECT count(DISTINCT host), approx_quantile(v, 0.5), median(v) FROM mine",
                "SELECT row_number() OVER (PARTITION BY host ORDER BY time) FROM mine QUALIFY row_number() OVER () = 1",
                "SELECT * EXCLUDE (host) FROM mine WHERE v IN (SELECT v FROM mine) ORDER BY ALL LIMIT 1",
                "SELECT * FROM generate_series(1, 3) g(x), unnest([1, 2]) u(y)",
                "SELECT DISTINCT ON (host) host, v FROM mine ORDER BY host, time DESC",
                "SELECT host, sum(v) FROM mine GROUP BY GROUPING SETS ((host), ()) HAVING sum(v) > 0",
                "SELECT list_transform([1, 2], lambda x: x + 1), [x * 2 FOR x IN [1, 2]], {'a': 1}.a, lpad('x', 3,"
                        + " 'y')",
                "SELECT * FROM mine USING SAMPLE 50%",
                "SELECT date_trunc('hour', time), time::DATE, EXTRACT(hour FROM time), strftime(time, '%H') FROM mine",
                "SELECT json_extract_string('{\"a\":\"b\"}', '$.a'), regexp_extract('abc', 'b'), 'a' LIKE 'b', 1"
                        + " BETWEEN 0 AND 2",
                "VALUES (1, 'a'), (2, 'b')",
                "FROM mine SELECT v",
                "-- a comment\nSELECT 1;",
                "SELECT count(*) FROM range(100000)")) {
            assertThat(server.post(statement).statusCode())
                    .as(statement + " " + server.post(statement).body())
                    .isEqualTo(200);
        }
    }

    @Test
    void takesTwentyThousandValuesInOneList() throws Exception {
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            list.append(i == 0 ? "" : ",").append("'server-").append(i).append('\'');
        }
        assertThat(server.rows("SELECT count(*) FROM mine WHERE host IN ('a'," + list + ")")
                        .toString())
                .isEqualTo("[[1]]");
        assertThat(server.tables.lastNeed().tags().get("host")).hasSize(20_001);
    }

    @Test
    void boundsTheStatement() throws Exception {
        JsonNode tooLong = server.refusal(413, "SELECT '" + "x".repeat(1 << 20) + "'");
        assertThat(tooLong.get("error").asText()).contains("sql.text-bytes-max");
        JsonNode deep = server.refusal(400, "SELECT " + "(".repeat(5000) + "1" + ")".repeat(5000));
        assertThat(deep.get("code").asText()).isIn("syntax", "limit_query");
        JsonNode chain = server.refusal(400, "SELECT 1" + " + 1".repeat(20_000));
        assertThat(chain.get("code").asText()).isIn("syntax", "limit_query");
    }
}
