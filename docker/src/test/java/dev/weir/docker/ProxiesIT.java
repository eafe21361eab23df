package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The change stream through nginx and HAProxy with the settings that Debian ships, and with compression of everything: bytes come at once (CD-07, CD-08), and
 * quiet streams stay open (CD-18). Their idle time-outs are 20 s here, which is harder than their own 50 and 60 s; those, for five minutes, with
 * {@code -Pchaos}. Skipped for a proxy that is missing.
 */
@Execution(ExecutionMode.CONCURRENT)
final class ProxiesIT {
    private static final boolean LONG = "long".equals(System.getProperty("weir.chaos"));
    private static final Duration QUIET = LONG ? Duration.ofMinutes(5) : Duration.ofSeconds(43);
    private static final Duration KEEPALIVE_GAP_MAX = Duration.ofSeconds(18);
    /** Well below the keepalive's 15 s, so that no comment pushes an event through a buffer. */
    private static final Duration AT_ONCE = Duration.ofSeconds(8);

    /** Server-Sent Events, Arrow, WebSocket, in this order behind each proxy. */
    private static final int CARRIERS = 3;

    private static final String STREAM = "/api/v1/cdc/stream?measurement=proxied";

    @RegisterExtension
    static final LocalCluster CLUSTER = LocalCluster.of(1, "--rf", "1");

    private static final List<Proxy> PROXIES = new ArrayList<>();

    @BeforeAll
    static void startProxies() throws IOException {
        for (boolean compressing : new boolean[] {false, true}) {
            Proxy.nginx(CLUSTER.url(1), compressing, LONG).ifPresent(PROXIES::add);
            Proxy.haproxy(CLUSTER.url(1), compressing, LONG).ifPresent(PROXIES::add);
        }
        assumeTrue(!PROXIES.isEmpty(), "skipped: neither nginx nor haproxy is here");
        System.out.println("proxies: " + PROXIES);
    }

    @AfterAll
    static void stopProxies() {
        PROXIES.forEach(Proxy::close);
    }

    @Test
    void nodeTellsProxiesNotToBuffer() throws IOException, InterruptedException {
        try (LineStream stream = LineStream.open(CLUSTER.url(1) + STREAM)) {
            assertThat(stream.header("Content-Type")).startsWith("text/event-stream");
            assertThat(stream.header("Cache-Control")).isEqualTo("no-cache, no-transform");
            assertThat(stream.header("X-Accel-Buffering")).isEqualTo("no");
        }
    }

    @Test
    void eventsComeAtOnceAndQuietStreamsStayOpen() throws IOException, InterruptedException {
        List<LineStream> streams = new ArrayList<>();
        try {
            for (Proxy proxy : PROXIES) {
                LineStream stream = LineStream.open(proxy.url() + STREAM);
                streams.add(stream);
                assertThat(stream.header("Content-Type")).as("%s", proxy).startsWith("text/event-stream");
                stream.await(AT_ONCE, ": weir change stream", proxy.toString());
                streams.add(LineStream.openArrow(proxy.url() + STREAM));
                streams.getLast().await(AT_ONCE, "fields_json", "Arrow by " + proxy);
                streams.add(LineStream.openSocket(proxy.socketsUrl() + STREAM));
                streams.getLast().await(AT_ONCE, "\"event\":\"open\"", "WebSocket by " + proxy);
            }
            for (int i = 0; i < 3; i++) {
                assertEventComesAtOnce(i, streams);
            }
            for (int i = 0; i < streams.size(); i++) {
                Duration gap = streams.get(i).longestGap(QUIET);
                assertThat(gap)
                        .as("silence on quiet stream %d behind %s", i % CARRIERS, proxyOf(i))
                        .isLessThan(KEEPALIVE_GAP_MAX);
            }
            assertEventComesAtOnce(3, streams);
        } finally {
            streams.forEach(LineStream::close);
        }
    }

    private static Proxy proxyOf(int stream) {
        return PROXIES.get(stream / CARRIERS);
    }

    /** Written through the first proxy, seen through all. */
    private static void assertEventComesAtOnce(int n, List<LineStream> streams)
            throws IOException, InterruptedException {
        HttpResponse<String> written = PROXIES.getFirst().post("/api/v2/write", "proxied,h=a n=" + n + "i");
        assertThat(written.statusCode()).as(written.body()).isEqualTo(204);
        for (int i = 0; i < streams.size(); i++) {
            streams.get(i)
                    .await(
                            AT_ONCE,
                            i % CARRIERS == 1 ? "{\"n\":" + n + "}" : "\"fields\":{\"n\":" + n + "}",
                            "stream " + i % CARRIERS + " behind " + proxyOf(i));
        }
    }
}
