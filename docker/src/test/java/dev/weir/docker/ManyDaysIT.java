package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Years of history in one import, days in any order (PQ-12): all is there at once, each day becomes a file, and late rows touch their own days alone. */
final class ManyDaysIT {
    private static final boolean LONG = "long".equals(System.getProperty("weir.chaos"));
    /** More than one flush takes. */
    private static final int DAYS = LONG ? 2_000 : 1_100;

    private static final int ROWS = LONG ? 1_000_000 : 10_000;
    private static final int BATCH = 5_000;
    private static final int LATE_DAYS = 40;
    private static final long DAY = 86_400_000_000_000L;
    /** Of 2020-01-01. */
    private static final long FIRST_DAY = 18_262;

    private static final Duration PATIENCE = Duration.ofSeconds(120);

    @RegisterExtension
    static final LocalCluster CLUSTER =
            LocalCluster.of(1, "--rf", "1", "--partitions", "1", "-c", "flush.rows=1000000");

    private final SplittableRandom random = new SplittableRandom(12);
    private long rows;

    @Test
    void everyDayIsAFileAndLateRowsTouchTheirDaysAlone() throws IOException {
        for (int from = 0; from < ROWS; from += BATCH) {
            write(BATCH, DAYS);
        }
        expectAllRows();
        await().atMost(PATIENCE).until(() -> {
            CLUSTER.sql(1, "FLUSH TABLE history");
            return CLUSTER.metric(1, "weir_partition_buffered_rows") == 0;
        });
        assertThat(CLUSTER.metric(1, "weir_partition_files")).as("files").isGreaterThanOrEqualTo(DAYS);
        expectAllRows();
        await().atMost(PATIENCE).until(() -> {
            CLUSTER.sql(1, "COMPACT TABLE history");
            return CLUSTER.metric(1, "weir_partition_files") == DAYS;
        });

        write(1_000, LATE_DAYS);
        CLUSTER.sql(1, "FLUSH TABLE history");
        assertThat(CLUSTER.metric(1, "weir_partition_files")).isEqualTo(DAYS + LATE_DAYS);
        double before = CLUSTER.metric(1, "weir_partition_compactions_total");
        CLUSTER.sql(1, "COMPACT TABLE history");
        assertThat(CLUSTER.metric(1, "weir_partition_compactions_total") - before)
                .as("days that were written again")
                .isEqualTo(LATE_DAYS);
        assertThat(CLUSTER.metric(1, "weir_partition_files")).isEqualTo(DAYS);
        expectAllRows();
        JsonNode day =
                CLUSTER.sql(1, "SELECT count(*) FROM history WHERE time >= '2020-01-01' AND time < '2020-01-02'");
        assertThat(day.path("rows").path(0).path(0).longValue()).isPositive();
    }

    /** The first rows of a batch fall on each of the days in turn, the others on any. */
    private void write(int count, int days) throws IOException {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < count; i++, rows++) {
            long day = FIRST_DAY + (i < days ? i * 7L % days : random.nextInt(days));
            body.append("history,h=")
                    .append(rows % 11)
                    .append(" n=")
                    .append(rows)
                    .append("i ");
            body.append(day * DAY + rows).append('\n');
        }
        HttpResponse<String> answer =
                await().atMost(PATIENCE).until(() -> CLUSTER.post(1, "/api/v2/write", body.toString()), this::isDone);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
    }

    private boolean isDone(HttpResponse<String> answer) {
        return answer.statusCode() != 503 && answer.statusCode() != 429;
    }

    private void expectAllRows() throws IOException {
        JsonNode row = CLUSTER.sql(1, "SELECT count(*), sum(n), count(DISTINCT time) FROM history")
                .path("rows")
                .path(0);
        assertThat(row.path(0).longValue()).as("rows").isEqualTo(rows);
        assertThat(row.path(1).asLong()).as("sum").isEqualTo(rows * (rows - 1) / 2);
        assertThat(row.path(2).longValue()).as("rows once each").isEqualTo(rows);
    }
}
