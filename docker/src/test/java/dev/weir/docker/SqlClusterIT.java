package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.StreamOptions;
import dev.weir.cdc.consumer.WeirStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** SQL over three nodes (SQ-06, SQ-07, SQ-08, SQ-12): answered by the warm one, many at once, given up by clients, and true while files and leaders change. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class SqlClusterIT {
    @RegisterExtension
    static final LocalCluster CLUSTER = LocalCluster.of(3, "--partitions", "3", "-c", "sql.routing-bytes-min=1");

    private static final int ROWS = 20_000;
    private static final int AT_ONCE = 20;
    private static final int GIVEN_UP = 50;
    private static final String SLOW = "SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long SEED = Long.getLong("weir.seed", System.nanoTime());

    @Test
    @Order(1)
    void everyNodeHasTheWarmOneAnswer() throws IOException {
        write(ROWS);
        rows(1, "FLUSH TABLE big");
        assertThat(servedBy(1))
                .as("buffers alone are read where they are asked")
                .isNotEmpty();
        // Nodes say what they hold once a second, what is stored each five.
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(servedBy(1)).isEqualTo(servedBy(2)).isEqualTo(servedBy(3));
        });
    }

    @Test
    @Order(2)
    void longListsAndDistinctTagsAreQuick() throws IOException {
        String list = IntStream.range(0, 20_000).mapToObj(i -> "'h" + i + "'").collect(Collectors.joining(", "));
        assertThat(rows(2, "SELECT count(*) FROM big WHERE host IN (" + list + ")")
                        .at("/0/0")
                        .asInt())
                .isEqualTo(ROWS);
        await().atMost(Duration.ofSeconds(10)).until(() -> {
            long start = System.nanoTime();
            JsonNode hosts = rows(3, "SELECT DISTINCT host FROM big WHERE time > now() - INTERVAL '1 hour'");
            return hosts.size() == 500 && System.nanoTime() - start < 1_000_000_000L;
        });
    }

    @Test
    @Order(3)
    void wholeTablesAtOnceAreStreamedWhileOthersGoOn() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        try (CounterWriter writer = new CounterWriter(CLUSTER, 0, SEED);
                HttpClient client = HttpClient.newHttpClient()) {
            for (int i = 0; i < AT_ONCE; i++) {
                answers.add(client.sendAsync(statement(1 + i % 3, "SELECT * FROM big"), BodyHandlers.ofString()));
            }
            int written = writer.acknowledgedRows();
            for (CompletableFuture<HttpResponse<String>> each : answers) {
                HttpResponse<String> answer = each.get();
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                assertThat(answer.body().lines().count()).isEqualTo(ROWS + 1L);
            }
            await().atMost(Duration.ofSeconds(10)).until(() -> writer.acknowledgedRows() > written);
        }
    }

    /** SQ-07: they run and wait on all nodes, then their clients are gone. */
    @Test
    @Order(4)
    void whatClientsGiveUpEndsOnAllNodes() throws IOException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (int i = 0; i < GIVEN_UP; i++) {
                client.sendAsync(statement(1 + i % 3, SLOW), BodyHandlers.ofString());
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> running(1).size() == GIVEN_UP);
            client.shutdownNow();
        }
        for (int node = 1; node <= CLUSTER.size(); node++) {
            int asked = node;
            await().atMost(Duration.ofSeconds(10)).until(() -> running(asked).isEmpty());
        }
    }

    @Test
    @Order(5)
    void anyNodeKillsAStatement() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            CompletableFuture<HttpResponse<String>> answer =
                    client.sendAsync(statement(1, SLOW), BodyHandlers.ofString());
            await().atMost(Duration.ofSeconds(10)).until(() -> running(2).size() == 1);
            String id = running(2).at("/0/0").asText();
            for (int node = 1; node <= CLUSTER.size(); node++) {
                assertThat(running(node).at("/0/0").asText()).isEqualTo(id);
            }
            assertThat(rows(3, "KILL QUERY '" + id + "'").at("/0/0").asText()).isEqualTo(id);
            assertThat(answer.get().statusCode()).isEqualTo(409);
        }
    }

    /** CD-15. */
    @Test
    @Order(6)
    void aSnapshotIsTheTableHoweverOftenItIsResumedElsewhere() throws Exception {
        Set<String> seen = new HashSet<>();
        String last = null;
        boolean ended = false;
        for (int connection = 0; !ended; connection++) {
            StreamOptions options = StreamOptions.of(URI.create(CLUSTER.url(1 + connection % 3)))
                    .with("measurement", "big");
            try (WeirStream stream = WeirStream.open(last == null ? options.from("snapshot") : options.after(last))) {
                for (int rows = 0; rows < 9_000 && !ended; rows++) {
                    SseFrame frame = stream.next(Duration.ofSeconds(30));
                    assertThat(frame).isNotNull();
                    ended = frame.event().equals("snapshot_end");
                    JsonNode data = JSON.readTree(frame.data());
                    assertThat(!frame.isChange() || seen.add(data.get("tags").toString() + data.get("timestamp")))
                            .as("once: %s", frame)
                            .isTrue();
                }
                last = stream.lastId();
            }
        }
        assertThat(seen).hasSize(ROWS);
    }

    /** The last: a node stays dead. */
    @Test
    @Order(7)
    void countsNeverFallWhileFilesAndLeadersChange() throws IOException {
        System.out.println("counts: seed " + SEED + " (repeat with -Dweir.seed=" + SEED + ")");
        rows(1, "DELETE FROM " + CounterWriter.MEASUREMENT);
        int alive;
        CounterWriter writer = new CounterWriter(CLUSTER, 1, SEED);
        try (CountReader reader = new CountReader(CLUSTER, writer::acknowledgedRows, SEED)) {
            awaitRows(writer, 150);
            rows(1, "FLUSH TABLE " + CounterWriter.MEASUREMENT);
            awaitRows(writer, 150);
            rows(2, "FLUSH TABLE " + CounterWriter.MEASUREMENT);
            rows(3, "COMPACT TABLE " + CounterWriter.MEASUREMENT);
            int leader = CLUSTER.leader(1, 0).orElseThrow();
            alive = leader % CLUSTER.size() + 1;
            CLUSTER.kill(leader);
            awaitRows(writer, 150);
            writer.close();
            assertThat(reader.violation()).isNull();
            assertThat(reader.answers()).isPositive();
        }
        JsonNode end = rows(alive, "SELECT count(*), max(n) FROM " + CounterWriter.MEASUREMENT)
                .path(0);
        assertThat(end.path(0).asLong()).as("no hole").isEqualTo(end.path(1).asLong() + 1);
    }

    private static void awaitRows(CounterWriter writer, int more) {
        int before = writer.acknowledgedRows();
        await().atMost(Duration.ofSeconds(60)).until(() -> writer.acknowledgedRows() > before + more);
    }

    private static void write(int count) throws IOException {
        long now = System.currentTimeMillis();
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < count; i++) {
            body.append("big,host=h" + i % 500 + " v=" + i + "i,note=\"row " + i + "\" " + (now - i) + "\n");
        }
        assertThat(CLUSTER.post(1, "/api/v2/write?precision=ms", body.toString())
                        .statusCode())
                .isEqualTo(204);
    }

    private static String servedBy(int node) throws IOException {
        HttpResponse<String> answer = CLUSTER.post(node, "/api/v1/sql", "SELECT count(*) FROM big");
        assertThat(answer.body()).contains("[[" + ROWS + "]]");
        assertThat(answer.headers().firstValue("Weir-Complete-Until")).isPresent();
        return answer.headers().firstValue("Weir-Served-By").orElse("");
    }

    private static JsonNode running(int node) throws IOException {
        return rows(node, "SHOW QUERIES");
    }

    private static JsonNode rows(int node, String statement) throws IOException {
        HttpResponse<String> answer =
                CLUSTER.post(node, "/api/v1/sql", JSON.writeValueAsString(Map.of("query", statement)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body()).required("rows");
    }

    private static HttpRequest statement(int node, String text) {
        return HttpRequest.newBuilder(URI.create(CLUSTER.url(node) + "/api/v1/sql"))
                .timeout(Duration.ofSeconds(60))
                .header("Accept", "text/csv")
                .POST(BodyPublishers.ofString(text))
                .build();
    }
}
