package dev.weir.query.sql;

import static dev.weir.query.sql.TestRows.field;
import static dev.weir.query.sql.TestRows.tag;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import dev.weir.query.sql.image.TableImage;
import dev.weir.query.sql.image.TableNeed;
import dev.weir.query.sql.image.TimeRange;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a statement implies for its tables, and where it must not be taken to imply anything. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PruningTest {
    private static final long DAY = 1_704_067_200_000_000_000L;
    private static final long SLACK = 1000;

    private final SqlServer server = SqlServer.shared();

    @BeforeAll
    void store() {
        for (String name : List.of("pa", "pb")) {
            TableSchema schema =
                    TestRows.schema("prune", name, tag(1, "host"), tag(2, "zone"), field(3, "v", FieldType.FLOAT64));
            server.tables.put(new TableImage(schema, List.of()));
        }
    }

    private TableNeed need(String table, String statement) throws Exception {
        server.rows(statement, "Tenant", "prune");
        return server.tables.asked.getLast().needs().stream()
                .filter(need -> need.table().equals(table))
                .findFirst()
                .orElseThrow();
    }

    private void binds(String table, String statement) throws Exception {
        assertThat(need(table, statement).times()).as(statement).isEqualTo(new TimeRange(DAY - SLACK, Long.MAX_VALUE));
    }

    private void doesNotBind(String table, String statement) throws Exception {
        assertThat(need(table, statement).times()).as(statement).isEqualTo(TimeRange.ALL);
        assertThat(need(table, statement).tags()).as(statement).isEmpty();
    }

    @Test
    void takesEveryWayToSayARange() throws Exception {
        for (String condition : List.of(
                "time >= '2024-01-01'",
                "'2024-01-01T01:00:00+01:00' <= time",
                "pa.time >= TIMESTAMP '2024-01-01 00:00:00'",
                "(v > 1 AND (time >= DATE '2024-01-01' AND zone <> 'x'))",
                "time >= make_timestamp(1704067200000000)",
                "time BETWEEN '2024-01-01' AND '2262-04-11T23:47:16.854775807Z'",
                "time >= date_trunc('year', TIMESTAMP '2024-05-05')",
                "time >= TIMESTAMPTZ '2024-01-01T00:00:00Z'")) {
            binds("pa", "SELECT v FROM pa WHERE " + condition);
        }
        assertThat(need("pa", "SELECT v FROM pa WHERE time > '2024-01-02' AND time < '2024-01-01'")
                        .times()
                        .isEmpty())
                .isTrue();
        assertThat(need("pa", "SELECT v FROM pa WHERE time = '2024-01-01'").times())
                .isEqualTo(new TimeRange(DAY - SLACK, DAY + SLACK));
    }

    @Test
    void asksForTheColumnsThatAreNamedAsSqlKnowsThem() throws Exception {
        server.tables.put(new TableImage(
                TestRows.schema(
                        "prune",
                        "pc",
                        tag(1, "host"),
                        field(2, "Foo", FieldType.FLOAT64),
                        field(3, "foo", FieldType.FLOAT64)),
                List.of()));
        assertThat(need("pc", "SELECT max(FOO_1) FROM pc").columns()).containsExactlyInAnyOrder("host", "foo");
        assertThat(need("pc", "SELECT max(foo) FROM pc").columns()).containsExactlyInAnyOrder("host", "Foo");
        assertThat(need("pc", "SELECT * FROM pc").columns()).containsExactlyInAnyOrder("host", "Foo", "foo");
    }

    @Test
    void concludesNothingWhereNothingFollows() throws Exception {
        for (String statement : List.of(
                "SELECT v FROM pa WHERE time >= '2024-01-01' OR v > 1",
                "SELECT v FROM pa WHERE NOT (time >= '2024-01-01')",
                "SELECT v FROM pa WHERE time >= make_timestamp(v::BIGINT)",
                "SELECT v FROM pa WHERE host = zone AND host <> 'a' AND host LIKE 'a%' AND v = 1",
                "SELECT v FROM pa WHERE host = 'a' OR zone = 'b'",
                "SELECT v FROM pa WHERE host IN ('a', zone)",
                "SELECT v FROM pa WHERE host IS NULL",
                "SELECT v FROM pa TABLESAMPLE 10 ROWS WHERE time >= '2024-01-01'",
                "SELECT v FROM pa WHERE time >= '2024-01-01' AND host = 'x' USING SAMPLE 10 ROWS",
                "SELECT b FROM pa AS p(a, time, host, b) WHERE host = 'x' AND time = 'y'",
                "SELECT a.v FROM pa a POSITIONAL JOIN pb b WHERE a.time >= '2024-01-01' AND a.host = 'x'",
                "SELECT CASE WHEN time >= '2024-01-01' THEN v END FROM pa",
                "SELECT v FROM pa HAVING max(time) >= '2024-01-01'".replace("SELECT v", "SELECT max(v)"),
                "SELECT v FROM pa p WHERE EXISTS (SELECT 1 FROM pb WHERE pb.time >= '2024-01-01')",
                "SELECT a.v FROM pb b LEFT JOIN pa a ON a.time >= '2024-01-01' WHERE b.time >= '2024-01-01'",
                "SELECT a.v FROM pb b LEFT JOIN pa a USING (host) WHERE a.time >= '2024-01-01' AND a.host = 'x'",
                "SELECT a.v FROM pb b ASOF JOIN pa a ON b.time <= a.time WHERE a.time >= '2024-01-01'",
                "SELECT a.v FROM pa a FULL JOIN pb b USING (host) WHERE a.time >= '2024-01-01'")) {
            doesNotBind("pa", statement);
        }
    }

    @Test
    void bindsEachSideOfAJoinByItsOwnName() throws Exception {
        binds("pa", "SELECT 1 FROM pa JOIN pb USING (host) WHERE pa.time >= '2024-01-01'");
        doesNotBind("pb", "SELECT 1 FROM pa JOIN pb USING (host) WHERE pa.time >= '2024-01-01'");
        binds("pa", "SELECT 1 FROM pa x ASOF LEFT JOIN pb y ON x.time >= y.time WHERE x.time >= '2024-01-01'");
        binds("pa", "WITH c AS (SELECT * FROM pa WHERE time >= '2024-01-01') SELECT 1 FROM c, pb");
    }

    @Test
    void takesValuesOfTags() throws Exception {
        assertThat(need("pa", "SELECT v FROM pa WHERE host = 'a' AND zone IN ('x', 'y')")
                        .tags())
                .isEqualTo(Map.of("host", List.of("a"), "zone", List.of("x", "y")));
        assertThat(need("pa", "SELECT v FROM pa WHERE HOST = 'a' OR 'b' = 'b' AND host = 'b'")
                        .tags())
                .isEmpty();
        assertThat(need("pa", "SELECT v FROM pa WHERE (host = 'a' OR host = 'b') AND v > 1")
                        .tags())
                .isEqualTo(Map.of("host", List.of("a", "b")));
    }

    @Test
    void servesAllPlacesOfOneTable() throws Exception {
        TableNeed need = need(
                "pa",
                "SELECT 1 FROM (SELECT v FROM pa WHERE host = 'a' AND zone = 'x' AND time >= '2024-01-01'),"
                        + " (SELECT v FROM pa WHERE host = 'b' AND time < '2024-01-01')");
        assertThat(need.times()).isEqualTo(TimeRange.ALL);
        assertThat(need.tags()).isEqualTo(Map.of("host", List.of("a", "b")));
    }
}
