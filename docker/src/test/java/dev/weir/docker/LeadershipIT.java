package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Three nodes: leadership spreads by itself and fails no write; a tenant's series end at the limit. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class LeadershipIT {
    private static final Duration SOON = Duration.ofSeconds(150);
    private static final int SERIES_MAX = 200;

    @RegisterExtension
    static final LocalCluster CLUSTER = LocalCluster.of(3, "-c", "limits.series-per-tenant=" + SERIES_MAX);

    private static final Rows ROWS = new Rows(CLUSTER, "leadership_it");
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    @Order(1)
    void leadersBecomeThoseOfTheMapAndNoWriteFails() throws IOException, InterruptedException {
        CLUSTER.restart(1);
        assertThat(leaders()).as("leaders after a node was away").isNotEqualTo(preferredLeaders());

        CounterWriter writer = new CounterWriter(CLUSTER, 1, 42);
        try (writer) {
            await().atMost(SOON)
                    .untilAsserted(() ->
                            assertThat(leaders()).isEqualTo(preferredLeaders()).contains("node1", "node2", "node3"));
        }
        assertThat(writer.answers().keySet()).as("answers %s", writer.answers()).isEqualTo(Set.of("204"));
        ROWS.write(100);
        assertThat(ROWS.streamed(2)).isEqualTo(ROWS.acknowledged());
    }

    @Test
    @Order(2)
    void metricsTellOfEachReplicaWithItsLimits() throws IOException {
        List<String> metrics = CLUSTER.get(2, "/metrics").body().lines().toList();
        for (String name : List.of(
                "writer_bytes",
                "writer_bytes_limit",
                "writer_entries_total",
                "segment_bytes",
                "next_seq",
                "table_series",
                "table_series_limit")) {
            assertThat(metrics)
                    .filteredOn(line -> line.startsWith("weir_partition_" + name + "{"))
                    .hasSize(8);
        }
        assertThat(metrics).anyMatch(line -> line.startsWith("weir_lead_clock_ahead_seconds "));
    }

    @Test
    @Order(3)
    void aTenantsSeriesEndAtItsLimitAndTheKnownGoOn() throws IOException {
        int accepted = 0;
        HttpResponse<String> answer = write(0, 10);
        while (answer.statusCode() == 204 && accepted < 2 * SERIES_MAX) {
            accepted += 10;
            answer = write(accepted, 10);
        }
        assertThat(answer.statusCode()).isEqualTo(400);
        JsonNode refused = JSON.readTree(answer.body()).path("rows").path(0);
        assertThat(refused.path("code").asText()).isEqualTo("limit_series");
        assertThat(refused.path("message").asText())
                .contains("tenant default", "limits.series-per-tenant", "table many", "tag with most values is id");
        assertThat(accepted).isBetween(SERIES_MAX / 2, SERIES_MAX * 2 - 10);
        assertThat(write(0, 10).statusCode()).as("series that are known").isEqualTo(204);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(CLUSTER.get(1, "/metrics").body())
                        .contains("weir_tenant_series_warnings 1.0", "weir_tenant_series_limit 200.0"));
    }

    private static HttpResponse<String> write(int from, int count) throws IOException {
        StringBuilder body = new StringBuilder();
        for (int id = from; id < from + count; id++) {
            body.append("many,id=i" + id + " v=1i 1767225600000000000\n");
        }
        return CLUSTER.post(1 + from % 3, "/api/v2/write?precision=ns", body.toString());
    }

    private static List<String> leaders() throws IOException {
        List<String> leaders = new ArrayList<>();
        partitions().forEach(partition -> leaders.add(partition.path("leader").asText()));
        return leaders;
    }

    private static List<String> preferredLeaders() throws IOException {
        List<String> preferred = new ArrayList<>();
        partitions()
                .forEach(partition -> preferred.add(
                        partition.path("replicas").path(0).path("node").asText()));
        return preferred;
    }

    private static JsonNode partitions() throws IOException {
        return JSON.readTree(CLUSTER.get(2, "/api/v1/admin/partitions").body()).path("partitions");
    }
}
