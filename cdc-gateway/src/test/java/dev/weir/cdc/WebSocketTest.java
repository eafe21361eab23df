package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.WeirStream;
import java.io.ByteArrayInputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The stream's URL as a WebSocket, read by the JDK's client. */
class WebSocketTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BYTES_MAX = 128 * 1024;
    /** More than all buffers of two sockets hold. */
    private static final long PINGED_MAX = 64L << 20;

    private static final String HANDSHAKE = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

    private final MemoryCluster cluster = MemoryCluster.of(2);
    private final RandomChanges changes = new RandomChanges(17);
    private Gateway gateway;

    @BeforeEach
    void open() throws Exception {
        gateway = new Gateway(
                cluster, CdcConfig.defaults().withSubscriberBytesMax(BYTES_MAX).withHeartbeat(Duration.ofMillis(300)));
    }

    @AfterEach
    void close() throws Exception {
        gateway.close();
    }

    private void append(int batches, int rows) {
        for (int i = 0; i < batches; i++) {
            cluster.log(i % 2).append(changes.batch(rows));
        }
    }

    private int mine() {
        return (int) cluster.logs.values().stream()
                .flatMap(log -> log.events().stream())
                .filter(event -> event.tenant().equals("default"))
                .count();
    }

    @Test
    void carriesTheFramesOfServerSentEvents() throws Exception {
        append(20, 10);
        List<SseFrame> frames;
        try (WeirStream stream = gateway.open(gateway.options().from("earliest"))) {
            frames = Gateway.take(stream, mine());
        }
        try (SocketClient socket = SocketClient.open(gateway, "?from=earliest")) {
            JsonNode opening = socket.next();
            assertThat(opening.get("event").asText()).isEqualTo("open");
            assertThat(opening.get("data").get("version").asInt()).isEqualTo(1);
            assertThat(opening.get("data").get("cursor").asText()).isNotEmpty();
            List<JsonNode> messages = socket.take(frames.size());
            assertThat(data(messages))
                    .containsExactlyInAnyOrderElementsOf(
                            frames.stream().map(frame -> tree(frame.data())).toList());
            assertThat(messages)
                    .allSatisfy(message -> assertThat(message.get("event"))
                            .isEqualTo(message.get("data").get("event_type")));

            cluster.log(1).append(MemoryBatch.point("cpu", "live", 1, 1L));
            assertThat(socket.take(1)).hasSize(1);
        }
        await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.subscribers") == 0);
    }

    private static List<JsonNode> data(List<JsonNode> messages) {
        return messages.stream().map(message -> message.get("data")).toList();
    }

    private static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (java.io.IOException e) {
            throw new AssertionError(json, e);
        }
    }

    @Test
    void goesOnAfterAnId() throws Exception {
        append(10, 5);
        int all = mine();
        try (SocketClient socket = SocketClient.ofProtocols(gateway, "?from=earliest", "chat", "weir.cdc.v1.json")) {
            assertThat(socket.socket.getSubprotocol()).isEqualTo("weir.cdc.v1.json");
            List<JsonNode> first = socket.take(all / 2);
            String id = first.getLast().get("id").asText();
            try (SocketClient byParameter = SocketClient.open(gateway, "?last_event_id=" + id);
                    SocketClient byHeader = SocketClient.open(gateway, "?from=now", "Last-Event-ID", id)) {
                Set<String> seen = new HashSet<>(seqs(first));
                List<String> rest = seqs(byParameter.take(all - all / 2));
                assertThat(rest).doesNotContainAnyElementsOf(seen).doesNotHaveDuplicates();
                assertThat(seqs(byHeader.take(all - all / 2))).containsExactlyInAnyOrderElementsOf(rest);
            }
        }
    }

    private static List<String> seqs(List<JsonNode> messages) {
        return data(messages).stream()
                .map(data -> data.get("partition") + ":" + data.get("seq"))
                .toList();
    }

    @Test
    void pingsQuietConnectionsAndTellsWhereTheyStand() throws Exception {
        append(2, 5);
        try (SocketClient socket = SocketClient.open(gateway, "?measurement=other")) {
            JsonNode checkpoint = socket.next("checkpoint");
            assertThat(checkpoint.get("id")).isEqualTo(checkpoint.get("data").get("cursor"));
            await().atMost(Gateway.PATIENCE).until(() -> socket.pings.get() >= 2);
        }
    }

    @Test
    void stopsWithACheckpointAndGoingAway() throws Exception {
        try (SocketClient socket = SocketClient.open(gateway, "")) {
            socket.next("open");
            gateway.routes.close();
            assertThat(socket.next("checkpoint").get("id").asText()).isNotEmpty();
            assertThat(socket.closed.get(Gateway.PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                    .isEqualTo(1001);
        }
    }

    @Test
    void carriesArrowInBinaryMessages() throws Exception {
        append(6, 10);
        int rows = mine();
        try (SocketClient socket =
                        SocketClient.ofProtocols(gateway, "?from=earliest&compression=zstd", "weir.cdc.v1.arrow");
                SocketClient byAccept =
                        SocketClient.open(gateway, "?from=earliest", "Accept", "application/vnd.apache.arrow.stream")) {
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.events") >= 2 * rows);
            gateway.routes.close();
            for (SocketClient each : List.of(socket, byAccept)) {
                assertThat(each.closed.get(Gateway.PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                        .isEqualTo(1001);
                try (ArrowClient arrow = ArrowClient.over(new ByteArrayInputStream(each.bytes()))) {
                    assertThat(arrow.take(rows).stream()
                                    .mapToInt(ArrowClient.Batch::rows)
                                    .sum())
                            .isEqualTo(rows);
                }
            }
        }
    }

    @Test
    void refusesBeforeTheUpgradeInPlainHttp() throws Exception {
        assertThat(refusal("?measurment=cpu", HANDSHAKE))
                .startsWith("HTTP/1.1 400")
                .contains("\"code\":\"bad_request\"")
                .contains("measurment");
        assertThat(refusal("?last_event_id=nonsense", HANDSHAKE)).contains("\"code\":\"bad_cursor\"");
        assertThat(refusal("", HANDSHAKE + "Sec-WebSocket-Protocol: chat\r\n"))
                .startsWith("HTTP/1.1 406")
                .contains("weir.cdc.v1.json, weir.cdc.v1.arrow");
        assertThat(refusal("", "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"))
                .startsWith("HTTP/1.1 400");
        await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.subscribers") == 0);
    }

    /** What follows the request on its connection waits until it is answered. */
    @Test
    void aRefusedSocketOfASubscriptionIsCountedAndGivesItsConnectionToTheNextRequest() throws Exception {
        String next = "GET /api/v1/cdc/subscriptions HTTP/1.1\r\nHost: here\r\n";
        String path = "/api/v1/cdc/subscriptions/none/stream";
        try (RawStream raw = new RawStream(gateway.port(), "GET", path, HANDSHAKE + "\r\n" + next)) {
            assertThat(raw.readUntil("{\"subscriptions\":[]}")).startsWith("HTTP/1.1 404");
        }
        assertThat(gateway.metric("weir.cdc.refused")).isEqualTo(1);
    }

    private String refusal(String query, String headers) throws Exception {
        try (RawStream raw = new RawStream(gateway.port(), "GET", query, headers)) {
            return raw.readUntil("}\n");
        }
    }

    @Test
    void keepsBoundedBytesForAReaderThatStopsAndDropsNothing() throws Exception {
        try (SocketClient slow = SocketClient.slow(gateway, "")) {
            slow.next("open");
            for (int round = 0; round < 10; round++) {
                append(10, 150);
                assertThat(gateway.metric("weir.cdc.pending.bytes")).isLessThan(2 * BYTES_MAX);
            }
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.lag.events") > 1_000);
            slow.socket.request(Long.MAX_VALUE);
            List<String> seqs = seqs(slow.take(mine()));
            assertThat(seqs).doesNotHaveDuplicates();
        }
    }

    @Test
    void tellsAStreamThatTheLogOutranItsWayOn() throws Exception {
        try (SocketClient slow = SocketClient.slow(gateway, "?from=earliest")) {
            slow.next("open");
            append(300, 200);
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.pending.bytes") >= BYTES_MAX / 2);
            cluster.logs.values().forEach(log -> log.trim(log.nextSeq()));
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.lost") == 1);
            slow.socket.request(Long.MAX_VALUE);
            assertThat(slow.next("lost").get("data").get("oldest_cursor").asText())
                    .isNotEmpty();
            assertThat(slow.closed.get(Gateway.PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                    .isEqualTo(1011);
        }
    }

    /** A browser sees no headers of the answer, and needs it for its acknowledgements. */
    @Test
    void saysOfWhichGenerationASubscriptionIs() throws Exception {
        long generation = JSON.readTree(gateway.call("PUT", "/audit", "{}").body())
                .path("generation")
                .asLong();
        String path = "/api/v1/cdc/subscriptions/audit/stream";
        try (RawStream raw = new RawStream(gateway.port(), "GET", path, HANDSHAKE)) {
            assertThat(raw.readUntil("\"retry_ms\"")).contains(",\"generation\":" + generation + ",");
        }
    }

    /** What answers pings is in nobody's window: a client that takes no answers must not fill the node's memory with them. */
    @Test
    void readsNoFurtherPingsFromAClientThatTakesNoAnswers() throws Exception {
        try (SocketChannel pinging = SocketChannel.open(new InetSocketAddress("127.0.0.1", gateway.port()))) {
            pinging.write(ByteBuffer.wrap(("GET /api/v1/cdc/stream HTTP/1.1\r\nHost: weir\r\n" + HANDSHAKE + "\r\n")
                    .getBytes(StandardCharsets.US_ASCII)));
            assertThat(pinging.read(ByteBuffer.allocate(12))).isEqualTo(12);
            pinging.configureBlocking(false);

            assertThat(bytesTaken(pinging, pings())).isLessThan(PINGED_MAX);

            await().atMost(Gateway.PATIENCE).until(() -> {
                ByteBuffer answers = ByteBuffer.allocate(1 << 20);
                while (pinging.read(answers) > 0) {
                    answers.clear();
                }
                return pinging.write(ByteBuffer.wrap(pings())) > 0;
            });
        }
        await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.subscribers") == 0);
    }

    /** A thousand of the longest: masked, as a client's are, by zeros. */
    private static byte[] pings() {
        ByteBuffer pings = ByteBuffer.allocate(1_000 * (6 + 125));
        while (pings.hasRemaining()) {
            pings.put((byte) 0x89).put((byte) (0x80 | 125)).putInt(0).put(new byte[125]);
        }
        return pings.array();
    }

    /** Written until nothing more was taken for a while, or it was far too much. */
    private static long bytesTaken(SocketChannel socket, byte[] again) {
        AtomicLong taken = new AtomicLong();
        ByteBuffer next = ByteBuffer.wrap(again);
        await().atMost(Gateway.PATIENCE).during(Duration.ofSeconds(2)).until(() -> {
            long before = taken.get();
            for (int now = 1; now > 0 && taken.get() < PINGED_MAX; ) {
                next.position(next.hasRemaining() ? next.position() : 0);
                now = socket.write(next);
                taken.addAndGet(now);
            }
            return taken.get() == before;
        });
        return taken.get();
    }

    @Test
    void takesNothingFromClientsAndLetsThemGo() throws Exception {
        List<SocketClient> sockets = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            sockets.add(SocketClient.open(gateway, ""));
            sockets.getLast().next("open");
        }
        sockets.get(0).socket.sendText("x".repeat(1 << 20), true).join();
        cluster.log(0).append(MemoryBatch.point("cpu", "a", 1, 1L));
        assertThat(sockets.get(0).take(1)).hasSize(1);

        sockets.get(0).socket.sendClose(1000, "enough").join();
        sockets.get(1).socket.abort();
        await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.subscribers") == 0);
        sockets.forEach(SocketClient::close);
    }
}
