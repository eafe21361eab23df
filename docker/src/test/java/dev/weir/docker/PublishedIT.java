package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Three nodes publish a table; Delta Kernel reads from the store what SQL answers, with {@code -Pchaos} also after the publishing node was killed and a column widened. */
final class PublishedIT {
    private static final Duration SOON = Duration.ofSeconds(120);
    private static final boolean LONG = "long".equals(System.getProperty("weir.chaos"));
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long NOON = 1_790_000_000_000_000_000L;

    @RegisterExtension
    static final LocalCluster CLUSTER = LocalCluster.of(3, "-c", "publish.interval=1s");

    @Test
    void readersOfTheStoreSeeWhatSqlSays() throws IOException {
        write(0, 300);
        CLUSTER.sql(1, "ALTER TABLE published_it SET published = 'delta'");
        CLUSTER.sql(1, "FLUSH TABLE published_it");
        String created = CLUSTER.sql(2, "SHOW CREATE TABLE published_it")
                .path("rows")
                .path(0)
                .toString();
        assertThat(created).contains("published = 'delta'");
        DeltaRows published =
                new DeltaRows(Path.of(JSON.readTree(created).path(2).asText().replaceFirst("^file:/+", "/")));
        awaitSame(published);

        write(200, 200);
        CLUSTER.sql(2, "DELETE FROM published_it WHERE host = 'h3'");
        CLUSTER.sql(1, "FLUSH TABLE published_it");
        CLUSTER.sql(3, "COMPACT TABLE published_it");
        awaitSame(published);
        if (LONG) {
            killAndWiden(published);
        }
    }

    private static void killAndWiden(DeltaRows published) throws IOException {
        CLUSTER.kill(publishingNode());
        int up = await().atMost(SOON).until(PublishedIT::nodeWithQuorum, node -> node > 0);
        await().atMost(SOON).ignoreExceptions().until(() -> {
            CLUSTER.sql(up, "ALTER TABLE published_it ALTER COLUMN n TYPE DOUBLE");
            return true;
        });
        await().atMost(SOON).ignoreExceptions().until(() -> {
            CLUSTER.post(up, "/api/v2/write", "published_it,host=h1 n=0.25 " + (NOON + 999));
            CLUSTER.sql(up, "FLUSH TABLE published_it");
            return true;
        });
        awaitSame(published);
        assertThat(published.read()).contains("h1 " + (NOON + 999) + " 0.25");
    }

    /** Each row as "host nanos n". */
    private static void awaitSame(DeltaRows published) {
        await().atMost(SOON).ignoreExceptions().untilAsserted(() -> {
            List<String> expected = new ArrayList<>();
            for (JsonNode row : CLUSTER.sql(
                            nodeWithQuorum(),
                            "SELECT host || ' ' || epoch_ns(time) || ' ' || CAST(n AS DOUBLE) FROM published_it")
                    .path("rows")) {
                expected.add(row.path(0).asText());
            }
            assertThat(expected).isNotEmpty();
            assertThat(published.read()).containsExactlyInAnyOrderElementsOf(expected);
        });
    }

    private static int publishingNode() throws IOException {
        for (int node = 1; node <= 3; node++) {
            if (CLUSTER.get(node, "/metrics").body().lines().anyMatch("weir_publish_tables 1.0"::equals)) {
                return node;
            }
        }
        throw new IllegalStateException("no node publishes the table");
    }

    private static int nodeWithQuorum() throws IOException {
        for (int node = 1; node <= 3; node++) {
            try {
                if (CLUSTER.get(node, "/health/ready").statusCode() == 200) {
                    return node;
                }
            } catch (IOException dead) {
                // The next.
            }
        }
        return 0;
    }

    private static void write(int from, int count) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = from; i < from + count; i++) {
            lines.append("published_it,host=h")
                    .append(i % 7)
                    .append(" n=")
                    .append(i)
                    .append("i ");
            lines.append(NOON + i * 86_400_000_000_001L / 50).append('\n');
        }
        assertThat(CLUSTER.post(1, "/api/v2/write", lines.toString()).statusCode())
                .isEqualTo(204);
    }
}
