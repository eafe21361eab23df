package dev.weir.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.FakeCluster;
import dev.weir.ops.FakeCluster.Run;
import dev.weir.ops.client.Json;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class DeadLettersCommandTest {
    private static final String LIST = "GET /api/v1/dead-letters";
    private static final String REPLAY = "POST /api/v1/dead-letters/replay";
    private static final String QUARANTINE = "POST /api/v1/dead-letters/quarantine";
    private static final String PURGE = "POST /api/v1/dead-letters/purge";

    private FakeCluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new FakeCluster();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static String page(String id, String after) {
        return "{\"letters\":[{\"id\":\"" + id
                + "\",\"time\":\"2026-11-30T00:00:00Z\",\"code\":\"syntax\",\"measurement\":null,"
                + "\"line\":7,\"text\":\"m v=\\nx\"}],\"after\":" + after + "}";
    }

    @Test
    void listsPageByPageUnderTheFilter() {
        cluster.reply(LIST, 200, page("1.n.syntax", "\"1.n.syntax\""));
        cluster.reply(LIST, 200, page("2.n.syntax", "null"));

        Run run = cluster.run(
                "dead-letters", "list", "--code", "syntax", "--table", "a b", "--since", "2026-11-30T01:00:00+01:00");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .containsPattern("2026-11-30T00:00:00Z +syntax +- +7 +m v=·x +1.n.syntax")
                .contains("2.n.syntax");
        assertThat(cluster.requests().get(0).target())
                .contains("limit=100", "table=a+b", "code=syntax", "since=2026-11-30T00%3A00%3A00Z");
        assertThat(cluster.requests().get(1).target()).contains("limit=99", "after=1.n.syntax");
    }

    @Test
    void replaysBatchByBatchAndSaysWhatStays() throws JsonProcessingException {
        cluster.reply(REPLAY, 200, "{\"replayed\":500,\"left\":[],\"truncated\":0,\"after\":\"5.n.syntax\"}");
        cluster.reply(
                REPLAY,
                200,
                "{\"replayed\":3,\"left\":[{\"id\":\"6.n.syntax\",\"code\":\"syntax\",\"message\":\"no value\"}],\"truncated\":1,\"after\":null}");

        Run run = cluster.run("dead-letters", "replay", "--table", "m");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("503 rows written again, 1 refused again, 1 not tried");
        assertThat(run.err()).contains("6.n.syntax: no value (syntax)");
        JsonNode second = Json.MAPPER.readTree(cluster.requests().get(1).body());
        assertThat(second.path("after").asText()).isEqualTo("5.n.syntax");
        assertThat(second.path("before").asText()).isNotEmpty();
    }

    @Test
    void purgesOnlyWhenThatIsSaidAloud() throws JsonProcessingException {
        cluster.reply(PURGE, 200, "{\"letters\":12}");

        Run asked = cluster.run("dead-letters", "purge", "--older-than", "7d");

        assertThat(asked.exitCode()).isEqualTo(1);
        assertThat(asked.err()).contains("12 letters would be deleted: say --yes");
        assertThat(Json.MAPPER
                        .readTree(cluster.requests().getLast().body())
                        .path("dry_run")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void purgesUntilNothingIsLeft() {
        cluster.reply(PURGE, 200, "{\"purged\":500,\"more\":true}");
        cluster.reply(PURGE, 200, "{\"purged\":20,\"more\":false}");

        Run run = cluster.run("dead-letters", "purge", "--table", "m", "--yes");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("520 letters deleted");
    }

    @Test
    void refusesTimesThatAreNone() {
        Run run = cluster.run("dead-letters", "purge", "--older-than", "soon", "--yes");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("--older-than: expected a time");
        assertThat(cluster.requests()).isEmpty();
    }

    @Test
    void setsRowsAsideUntilThereAreNoMore() throws JsonProcessingException {
        cluster.reply(QUARANTINE, 200, "{\"rows\":20005,\"where\":\"\\\"host\\\" IN ('a')\"}");
        cluster.reply(QUARANTINE, 200, "{\"quarantined\":20000,\"more\":true}");
        cluster.reply(QUARANTINE, 200, "{\"quarantined\":5,\"more\":false}");

        Run run = cluster.run("dead-letters", "quarantine", "cpu", "--where", "host = 'a'");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("20,005 rows are meant: \"host\" IN ('a')", "20,005 rows set aside");
        JsonNode first = Json.MAPPER.readTree(cluster.requests().get(0).body());
        assertThat(first.path("table").asText()).isEqualTo("cpu");
        assertThat(first.path("where").asText()).isEqualTo("host = 'a'");
        assertThat(first.path("dry_run").asBoolean()).isTrue();
        assertThat(cluster.requests()).hasSize(3);
    }

    @Test
    void setsAsideByTheRangeOfTheFirstAnswerWhateverComesMeanwhile() throws JsonProcessingException {
        cluster.reply(QUARANTINE, 200, "{\"rows\":7,\"where\":\"time >= 1 AND time <= 9\"}");
        cluster.reply(QUARANTINE, 200, "{\"quarantined\":5,\"more\":true,\"where\":\"time >= 1 AND time <= 9\"}");
        cluster.reply(QUARANTINE, 200, "{\"quarantined\":2,\"more\":false,\"where\":\"time >= 1 AND time <= 9\"}");

        Run run = cluster.run("dead-letters", "quarantine", "cpu", "--output", "json");

        assertThat(Json.MAPPER.readTree(run.out()))
                .isEqualTo(
                        Json.MAPPER.readTree("{\"rows\":7,\"where\":\"time >= 1 AND time <= 9\",\"quarantined\":7}"));
        assertThat(Json.MAPPER.readTree(cluster.requests().get(0).body()).has("where"))
                .isFalse();
        for (int call = 1; call <= 2; call++) {
            JsonNode body = Json.MAPPER.readTree(cluster.requests().get(call).body());
            assertThat(body.path("where").asText()).isEqualTo("time >= 1 AND time <= 9");
            assertThat(body.has("dry_run")).isFalse();
        }
    }

    @Test
    void setsNothingAsideWhereNothingIsMeant() {
        cluster.reply(QUARANTINE, 200, "{\"rows\":0,\"where\":null}");

        Run run = cluster.run("dead-letters", "quarantine", "cpu");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("0 rows set aside");
        assertThat(cluster.requests()).hasSize(1);
    }

    @Test
    void countsWhatWouldBeSetAside() {
        cluster.reply(QUARANTINE, 200, "{\"rows\":7,\"where\":\"time >= 1 AND time <= 9\"}");

        Run run = cluster.run("dead-letters", "quarantine", "cpu", "--dry-run");

        assertThat(run.out()).contains("7 rows would be set aside: time >= 1 AND time <= 9");
        assertThat(cluster.requests()).hasSize(1);
    }
}
