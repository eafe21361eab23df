package dev.weir.node.ingest;

import static dev.weir.node.ingest.WriteContractTest.error;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import dev.weir.node.ingest.letter.LetterLimits;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bodies: codings, limits, broken ones. */
class BodyTest {
    private static final int BODY_MAX = 1 << 20;
    private static final int INFLATED_MAX = 2 << 20;

    private final IngestServer server = new IngestServer(
            new FoldingCatalog(1),
            new IngestLimits(BODY_MAX, INFLATED_MAX, 3 << 20, 1 << 16, 1 << 20, LetterLimits.defaults()));

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void inflatesGzipAndZstd() {
        byte[] two = concat(IngestServer.gzip("m v=1i 1\nm v="), IngestServer.gzip("2i 2\n"));
        assertThat(server.post("/api/v2/write", two, "Content-Encoding", "gzip").statusCode())
                .isEqualTo(204);
        byte[] zstd = Zstd.compress("m v=3i 3\n".getBytes(StandardCharsets.UTF_8));
        assertThat(server.post("/write", zstd, "Content-Encoding", "zstd").statusCode())
                .isEqualTo(204);
        assertThat(server.post("/write", "m v=4i 4", "Content-Encoding", "identity")
                        .statusCode())
                .isEqualTo(204);
        assertThat(server.stored()).containsExactly("m[] {v=1} @1", "m[] {v=2} @2", "m[] {v=3} @3", "m[] {v=4} @4");
    }

    /** IN-07. */
    @Test
    void storesNothingOfABrokenBody() {
        byte[] gzip = IngestServer.gzip("m v=1i 1\nm v=2i 2\n");
        byte[] zstd = Zstd.compress("m v=1i 1\nm v=2i 2\n".getBytes(StandardCharsets.UTF_8));
        byte[] flipped = gzip.clone();
        flipped[gzip.length - 6] ^= 1;
        byte[][] broken = {
            "m v=1i 1".getBytes(StandardCharsets.UTF_8),
            Arrays.copyOf(gzip, gzip.length - 3),
            Arrays.copyOf(gzip, 12),
            flipped,
            concat(gzip, "m v=3i 3".getBytes(StandardCharsets.UTF_8)),
            concat(gzip, Arrays.copyOf(gzip, 15)),
            {}
        };
        for (byte[] body : broken) {
            JsonObject answer = error(server.post("/api/v2/write", body, "Content-Encoding", "gzip"), 400);
            assertThat(answer.getString("code")).isEqualTo("bad_encoding");
        }
        byte[][] brokenZstd = {
            "m v=1i 1".getBytes(StandardCharsets.UTF_8),
            Arrays.copyOf(zstd, zstd.length - 3),
            concat(zstd, new byte[] {1, 2, 3, 4, 5, 6}),
            {}
        };
        for (byte[] body : brokenZstd) {
            JsonObject answer = error(server.post("/api/v2/write", body, "Content-Encoding", "zstd"), 400);
            assertThat(answer.getString("code")).isEqualTo("bad_encoding");
        }
        assertThat(server.stored()).isEmpty();
        assertThat(server.meters.get("weir_ingest_in_flight_bytes").gauge().value())
                .isZero();
    }

    @Test
    void refusesEveryMutationOfGzipOrReadsItWhole() {
        byte[] gzip = IngestServer.gzip("m v=1i 1\nm v=2i 2\n");
        Random random = new Random(3);
        for (int i = 0; i < 300; i++) {
            byte[] body = gzip.clone();
            body[random.nextInt(body.length)] ^= (byte) (1 << random.nextInt(8));
            int before = server.stored().size();
            int status = server.post("/api/v2/write", body, "Content-Encoding", "gzip")
                    .statusCode();
            assertThat(status).isIn(204, 400);
            assertThat(server.stored().size() - before).isEqualTo(status == 204 ? 2 : 0);
        }
    }

    /** IN-07. */
    @Test
    void namesTheCodingsThatItKnows() {
        HttpResponse<String> answer = server.post("/api/v2/write", "m v=1i 1", "Content-Encoding", "br");
        error(answer, 415);
        assertThat(answer.headers().firstValue("Accept-Encoding")).contains("gzip, zstd, identity");
        assertThat(server.post("/api/v2/write", "m v=1i 1", "Content-Encoding", "gzip, gzip")
                        .statusCode())
                .isEqualTo(415);
    }

