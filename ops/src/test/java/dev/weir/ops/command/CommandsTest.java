package dev.weir.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.weir.ops.FakeCluster;
import dev.weir.ops.FakeCluster.Run;
import dev.weir.ops.client.Json;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CommandsTest {
    private static final String STATUS = """
            {"cluster":{"id":"c1","name":"weir","epoch":3,"catalog_leader":"node2","catalog_version":41,"replication_factor":3,
              "version":"0.1.0","later":"unknown names are passed over"},
             "nodes":[{"id":"node1","host":"127.0.0.1","http_port":7070,"up":true,"ready":true,"incarnation":1,"rows_per_second":1234.5},
                      {"id":"node2","host":"127.0.0.1","http_port":7071,"up":false,"ready":false,"incarnation":1,"rows_per_second":0}],
             "partitions":[{"partition":1,"generation":1,"slots":[[0,512]],"leader":"node1",
               "replicas":[{"node":"node1","role":"leader","applied":9,"lag":0,"phase":"serving"},
                           {"node":"node2","role":"follower","applied":2,"lag":7,"phase":"lagging"}],
               "next_seq":101,"oldest_seq":1,"rows":100,"bytes":5000,"rows_per_second":617.25}]}
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
    void statusShowsLeadersLagAndRates() {
        cluster.reply("GET /api/v1/admin/status", 200, STATUS);

        Run run = cluster.run("status");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("catalog led by node2 at version 41")
                .containsPattern("node1 +127.0.0.1:7070 +ready +1 +1,235")
                .containsPattern("node2 +127.0.0.1:7071 +down +0 +0.0")
                .containsPattern("1 +0–511 +node1 +node1 node2\\(lagging\\) +7 +1–100 +100 +4.9 KiB +617");
    }

    @Test
    void statusNamesLettersAndFlushesThatFail() {
        String failing = STATUS.strip()
                .replace(
                        "\"rows_per_second\":1234.5",
                        "\"rows_per_second\":1234.5,\"checks\":[{\"name\":\"flush\",\"message\":\"partition 1: flushes fail,"
                                + " its rows stay in the buffer: table 7: no\"}]");
        cluster.reply(
                "GET /api/v1/admin/status",
                200,
                failing.substring(0, failing.length() - 1) + ",\"dead_letters\":{\"rows\":1234,\"bytes\":5}}");

        Run run = cluster.run("status");

        assertThat(run.out())
                .contains("node1: flush: partition 1: flushes fail, its rows stay in the buffer: table 7: no")
                .contains("1,234 refused rows are kept");
    }

    @Test
    void statusAsJsonIsWhatTheClusterSaid() throws JsonProcessingException {
        cluster.reply("GET /api/v1/admin/status", 200, STATUS);

        Run run = cluster.run("status", "-o", "json");

        assertThat(Json.MAPPER.readTree(run.out())).isEqualTo(Json.MAPPER.readTree(STATUS));
    }

    @Test
    void refusalEndsWithOneAndTheReason() {
        cluster.reply("GET /api/v1/admin/status", 403, "{\"error\":\"scope admin is missing\",\"code\":\"forbidden\"}");

        Run run = cluster.run("status");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("403: scope admin is missing (forbidden)");
    }

    @Test
    void wrongUseEndsWithTwo() {
        assertThat(cluster.run("status", "--no-such-option").exitCode()).isEqualTo(2);
        assertThat(cluster.run("tokens", "create").exitCode()).isEqualTo(2);
    }

    @Test
    void whatTheFileSystemRefusesIsOneLineThatNamesThePath() {
        Run folder = FakeCluster.runAlone("write", "/", "--url", "http://127.0.0.1:1");
        assertThat(folder.exitCode()).isEqualTo(1);
        assertThat(folder.err()).isEqualTo("weir: / is a folder: expected a file, or - for the standard input\n");

        Run unmade = FakeCluster.runAlone("local", "up", "--dir", "/proc/weir", "--http-port", "0");
        assertThat(unmade.exitCode()).isEqualTo(1);
        assertThat(unmade.err()).isEqualTo("weir: /proc/weir: no such file or folder, or it can't be made\n");
    }

    @Test
    void unreachableClusterEndsWithThree() {
        Run run = FakeCluster.runAlone("status", "--url", "http://127.0.0.1:1");

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains("http://127.0.0.1:1 can't be reached");
    }

    @Test
    void passesOverNodesThatAreDown() {
        cluster.reply("GET /api/v1/admin/status", 200, STATUS);

        Run run = FakeCluster.runAlone("status", "--url", "http://127.0.0.1:1," + cluster.url());

        assertThat(run.exitCode()).isZero();
    }

    @Test
    void unknownOutcomeEndsWithFour() {
        cluster.reply("POST /api/v1/delete", 504, "{\"error\":\"outcome unknown\",\"code\":\"unknown_outcome\"}");

        assertThat(cluster.run("delete", "m", "--all").exitCode()).isEqualTo(4);
    }

    @Test
    void tokenIsPrintedAloneSoThatScriptsCanTakeIt() {
        cluster.reply(
                "POST /api/v1/admin/tokens",
                201,
                "{\"id\":\"7\",\"token\":\"secret\",\"tenant\":\"t\",\"scopes\":[\"write\",\"read\"]}");

        Run run = cluster.run("tokens", "create", "--tenant", "t", "--scope", "write,read", "--token", "admin");

        assertThat(run.out()).isEqualTo("secret\n");
        assertThat(cluster.requests().getFirst().body())
                .isIn(
                        "{\"tenant\":\"t\",\"scopes\":[\"write\",\"read\"]}",
                        "{\"scopes\":[\"write\",\"read\"],\"tenant\":\"t\"}");
        assertThat(cluster.requests().getFirst().headers().get("Authorization")).containsExactly("Bearer admin");
    }

    @Test
    void tokensAndTenantsAreListed() {
        cluster.reply(
                "GET /api/v1/admin/tokens",
                200,
                "{\"tokens\":[{\"id\":\"7\",\"tenant\":\"t\",\"scopes\":[\"write\"]}]}");
        cluster.reply(
                "GET /api/v1/admin/tenants",
                200,
                "{\"tenants\":[{\"name\":\"t\",\"aliases\":[\"telegraf\",\"db0\"]}]}");
        cluster.reply("DELETE /api/v1/admin/tokens/7", 204, "");
        cluster.reply("POST /api/v1/admin/tenants/t/aliases", 204, "");

        assertThat(cluster.run("tokens", "list").out()).containsPattern("7 +t +write");
        assertThat(cluster.run("tenants", "list").out()).containsPattern("t +telegraf,db0");
        assertThat(cluster.run("tokens", "revoke", "7").exitCode()).isZero();
        assertThat(cluster.run("tenants", "alias", "t", "db1").exitCode()).isZero();
        assertThat(cluster.requests().getLast().body()).isEqualTo("{\"alias\":\"db1\"}");
    }

    @Test
    void latestPrintsColumnsAndRows() {
        cluster.reply(
                "GET /api/v1/latest",
                200,
                "{\"columns\":[{\"name\":\"time\",\"type\":\"TIMESTAMP_NS\"},{\"name\":\"host\",\"type\":\"VARCHAR\"},{\"name\":\"v\",\"type\":\"DOUBLE\"}],"
                        + "\"rows\":[[\"2026-01-01T00:00:00.000000000Z\",\"a b\",1.5],[\"2026-01-01T00:00:01.000000000Z\",\"c\",null]],\"row_count\":2}");

        Run run = cluster.run("latest", "cpu load", "--tag", "host=a b");

        assertThat(cluster.requests().getFirst().target())
                .isEqualTo("/api/v1/latest?measurement=cpu+load&consistency=leader&tag.host=a+b");
        assertThat(run.out().lines().toList())
                .containsExactly(
                        "time                            host  v",
                        "2026-01-01T00:00:00.000000000Z  a b   1.5",
                        "2026-01-01T00:00:01.000000000Z  c     -");
    }

    @Test
    void deleteNamesExactlyOneTarget() {
        cluster.reply("POST /api/v1/delete", 204, "");

        assertThat(cluster.run("delete", "m").exitCode()).isEqualTo(2);
        assertThat(cluster.run("delete", "m", "--all", "--untagged").exitCode()).isEqualTo(2);
        assertThat(cluster.run("delete", "m", "--untagged").exitCode()).isZero();
        assertThat(cluster.requests().getLast().body()).isEqualTo("{\"measurement\":\"m\",\"tags\":{}}");
        assertThat(cluster.run("delete", "m", "--all").exitCode()).isZero();
        assertThat(cluster.requests().getLast().body()).isEqualTo("{\"measurement\":\"m\"}");
        assertThat(cluster.run("delete", "m", "--tag", "a=1", "--tag", "b=2").exitCode())
                .isZero();
        assertThat(cluster.requests().getLast().body())
                .isEqualTo("{\"measurement\":\"m\",\"tags\":{\"a\":\"1\",\"b\":\"2\"}}");
    }

    @Test
    void completionScriptCanBeMade() {
        Run run = FakeCluster.runAlone("generate-completion");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("complete -F _complete_weir");
    }
}
