package dev.weir.node.ingest;

import static dev.weir.node.ingest.WriteContractTest.error;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.BatchId;
import dev.weir.partition.write.DeleteRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Influx's clients send beside lines, and deletes. */
class InfluxAndDeleteTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    private final IngestServer server = new IngestServer(4);

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void takesBucketsAndDatabasesOfTheTenantOnly() {
        assertThat(server.post("/api/v2/write?bucket=acme&org=any&precision=ns", "m v=1i 1")
                        .statusCode())
                .isEqualTo(204);
        assertThat(server.post("/write?db=telegraf&rp=auto&consistency=all&u=x&p=y", "m v=1i 1")
                        .statusCode())
                .isEqualTo(204);
        JsonObject bucket = error(server.post("/api/v2/write?bucket=other", "m v=1i 1"), 404);
        JsonObject missing = error(server.post("/api/v2/write?bucket=nobody", "m v=1i 1"), 404);
        assertThat(bucket.getString("error").replace("other", "nobody")).isEqualTo(missing.getString("error"));
        assertThat(error(server.post("/write?db=other", "m v=1i 1"), 404).getString("error"))
                .contains("database not found");
        assertThat(server.stored()).hasSize(2);
    }

    @Test
    void takesAnyBucketWithoutAuthentication() {
        server.authenticated = false;
        HttpResponse<String> answer = server.post("/api/v2/write?bucket=whatever", "m v=1i 1");
        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(answer.headers().allValues("Weir-Warning"))
                .anyMatch(text -> text.contains("whatever") && text.contains("acme"));
        assertThat(server.post("/api/v2/write?bucket=telegraf", "m v=1i " + IngestServer.NOW_NANOS)
                        .headers()
                        .firstValue("Weir-Warning"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ns", "n", "us", "u", "ms", "s", "m", "h", ""})
    void takesPrecisionsOfBothVersions(String precision) {
        assertThat(server.post("/write?db=acme&precision=" + precision, "m v=1i 1")
                        .statusCode())
                .isEqualTo(204);
        assertThat(server.post("/api/v2/write?precision=" + precision, "m v=1i 1")
                        .statusCode())
                .isEqualTo(204);
    }

    @Test
    void refusesParametersThatItDoesNotUnderstand() {
        assertThat(error(server.post("/write?precision=d", "m v=1i 1"), 400).getString("error"))
                .contains("precision");
        assertThat(error(server.post("/write?nan=maybe", "m v=1i 1"), 400).getString("error"))
                .contains("nan");
        assertThat(error(server.post("/api/v1/write?tags=a", "{}"), 400).getString("error"))
                .contains("measurement");
        assertThat(error(server.get("/api/v2/write"), 405).getString("error")).contains("POST");
    }

    /** LP-09. */
    @Test
    void dropsFieldsThatAreNoNumbersWhereAsked() {
        HttpResponse<String> answer = server.post("/write?nan=drop-field", "m a=1i,b=NaN 1\nm a=2i 2\n");
        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(answer.headers().allValues("Weir-Warning"))
                .anyMatch(text -> text.contains("1 fields that were NaN"));
        assertThat(server.stored()).containsExactlyInAnyOrder("m[] {a=1} @1", "m[] {a=2} @2");
    }

    /** OP-02. */
    @Test
    void answersPingAndHealth() {
        HttpResponse<String> ping = server.get("/ping");
        assertThat(ping.statusCode()).isEqualTo(204);
        assertThat(ping.headers().firstValue("X-Influxdb-Version")).isPresent();
        assertThat(server.send("HEAD", "/ping", new byte[0]).statusCode()).isEqualTo(204);
        assertThat(new JsonObject(server.get("/ping?verbose=true").body()).getString("version"))
                .isNotBlank();
        assertThat(new JsonObject(server.get("/health").body()).getString("status"))
                .isEqualTo("pass");
    }

    @Test
    void healthNamesWhatIsNotAsItShouldBeAndPasses() {
        server.checks = List.of(new HealthCheck("store_clock", "clock skew: 20 s"));
        HttpResponse<String> health = server.get("/health");
        assertThat(health.statusCode()).isEqualTo(200);
        JsonObject answer = new JsonObject(health.body());
        assertThat(answer.getString("status")).as("writes are taken").isEqualTo("pass");
        assertThat(answer.getJsonArray("checks").getJsonObject(0))
                .isEqualTo(new JsonObject()
                        .put("name", "store_clock")
                        .put("status", "fail")
                        .put("message", "clock skew: 20 s"));
    }

    /** OP-02. */
    @Test
    void answersTheQueriesOfTelegraf() {
        HttpResponse<String> created = server.post("/query", "q=CREATE+DATABASE+%22telegraf%22", "Content-Type", FORM);
        assertThat(created.statusCode()).isEqualTo(200);
        assertThat(new JsonObject(created.body())
                        .getJsonArray("results")
                        .getJsonObject(0)
                        .getInteger("statement_id"))
                .isZero();
        assertThat(server.get("/query?q=create%20database%20x%20with%20duration%207d")
                        .statusCode())
                .isEqualTo(200);
        JsonArray values = new JsonObject(
                        server.get("/query?q=SHOW%20DATABASES").body())
                .getJsonArray("results")
                .getJsonObject(0)
                .getJsonArray("series")
                .getJsonObject(0)
                .getJsonArray("values");
        assertThat(values).isEqualTo(new JsonArray("[[\"acme\"],[\"telegraf\"]]"));
        assertThat(server.post("/query?q=SHOW%20DATABASES", "").statusCode()).isEqualTo(200);
        assertThat(error(server.get("/query?q=select%201"), 400).getString("error"))
                .contains("/api/v1/sql");
        assertThat(error(server.get("/query"), 400).getString("error")).contains("/api/v1/sql");
        assertThat(error(server.post("/query", "q=%zz", "Content-Type", FORM), 400)
                        .getString("error"))
                .contains("/api/v1/sql");
    }

    @Test
    void deletesExactlyOneSeries() throws Exception {
        server.lines("m,h=a,r=x v=1i 1\nm v=2i 2");
        HttpResponse<String> answer = delete("{\"measurement\":\"m\",\"tags\":{\"r\":\"x\",\"h\":\"a\"}}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
        assertThat(Cursor.decode(answer.headers().firstValue("Weir-Commit").orElseThrow(), "acme")
                        .next())
                .hasSize(1);
        assertThat(delete("{\"measurement\":\"m\",\"tags\":{}}").statusCode()).isEqualTo(204);
        assertThat(server.partitions.deletes())
                .extracting(DeleteRequest::tags)
                .containsExactly(List.of(new Tag("h", "a"), new Tag("r", "x")), List.of());
        assertThat(delete("{\"measurement\":\"m\",\"tags\":{\"never\":\"x\"}}").statusCode())
                .isEqualTo(204);
        assertThat(server.partitions.deletes()).hasSize(2);
    }

    @Test
    void dropsATableInEveryPartition() throws Exception {
        server.lines("m,h=a v=1i 1");
        HttpResponse<String> answer = delete("{\"measurement\":\"m\"}");
        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(Cursor.decode(answer.headers().firstValue("Weir-Commit").orElseThrow(), "acme")
                        .next())
                .hasSize(4);
        assertThat(server.partitions.deletes())
                .extracting(DeleteRequest::partition)
                .containsExactlyInAnyOrder(0, 1, 2, 3);
        assertThat(server.partitions.deletes())
                .extracting(DeleteRequest::changeId)
                .containsOnly(server.partitions.deletes().getFirst().changeId());
        assertThat(server.catalog.image().drops()).isEmpty();
        assertThat(server.catalog.image().table("acme", "m")).isEmpty();
        assertThat(error(delete("{\"measurement\":\"m\"}"), 404).getString("code"))
                .isEqualTo("not_found");
        assertThat(error(delete("{\"measurement\":\"m\",\"tags\":{}}"), 404).getString("code"))
                .isEqualTo("not_found");
    }

    @Test
    void finishesADropThatWasInterrupted() {
        server.lines("m,h=a v=1i 1");
        server.partitions.rule(2, request -> new AppendOutcome.Refused(Refusal.of(ErrorCode.NO_LEADER, "no leader")));
        JsonObject body = error(delete("{\"measurement\":\"m\"}"), 503);
        assertThat(body.getString("error")).contains("agreed").contains("no leader");
        assertThat(server.catalog.image().drops()).hasSize(1);
        server.partitions.heal();
        assertThat(delete("{\"measurement\":\"m\"}").statusCode()).isEqualTo(204);
        assertThat(server.catalog.image().drops()).isEmpty();
    }

    @Test
    void letsTheControllerFinishDrops() {
        server.lines("m,h=a v=1i 1\nn v=1i 1");
        server.catalog.fold(new CatalogCommand.DropTable("acme", "m", "c-1"));
        server.catalog.fold(new CatalogCommand.DropTable("acme", "n", "c-2"));
        TableDrops drops = new TableDrops(server.catalog, server.partitions, () -> new BatchId("n1", 1, 99));
        assertThat(drops.finishAll()).isZero();
        assertThat(server.catalog.image().drops()).isEmpty();
        assertThat(server.partitions.deletes()).hasSize(8);
        assertThat(drops.finishAll()).isZero();
        assertThat(server.partitions.deletes()).hasSize(8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "{\"measurement\":\"\"}",
                "{\"measurement\":7}",
                "{\"measurement\":\"m\",\"tag\":{}}",
                "{\"measurement\":\"m\",\"tags\":null}",
                "{\"measurement\":\"m\",\"tags\":{\"a\":7}}",
                "{\"measurement\":\"m\"} x",
                "{\"measurement\":\"m\",\"measurement\":\"n\"}",
                "m"
            })
    void refusesDeletesThatItDoesNotUnderstand(String body) {
        server.lines("m,a=7 v=1i 1");
        assertThat(error(delete(body), 400).getString("code")).isEqualTo("bad_request");
        assertThat(server.partitions.deletes()).isEmpty();
    }

    private HttpResponse<String> delete(String body) {
        return server.post("/api/v1/delete", body);
    }
}
