package dev.weir.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ops.FakeCluster;
import dev.weir.ops.FakeCluster.Run;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

final class CdcTailCommandTest {
    private static final String PATH = "GET /api/v1/cdc/stream";
    private static final Map<String, String> SSE = Map.of("Content-Type", "text/event-stream");

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
    void showsEachChangeOnceAlsoWhenItComesAgainAfterAReconnection() {
        cluster.reply(PATH, 200, ": hello\n\n" + frame(1, "null") + frame(2, "1"), SSE);
        cluster.reply(PATH, 200, frame(2, "null") + frame(3, "2"), SSE);

        Run run = cluster.run("cdc", "tail", "--measurement", "m", "--tag", "host=a", "--max", "3");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out().lines().toList()).containsExactly(line(1), line(2), line(3));
        assertThat(cluster.requests().getFirst().target())
                .isEqualTo("/api/v1/cdc/stream?measurement=m&tag.host=a&from=now");
        assertThat(cluster.requests().getLast().headers().get("Last-event-id")).containsExactly("c2");
    }

    @Test
    void saysAloudThatAChangeIsMissing() {
        cluster.reply(PATH, 200, frame(1, "null") + frame(5, "4"), SSE);

        Run run = cluster.run("cdc", "tail", "--max", "2");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("changes are missing: partition 3: after seq 1 came 5");
    }

    @Test
    void jsonIsTheEventAsItCame() {
        cluster.reply(PATH, 200, frame(1, "null"), SSE);

        Run run = cluster.run("cdc", "tail", "-o", "json", "--from", "earliest", "--max", "1");

        assertThat(run.out()).isEqualTo(data(1, "null") + "\n");
    }

    @Test
    void aCursorThatIsTooOldEndsWithOne() {
        cluster.reply(PATH, 410, "{\"error\":\"cursor too old\",\"code\":\"cursor_too_old\",\"oldest\":\"c9\"}");

        Run run = cluster.run("cdc", "tail", "--from", "c1");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("cursor too old");
    }

    @Test
    void coloursNeverTouchWhatUsersWrote() {
        String line = new ChangeLines(Ansi.ON).of(data(1, "null").replace("\"a b\"", "\"@|red x|@\""));

        assertThat(line).contains("host=@|red x|@").contains("\u001B[32minsert");
    }

    private static String frame(long seq, String prev) {
        return "event: point_written\nid: c" + seq + "\ndata: " + data(seq, prev) + "\n\n";
    }

    private static String data(long seq, String prev) {
        return "{\"seq\":" + seq + ",\"prev\":" + prev
                + ",\"partition\":3,\"event_type\":\"point_written\",\"operation\":\"insert\",\"measurement\":\"m\","
                + "\"timestamp\":17,\"time\":\"1970-01-01T00:00:00.000000017Z\",\"tags\":{\"host\":\"a b\"},\"fields\":{\"v\":1.5},"
                + "\"schema_version\":1,\"committed_at\":\"2026-11-01T00:00:00Z\",\"source\":\"log\"}";
    }

    private static String line(long seq) {
        return "2026-11-01T00:00:00Z 3:" + seq + " insert m,host=a b v=1.5 @1970-01-01T00:00:00.000000017Z";
    }
}