    /** IN-05. */
    @Test
    void namesTheLimitOfARawBody() {
        JsonObject answer = error(server.lines("#".repeat(BODY_MAX + 1)), 413);
        assertThat(answer.getString("code")).isEqualTo("too_large");
        assertThat(answer.getString("error")).contains("1048576").contains("ingest.body-bytes-max");
        assertThat(server.lines("#".repeat(BODY_MAX)).statusCode()).isEqualTo(204);
    }

    /** IN-05. */
    @Test
    void namesTheLimitOfAnInflatedBody() {
        byte[] bomb = IngestServer.gzip("#".repeat(INFLATED_MAX + 1));
        JsonObject answer = error(server.post("/api/v2/write", bomb, "Content-Encoding", "gzip"), 413);
        assertThat(answer.getString("error")).contains("2097152").contains("ingest.inflated-bytes-max");
        byte[] zstdBomb = Zstd.compress("#".repeat(INFLATED_MAX + 1).getBytes(StandardCharsets.UTF_8));
        error(server.post("/api/v2/write", zstdBomb, "Content-Encoding", "zstd"), 413);
        byte[] fits = IngestServer.gzip("#".repeat(INFLATED_MAX));
        assertThat(server.post("/api/v2/write", fits, "Content-Encoding", "gzip")
                        .statusCode())
                .isEqualTo(204);
        assertThat(server.meters.get("weir_ingest_in_flight_bytes").gauge().value())
                .isZero();
    }

    /** IN-05: the sender of a body that is too large sees the answer, and may go on with the same connection. */
    @Test
    void letsTheSenderSeeThatTheBodyIsTooLarge() throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            byte[] chunk = "#".repeat(64 << 10).getBytes(StandardCharsets.UTF_8);
            out.write("POST /api/v2/write HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < 10 * BODY_MAX / chunk.length; i++) {
                out.write("10000\r\n".getBytes(StandardCharsets.US_ASCII));
                out.write(chunk);
                out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
            }
            out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.write("POST /api/v2/write HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\nConnection: close\r\n\r\nm v=1i 1"
                    .getBytes(StandardCharsets.US_ASCII));
            String all = readAll(socket.getInputStream());
            assertThat(all).startsWith("HTTP/1.1 413 ").contains("HTTP/1.1 204 ");
        }
        assertThat(server.stored()).hasSize(1);
    }

    @Test
    void refusesBodiesWhileTheNodeHoldsTooMany() throws IOException {
        try (Socket slow = new Socket("127.0.0.1", server.port());
                Socket slower = new Socket("127.0.0.1", server.port());
                Socket slowest = new Socket("127.0.0.1", server.port())) {
            for (Socket each : new Socket[] {slow, slower, slowest}) {
                each.getOutputStream()
                        .write(("POST /write HTTP/1.1\r\nHost: x\r\nContent-Length: " + (BODY_MAX - 8) + "\r\n\r\nm")
                                .getBytes(StandardCharsets.US_ASCII));
            }
            org.awaitility.Awaitility.await()
                    .until(() -> server.meters
                                    .get("weir_ingest_in_flight_bytes")
                                    .gauge()
                                    .value()
                            >= 3 * (BODY_MAX - 8));
            HttpResponse<String> answer = server.lines("m v=1i 1\n".repeat(100));
            assertThat(error(answer, 503).getString("code")).isEqualTo("overloaded");
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        }
        org.awaitility.Awaitility.await()
                .until(() ->
                        server.meters.get("weir_ingest_in_flight_bytes").gauge().value() == 0);
        assertThat(server.lines("m v=1i 1").statusCode()).isEqualTo(204);
    }

    @Test
    void refusesRowsThatAreTooLong() {
        JsonObject answer = error(server.lines("m v=1i 1\nm s=\"" + "x".repeat(1 << 16) + "\" 2\nm v=3i 3"), 400);
        assertThat(answer.getString("code")).isEqualTo("limit_row");
        assertThat(answer.getInteger("accepted")).isEqualTo(2);
    }

    private static String readAll(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    private static byte[] concat(byte[] a, byte[] b) {
        byte[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }
}
