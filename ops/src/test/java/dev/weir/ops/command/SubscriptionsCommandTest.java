package dev.weir.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ops.FakeCluster;
import dev.weir.ops.FakeCluster.Run;
import dev.weir.ops.client.Json;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SubscriptionsCommandTest {
    private static final String PATH = "/api/v1/cdc/subscriptions";
    private static final String AUDIT = """
            {"name":"audit","filter":{"measurement":["cpu","mem"],"tag.host":["a"]},"from":"earliest","generation":12,"cursor":"AQ",
             "next":{"0":5},"budget":{"bytes":1024,"seconds":3600},"created_at":"2026-11-30T12:00:00Z","acked_at":null,
             "commits":0,"seeks":0,"state":"at-risk","lag":{"events":7,"bytes":900,"seconds":1.5,"seconds_to_retention":60}}""";

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
    void listShowsStateAndLag() {
        cluster.reply("GET " + PATH, 200, "{\"subscriptions\":[" + AUDIT + "]}");

        Run run = cluster.run("subscriptions", "list");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .containsPattern("audit +at-risk +7 +900 +1.5 +60 +measurement=cpu&measurement=mem&tag.host=a");
    }

    @Test
    void scriptsGetAnswersAsTheyCome() throws IOException {
        String all = "{\"subscriptions\":[" + AUDIT + "]}";
        cluster.reply("GET " + PATH, 200, all).reply("GET " + PATH + "/audit", 200, AUDIT);

        assertThat(Json.MAPPER.readTree(
                        cluster.run("subscriptions", "list", "-o", "json").out()))
                .isEqualTo(Json.MAPPER.readTree(all));
        assertThat(Json.MAPPER.readTree(cluster.run("subscriptions", "show", "audit", "-o", "json")
                        .out()))
                .isEqualTo(Json.MAPPER.readTree(AUDIT));
    }

    @Test
    void createSendsFilterStartAndBudget() throws IOException {
        cluster.reply("PUT " + PATH + "/audit", 201, AUDIT);

        Run run = cluster.run(
                "subscriptions",
                "create",
                "audit",
                "--from",
                "earliest",
                "--measurement",
                "cpu",
                "--measurement",
                "mem",
                "--tag",
                "host=a",
                "--budget-bytes",
                "1GiB",
                "--budget-age",
                "1d");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).containsPattern("seconds to retention +60").containsPattern("acknowledged last +-");
        assertThat(Json.MAPPER.readTree(cluster.requests().getFirst().body()))
                .isEqualTo(
                        Json.MAPPER.readTree(
                                "{\"filter\":{\"measurement\":[\"cpu\",\"mem\"],\"tag.host\":\"a\"},\"from\":\"earliest\",\"budget\":{\"bytes\":\"1GiB\",\"age\":\"1d\"}}"));
    }

    @Test
    void showNamesTheMembers() {
        String members =
                ",\"members\":[{\"member\":\"m1\",\"generation\":9,\"node\":\"n1\",\"partitions\":[0,2],\"leaving\":[]},"
                        + "{\"member\":\"m2\",\"generation\":9,\"node\":null,\"partitions\":[1],\"leaving\":[]}]}";
        cluster.reply(
                "GET " + PATH + "/audit",
                200,
                AUDIT.strip().substring(0, AUDIT.strip().length() - 1) + members);

        assertThat(cluster.run("subscriptions", "show", "audit").out())
                .containsPattern("member m1 +partitions \\[0,2\\] at n1")
                .containsPattern("member m2 +partitions \\[1\\] at no node");
    }

    @Test
    void placesAreMovedAndAcknowledged() {
        cluster.reply("POST " + PATH + "/audit/seek", 200, AUDIT).reply("POST " + PATH + "/audit/ack", 204, "");

        assertThat(cluster.run("subscriptions", "seek", "audit", "--to", "latest")
                        .exitCode())
                .isZero();
        assertThat(cluster.run("subscriptions", "ack", "audit", "--cursor", "0:5")
                        .out())
                .contains("committed");
        assertThat(cluster.requests().get(0).body()).isEqualTo("{\"to\":\"latest\"}");
        assertThat(cluster.requests().get(1).body()).isEqualTo("{\"cursor\":\"0:5\"}");
    }

    @Test
    void deleteSaysThatItIsGone() {
        cluster.reply("DELETE " + PATH + "/audit", 204, "");

        Run run = cluster.run("subscriptions", "delete", "audit");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("subscription audit is gone");
    }

    @Test
    void aMemberAcknowledgesInItsGeneration() {
        cluster.reply("POST " + PATH + "/audit/ack", 204, "");

        assertThat(cluster.run(
                                "subscriptions",
                                "ack",
                                "audit",
                                "--cursor",
                                "0:5",
                                "--member",
                                "m1",
                                "--generation",
                                "12")
                        .exitCode())
                .isZero();
        assertThat(cluster.requests().getFirst().body())
                .isEqualTo("{\"cursor\":\"0:5\",\"member\":\"m1\",\"generation\":12}");
    }

    @Test
    void refusalsEndWithOne() {
        cluster.reply(
                "DELETE " + PATH + "/gone",
                404,
                "{\"error\":\"no subscription gone is known\",\"code\":\"not_found\"}");

        Run run = cluster.run("subscriptions", "delete", "gone");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("no subscription gone is known (not_found)");
    }
}
