package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.model.Cursor;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Named subscriptions over HTTP: what they keep, where their streams begin, what is refused. */
class SubscriptionTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String STREAM = "/api/v1/cdc/subscriptions/audit/stream";

    private final MemoryCluster cluster = MemoryCluster.of(2);
    private Gateway gateway;

    /** Partitions 0 and 1 have seqs 1 to 5 each. */
    @BeforeEach
    void open() throws Exception {
        gateway = new Gateway(cluster, CdcConfig.defaults().withHeartbeat(Duration.ofMillis(200)));
        for (long i = 0; i < 5; i++) {
            append(i);
        }
    }

    @AfterEach
    void close() throws Exception {
        gateway.close();
    }

    private void append(long i) {
        for (int partition = 0; partition < 2; partition++) {
            cluster.log(partition).append(MemoryBatch.point(i % 2 == 0 ? "cpu" : "mem", "h" + i, i, i));
        }
    }

    private JsonNode call(int status, String method, String path, String body) throws Exception {
        HttpResponse<String> answer = gateway.call(method, path, body);
        assertThat(answer.statusCode())
                .as(method + " " + path + " " + answer.body())
                .isEqualTo(status);
        return answer.body().isEmpty() ? JSON.nullNode() : JSON.readTree(answer.body());
    }

    private void refused(int status, String code, String method, String path, String body) throws Exception {
        JsonNode answer = call(status, method, path, body);
        assertThat(answer.path("code").asText()).as(answer.toString()).isEqualTo(code);
    }

    private static String ack(long first, long second) {
        return "{\"cursor\":\"" + new Cursor(new TreeMap<>(Map.of(0, first, 1, second))).encode("default") + "\"}";
    }

    @Test
    void putIsIdempotentAndShowsWhatIsKept() throws Exception {
        String body =
                "{\"filter\":{\"measurement\":\"cpu\",\"tag.host\":[\"b\",\"a\",\"a\"]},\"from\":\"earliest\",\"budget\":{\"bytes\":\"1MiB\",\"age\":\"2h\"}}";
        JsonNode made = call(201, "PUT", "/audit", body);
        assertThat(made.path("filter").toString()).isEqualTo("{\"measurement\":[\"cpu\"],\"tag.host\":[\"a\",\"b\"]}");
        assertThat(made.path("next").toString()).isEqualTo("{\"0\":1,\"1\":1}");
        assertThat(made.path("budget").toString()).isEqualTo("{\"bytes\":1048576,\"seconds\":7200}");

        assertSame(call(200, "PUT", "/audit", body), made);
        assertSame(call(200, "GET", "/audit", ""), made);
        assertSame(call(200, "GET", "", "").path("subscriptions").get(0), made);
        refused(409, "conflict", "PUT", "/audit", "{\"from\":\"earliest\"}");
        call(204, "DELETE", "/audit", "");
        refused(404, "not_found", "GET", "/audit", "");
        refused(404, "not_found", "DELETE", "/audit", "");
    }

    /** But for how far it is behind, which grows. */
    private static void assertSame(JsonNode found, JsonNode expected) {
        ObjectNode kept = ((ObjectNode) expected.deepCopy()).without("lag");
        assertThat(((ObjectNode) found).without("lag").toString()).isEqualTo(kept.toString());
    }

    /** The retention of these logs is 1,000 bytes, an event is 100. */
    @Test
    void lagSaysHowFarItIsBehindAndHowSafeThatIs() throws Exception {
        call(201, "PUT", "/audit", "{\"from\":\"earliest\"}");
        JsonNode young = call(200, "GET", "/audit", "");
        assertThat(young.path("lag").path("events").asInt()).isEqualTo(10);
        assertThat(young.path("lag").path("bytes").asInt()).isEqualTo(1_000);
        assertThat(young.path("lag").path("seconds").asDouble()).isPositive();
        assertThat(young.path("lag").path("seconds_to_retention").asLong()).isPositive();
        assertThat(young.path("state").asText()).isEqualTo("ok");

        for (int i = 5; i < 8; i++) {
            append(i);
        }
        assertThat(call(200, "GET", "/audit", "").path("state").asText()).isEqualTo("at-risk");
        call(200, "PUT", "/audit", "{\"from\":\"earliest\",\"budget\":{\"bytes\":4000,\"age\":\"36000d\"}}");
        assertThat(call(200, "GET", "/audit", "").path("state").asText()).isEqualTo("ok");
        cluster.space = false;
        assertThat(call(200, "GET", "/audit", "").path("state").asText())
                .as("a budget holds nothing while disks are nearly full")
                .isEqualTo("at-risk");
        cluster.space = true;

        gateway.subscriptions.measure();
        assertThat(gateway.registry
                        .get("weir.cdc.subscription.lag.events")
                        .tag("subscription", "audit")
                        .gauge()
                        .value())
                .isEqualTo(16);
        assertThat(gateway.registry
                        .get("weir.cdc.subscription.count")
                        .tag("state", "ok")
                        .gauge()
                        .value())
                .isEqualTo(1);

        cluster.log(1).trim(3);
        JsonNode lost = call(200, "GET", "/audit", "");
        assertThat(lost.path("state").asText()).isEqualTo("lost");
        assertThat(lost.path("lag").path("seconds_to_retention").asLong()).isZero();

        call(204, "POST", "/audit/ack", ack(9, 9));
        JsonNode done = call(200, "GET", "/audit", "");
        assertThat(done.path("state").asText()).isEqualTo("ok");
        assertThat(done.path("lag").toString())
                .isEqualTo("{\"events\":0,\"bytes\":0,\"seconds\":0.0,\"seconds_to_retention\":null}");
    }

    @Test
    void lagIsRightWhereLogsLieOnOtherNodes() throws Exception {
        call(201, "PUT", "/audit", "{}");
        cluster.feeds.values().forEach(MemoryFeed::moveAway);
        append(5);
        assertThat(call(200, "GET", "/audit", "").path("lag").path("events").asInt())
                .isEqualTo(2);
        cluster.log(0).trim(7);
        assertThat(call(200, "GET", "/audit", "").path("state").asText()).isEqualTo("lost");
        try (RawStream stream = new RawStream(gateway.port(), STREAM, null)) {
            assertThat(stream.readUntil("}")).contains("410").contains("cursor_too_old");
        }
    }

    @Test
    void nothingIsCalledWellOfWhichNobodyCouldTell() throws Exception {
        call(201, "PUT", "/audit", "{}");
        cluster.feeds.get(1).failing = true;
        JsonNode found = call(200, "GET", "/audit", "");
        assertThat(found.path("state").asText()).isEqualTo("unknown");
        assertThat(found.path("lag").path("unreachable_partitions").toString()).isEqualTo("[1]");
        cluster.log(0).trim(6);
        append(5);
        cluster.log(0).trim(7);
        assertThat(call(200, "GET", "/audit", "").path("state").asText()).isEqualTo("lost");
    }

    @Test
    void streamBeginsAtWhatIsAcknowledged() throws Exception {
        call(201, "PUT", "/audit", "{\"from\":\"earliest\"}");
        call(204, "POST", "/audit/ack", ack(4, 6));
        try (RawStream stream = new RawStream(gateway.port(), "GET", STREAM, "Last-Event-ID: 0:5,1:5\r\n")) {
            assertThat(stream.readUntil("data: ", "\n")).contains("\"seq\":4,").contains("\"partition\":0,");
            assertThat(new String(stream.seen(), StandardCharsets.UTF_8)).containsIgnoringCase("Weir-Generation: ");
        }
        call(204, "POST", "/audit/ack", ack(2, 2));
        assertThat(call(200, "GET", "/audit", "").path("next").toString())
                .as("an older acknowledgement moves nothing back")
                .isEqualTo("{\"0\":4,\"1\":6}");
    }

    @Test
    void filterIsTheSubscriptions() throws Exception {
        call(201, "PUT", "/audit", "{\"from\":\"earliest\",\"filter\":{\"measurement\":\"mem\",\"partition\":1}}");
        try (RawStream stream = new RawStream(gateway.port(), STREAM + "?int64=string", null)) {
            assertThat(stream.readUntil("data: ", "\n"))
                    .contains("\"seq\":\"2\"")
                    .contains("\"measurement\":\"mem\"");
        }
        assertThat(call(200, "GET", "/audit", "").path("next").toString()).isEqualTo("{\"1\":1}");
    }

    @Test
    void seekMovesItAndEndsStreamsAndOlderAcknowledgements() throws Exception {
        long before = call(201, "PUT", "/audit", "{}").path("generation").asLong();
        try (RawStream stream = new RawStream(gateway.port(), STREAM, null)) {
            stream.readUntil(": weir change stream");
            JsonNode sought = call(200, "POST", "/audit/seek", "{\"to\":\"earliest\"}");
            assertThat(sought.path("next").toString()).isEqualTo("{\"0\":1,\"1\":1}");
            assertThat(stream.readUntil("\r\n0\r\n")).contains("event: checkpoint");
        }
        refused(
                409,
                "stale_generation",
                "POST",
                "/audit/ack",
                ack(6, 6).replace("}", ",\"generation\":" + before + "}"));
        assertThat(call(200, "GET", "/audit", "").path("next").toString()).isEqualTo("{\"0\":1,\"1\":1}");
        assertThat(call(200, "POST", "/audit/seek", "{\"to\":\"latest\"}")
                        .path("next")
                        .toString())
                .isEqualTo("{\"0\":6,\"1\":6}");
        assertThat(call(200, "POST", "/audit/seek", "{\"to\":\"0:2,1:3\"}")
                        .path("next")
                        .toString())
                .isEqualTo("{\"0\":3,\"1\":4}");
        await().untilAsserted(() ->
                assertThat(gateway.metric("weir.cdc.subscription.streams")).isZero());
    }

    @Test
    void streamOfASubscriptionThatIsGoneEnds() throws Exception {
        call(201, "PUT", "/audit", "{}");
        try (RawStream stream = new RawStream(gateway.port(), STREAM, null)) {
            stream.readUntil(": weir change stream");
            call(204, "DELETE", "/audit", "");
            stream.readUntil("\r\n0\r\n");
        }
    }

    @Test
    void whatTheLogHasNoMoreIs410() throws Exception {
        call(201, "PUT", "/audit", "{\"from\":\"earliest\"}");
        cluster.log(0).trim(3);
        try (RawStream stream = new RawStream(gateway.port(), STREAM, null)) {
            assertThat(stream.readUntil("}")).contains("410").contains("cursor_too_old");
        }
        call(200, "POST", "/audit/seek", "{\"to\":\"earliest\"}");
        try (RawStream stream = new RawStream(gateway.port(), STREAM, null)) {
            stream.readUntil("\"seq\":3,");
        }
    }

    @Test
    void acknowledgementsBecomeFewEntriesOfTheCatalog() throws Exception {
        call(201, "PUT", "/audit", "{\"from\":\"earliest\"}");
        int before = cluster.proposals.size();
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 40; i++) {
                String body = ack(2 + i % 4, 2);
                answers.add(CompletableFuture.supplyAsync(() -> status("/audit/ack", body), clients));
            }
        }
        assertThat(answers).allMatch(answer -> answer.join() == 204);
        assertThat(cluster.proposals.subList(before, cluster.proposals.size()))
                .hasSizeBetween(1, 4)
                .allMatch(CatalogCommand.CommitCursors.class::isInstance);
        assertThat(call(200, "GET", "/audit", "").path("next").toString()).isEqualTo("{\"0\":5,\"1\":2}");
    }

    private int status(String path, String body) {
        try {
            return gateway.call("POST", path, body).statusCode();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void nothingIsAcknowledgedWithoutAQuorum() throws Exception {
        call(201, "PUT", "/audit", "{\"from\":\"earliest\"}");
        cluster.quorum = false;
        refused(503, "no_quorum", "POST", "/audit/ack", ack(3, 3));
        refused(503, "no_quorum", "POST", "/audit/ack", ack(1, 1));
        refused(503, "no_quorum", "GET", "/another", "");
        call(200, "GET", "/audit", "");
        try (RawStream stream = new RawStream(gateway.port(), STREAM, null)) {
            stream.readUntil("\"seq\":1,");
        }
    }

    /** Nothing is committed for it, so nothing else would tell. */
    @Test
    void whatIsNoNewsHereIsAnsweredByWhatAllAgreedOn() throws Exception {
        long before = call(201, "PUT", "/audit", "{}").path("generation").asLong();
        Cursor earliest = new Cursor(new TreeMap<>(Map.of(0, 1L, 1, 1L)));
        cluster.elsewhere(new CatalogCommand.SeekSubscription("default", "audit", earliest));
        refused(
                409,
                "stale_generation",
                "POST",
                "/audit/ack",
                ack(3, 3).replace("}", ",\"generation\":" + before + "}"));
        call(204, "POST", "/audit/ack", ack(3, 3));
        assertThat(call(200, "GET", "/audit", "").path("next").toString()).isEqualTo("{\"0\":3,\"1\":3}");
        cluster.elsewhere(new CatalogCommand.DeleteSubscription("default", "audit"));
        refused(404, "not_found", "POST", "/audit/ack", ack(1, 1));
    }

    /** In all of its values together, not in each. */
    @Test
    void whatEveryNodeKeepsIsBounded() throws Exception {
        String half = "x".repeat(SubscriptionWish.TEXT_BYTES_MAX / 2);
        refused(413, "too_large", "PUT", "/audit", "{\"from\":\"" + half + half + "x\"}");
        refused(
                413,
                "too_large",
                "PUT",
                "/audit",
                "{\"filter\":{\"tag.a\":\"" + half + "\",\"tag.b\":\"" + half + "\"}}");
        call(201, "PUT", "/audit", "{\"filter\":{\"tag.a\":\"" + half + "\"}}");
        refused(413, "too_large", "PUT", "/audit", "{\"filter\":{\"tag.a\":\"" + half + half + "\"}}");
    }

    @Test
    void limitsAreMetrics() {
        assertThat(limit("weir.cdc.subscription.tenant.limit")).isEqualTo(3);
        assertThat(limit("weir.cdc.subscription.members.limit")).isEqualTo(4);
        assertThat(limit("weir.cdc.subscription.acks.limit")).isEqualTo(100);
        assertThat(limit("weir.cdc.pending.stream.limit.bytes"))
                .isEqualTo(CdcConfig.defaults().subscriberBytesMax());
    }

    private double limit(String name) {
        return gateway.registry.get(name).gauge().value();
    }

    @Test
    void onePutWhileItIsDeletedBeginsWhereItSays() throws Exception {
        call(201, "PUT", "/audit", "{\"from\":\"earliest\"}");
        call(204, "POST", "/audit/ack", ack(4, 4));
        cluster.elsewhere = new CatalogCommand.DeleteSubscription("default", "audit");
        assertThat(call(201, "PUT", "/audit", "{\"from\":\"earliest\"}")
                        .path("next")
                        .toString())
                .isEqualTo("{\"0\":1,\"1\":1}");
    }

    /** Also one of ours that looks as if the client were to blame. */
    @Test
    void aFaultIsAnsweredToo() throws Exception {
        call(201, "PUT", "/audit", "{\"from\":\"earliest\"}");
        for (RuntimeException fault :
                List.of(new IllegalArgumentException("ours"), new IllegalStateException("ours"))) {
            cluster.fault = fault;
            refused(500, "internal", "POST", "/audit/ack", ack(3, 3));
            refused(500, "internal", "DELETE", "/audit", "");
        }
    }

    @Test
    void whatIsWrongIsRefusedByName() throws Exception {
        refused(400, "bad_request", "PUT", "/audit", "{\"filter\":{\"mode\":\"x\"}}");
        refused(400, "bad_request", "PUT", "/audit", "{\"filter\":{\"measurement\":[]}}");
        refused(400, "bad_request", "PUT", "/audit", "{\"filter\":7}");
        refused(400, "bad_request", "PUT", "/audit", "{\"filter\":{\"event_type\":\"written\"}}");
        refused(400, "bad_request", "PUT", "/audit", "{\"sooner\":1}");
        refused(400, "bad_request", "PUT", "/audit", "{\"budget\":{\"bytes\":\"1XB\"}}");
        refused(400, "bad_request", "PUT", "/audit", "{\"budget\":{\"age\":-1}}");
        refused(400, "bad_request", "PUT", "/audit", "[1]");
        refused(400, "bad_cursor", "PUT", "/audit", "{\"from\":\"AAAA\"}");
        refused(400, "invalid_name", "PUT", "/au%20dit", "{}");
        refused(413, "too_large", "PUT", "/audit", " ".repeat(SmallBody.BYTES_MAX + 1));
        call(201, "PUT", "/audit", "{\"from\":\"earliest\"}");
        refused(400, "bad_request", "PUT", "/audit", "{\"filter\":{\"event_type\":\"written\"}}");
        refused(400, "bad_cursor", "PUT", "/audit", "{\"from\":\"AAAA\"}");
        refused(400, "bad_request", "POST", "/audit/ack", "{}");
        refused(400, "bad_cursor", "POST", "/audit/ack", "{\"cursor\":\"x\"}");
        refused(400, "bad_cursor", "POST", "/audit/ack", ack(9, 1));
        refused(400, "bad_cursor", "POST", "/audit/ack", "{\"cursor\":\"7:1\"}");
        refused(400, "bad_request", "POST", "/audit/ack", ack(1, 1).replace("}", ",\"generation\":\"x\"}"));
        refused(400, "bad_request", "POST", "/audit/seek", "{\"to\":5}");
        refused(404, "not_found", "POST", "/other/ack", ack(1, 1));
        refused(400, "bad_request", "GET", "/audit/stream?measurement=cpu", "");
        refused(400, "bad_request", "GET", "/audit/stream?from=now", "");
        refused(404, "not_found", "GET", "/other/stream", "");
        call(201, "PUT", "/b", "{}");
        call(201, "PUT", "/c", "{}");
        refused(400, "limit_subscriptions", "PUT", "/d", "{}");
    }
}
