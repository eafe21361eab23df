package dev.weir.ops.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ops.FakeCluster;
import dev.weir.ops.FakeCluster.Run;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class QueryCommandTest {
    private static final String SQL = "POST /api/v1/sql";
    private static final String ANSWER = """
            {"columns":[{"name":"time","type":"TIMESTAMP_NS"},{"name":"host","type":"VARCHAR"},{"name":"v","type":"DOUBLE"}],
             "rows":[["2026-11-01T00:00:00.000000000Z","a",1.5],["2026-11-01T01:00:00.000000000Z","a",3.5],
                     ["2026-11-01T00:30:00.000000000Z","b",null],["2026-11-01T00:30:00.000000000Z","b",2]],"row_count":4}
            """;

    private FakeCluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new FakeCluster();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void showsATableAndGoesByItsOldNameToo() {
        cluster.reply(SQL, 200, ANSWER);
        Run run = cluster.run("sql", "SELECT 1");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("time ").contains("host").contains("2026-11-01T01:00:00.000000000Z  a     3.5");
        assertThat(run.out()).endsWith("(4 rows)\n");
        assertThat(cluster.requests().getFirst().body()).isEqualTo("{\"query\":\"SELECT 1\"}");
    }

    @Test
    void drawsALinePerGroup() {
        cluster.reply(SQL, 200, ANSWER);
        String chart = cluster.run("query", "-o", "chart", "SELECT 1").out();
        assertThat(chart)
                .contains("3.5000 ┤")
                .contains("1.5000 ┤")
                .contains("* a\n")
                .contains("+ b\n");
        assertThat(chart).contains("2026-11-01T00:00:00Z").contains("2026-11-01T01:00:00Z");
    }

    @Test
    void aChartWithoutTimesIsRefused() {
        cluster.reply(SQL, 200, "{\"columns\":[{\"name\":\"v\",\"type\":\"DOUBLE\"}],\"rows\":[[1]],\"row_count\":1}");
        Run run = cluster.run("query", "-o", "chart", "SELECT 1");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("a chart needs a column of times");
    }

    @Test
    void aChartWithATimeThatIsNoneIsRefused() {
        cluster.reply(
                SQL,
                200,
                "{\"columns\":[{\"name\":\"t\",\"type\":\"TIMESTAMP\"},{\"name\":\"v\",\"type\":\"DOUBLE\"}],"
                        + "\"rows\":[[\"infinity\",1]],\"row_count\":1}");
        Run run = cluster.run("query", "-o", "chart", "SELECT 1");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("the answer has infinity").doesNotContain("\tat ");
    }

    @Test
    void whatIsGivenBeforeASubCommandIsMeantForIt() {
        cluster.reply(SQL, 200, "{\"columns\":[],\"rows\":[],\"row_count\":0}");
        FakeCluster.runAlone("tables", "--url", cluster.url(), "--token", "t1", "list", "--token", "t2");
        assertThat(cluster.requests().getFirst().headers().get("Authorization")).containsExactly("Bearer t2");
    }

    @Test
    void csvIsPassedThrough() {
        cluster.reply(SQL, 200, "a,b\n1,\"x,y\"\n");
        assertThat(cluster.run("query", "-o", "csv", "SELECT 1").out()).isEqualTo("a,b\n1,\"x,y\"\n");
        assertThat(cluster.requests().getFirst().headers().get("Accept")).containsExactly("text/csv");
    }

    @Test
    void anErrorShowsItsPlace() {
        cluster.reply(SQL, 400, "{\"error\":\"no column hst\",\"code\":\"bad_request\",\"position\":15}");
        Run run = cluster.run("query", "SELECT v,\n     hst FROM m");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).isEqualTo("weir: no column hst (bad_request)\n     hst FROM m\n    ^\n");
    }

    @Test
    void anAnswerThatBreaksOffIsNoAnswer() {
        cluster.reply(SQL, 200, ANSWER.substring(0, 250));
        assertThat(cluster.run("query", "SELECT 1").exitCode()).isEqualTo(1);
    }

    @Test
    void statementsEndAtSemicolonsThatAreNotQuoted() {
        Statements.Split split =
                Statements.split("SELECT ';' AS \"a;b\"; -- no; end\nSELECT 2 /* ; */;; SELECT 'it''s;");
        assertThat(split.whole()).containsExactly("SELECT ';' AS \"a;b\"", "-- no; end\nSELECT 2 /* ; */");
        assertThat(split.rest()).isEqualTo(" SELECT 'it''s;");
        assertThat(Statements.split("SELECT 1;\n-- the end").rest()).isEmpty();
        assertThat(Statements.split("/* a */; SELECT 1; -- b;").whole()).containsExactly("SELECT 1");
        assertThat(StatementLines.isWhole("SELECT 1; -- b")).isTrue();
        assertThat(StatementLines.isWhole("SELECT 1")).isFalse();
        assertThat(StatementLines.isWhole("SELECT 1;\n")).isTrue();
        assertThat(StatementLines.isWhole(" exit ")).isTrue();
    }

    @Test
    void theCaretStaysInViewInALongLine() {
        String statement = "SELECT " + "x, ".repeat(100) + "bad FROM t";
        int position = statement.indexOf("bad") + 1;
        String[] shown = Caret.under(statement, position).split("\n");
        assertThat(shown[0].substring(shown[1].indexOf('^'))).startsWith("bad");
        assertThat(Caret.under(statement, 0)).isEmpty();
        assertThat(Caret.under("SELECT", 7)).isEqualTo("SELECT\n      ^\n");
    }
}
