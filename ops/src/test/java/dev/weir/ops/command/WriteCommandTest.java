package dev.weir.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ops.FakeCluster;
import dev.weir.ops.FakeCluster.Run;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WriteCommandTest {
    private static final String V2 = "POST /api/v2/write";

    @TempDir
    Path dir;

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
    void cutsLineProtocolIntoBatchesOfWholeRows() throws IOException {
        cluster.reply(V2, 204, "");
        Path file = file("# comment\nm v=\"a\nb\" 1\nm v=2 2\n\nm,t=\"q v=3 3\nm v=4 4");

        Run run = cluster.run("write", file.toString(), "--batch", "2", "--precision", "ms");

        assertThat(run.out()).contains("4 rows written, 0 refused, in 2 requests");
        assertThat(cluster.requests().stream().map(FakeCluster.Request::body))
                .containsExactly("# comment\nm v=\"a\nb\" 1\nm v=2 2\n", "\nm,t=\"q v=3 3\nm v=4 4");
        assertThat(cluster.requests().getFirst().target()).isEqualTo("/api/v2/write?precision=ms");
    }

    @Test
    void sendsAgainWithTheSameKeyWhileTheClusterAsksForIt() throws IOException {
        cluster.reply(V2, 503, "{\"error\":\"no quorum\",\"code\":\"no_quorum\"}", Map.of("Retry-After", "1"));
        cluster.reply(V2, 204, "", Map.of("Weir-Commit", "cursor1"));

        Run run = cluster.run("write", file("m v=1 1\n").toString(), "-o", "json");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("\"accepted\" : 1")
                .contains("\"requests\" : 2")
                .contains("\"commit\" : \"cursor1\"");
        List<String> keys = cluster.requests().stream()
                .map(request -> request.headers().get("Idempotency-key").getFirst())
                .distinct()
                .toList();
        assertThat(keys).hasSize(1);
    }

    @Test
    void sendsAgainWithTheSameKeyWhenTheConnectionBreaks() throws IOException {
        cluster.reply(V2, FakeCluster.BREAKS_OFF, "");
        cluster.reply(V2, 204, "");

        Run run = cluster.run("write", file("m v=1 1\n").toString());

        assertThat(run.out()).as(run.err()).contains("1 rows written, 0 refused, in 2 requests");
        assertThat(cluster.requests().stream()
                        .map(request -> request.headers().get("Idempotency-key"))
                        .distinct())
                .hasSize(1);
    }

    @Test
    void saysThatTheConnectionBrokeWhereItMayNotSendAgain() throws IOException {
        cluster.reply(V2, FakeCluster.BREAKS_OFF, "");

        Run run = cluster.run("write", file("m v=1 1\n").toString(), "--retry-for", "0");

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains("broke off POST /api/v2/write");
    }

    @Test
    void refusedRowsAreNamedByTheirLineInTheInput() throws IOException {
        cluster.reply(V2, 204, "");
        cluster.reply(
                V2,
                400,
                "{\"error\":\"1 row refused\",\"code\":\"type_conflict\",\"accepted\":1,\"rejected\":1,\"retry\":0,\"unknown\":0,"
                        + "\"rows\":[{\"line\":2,\"code\":\"type_conflict\",\"message\":\"v is float64, found string\"}]}");

        Run run = cluster.run(
                "write", file("m v=1 1\nm v=2 2\nm v=3 3\nm v=\"x\" 4\n").toString(), "--batch", "2");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("line 4: v is float64, found string (type_conflict)");
        assertThat(run.out()).contains("3 rows written, 1 refused");
    }

    @Test
    void readsGzipAndTellsJsonFromLineProtocol() throws IOException {
        cluster.reply("POST /api/v1/write", 204, "");
        Path file = dir.resolve("rows.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("{\"host\":\"a\",\"v\":1}\n{\"host\":\"b\",\"v\":2}\n"
                    .getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }

        Run run = cluster.run("write", file.toString(), "--measurement", "m", "--tags", "host");

        assertThat(run.out()).contains("2 rows written");
        assertThat(cluster.requests().getFirst().target()).isEqualTo("/api/v1/write?measurement=m&tags=host");
        assertThat(cluster.requests().getFirst().headers().get("Content-type")).containsExactly("application/x-ndjson");
    }

    @Test
    void aJsonArrayIsOneBody() throws IOException {
        cluster.reply("POST /api/v1/write", 204, "");

        Run run = cluster.run("write", file("[{\"a\":1},\n {\"a\":2}]").toString());

        assertThat(run.out()).contains("2 rows written, 0 refused, in 1 requests");
    }

    @Test
    void anyOtherRefusalStopsTheRun() throws IOException {
        cluster.reply(V2, 401, "{\"error\":\"no token\",\"code\":\"unauthenticated\"}");

        Run run = cluster.run("write", file("m v=1 1\n").toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("401: no token (unauthenticated)");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(dir.resolve("rows"), text);
    }
}
