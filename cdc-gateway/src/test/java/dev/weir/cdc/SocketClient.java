package dev.weir.cdc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The JDK's WebSocket, for a test to take messages from. */
final class SocketClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private final BlockingQueue<String> texts = new LinkedBlockingQueue<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    final AtomicInteger pings = new AtomicInteger();
    final CompletableFuture<Integer> closed = new CompletableFuture<>();
    final WebSocket socket;

    /** @param demand how many messages to take at first; more by {@link WebSocket#request} */
    private SocketClient(Gateway gateway, String query, long demand, List<String> protocols, String... headers) {
        WebSocket.Builder builder = client.newWebSocketBuilder();
        for (int i = 0; i < headers.length; i += 2) {
            builder.header(headers[i], headers[i + 1]);
        }
        if (!protocols.isEmpty()) {
            builder.subprotocols(
                    protocols.getFirst(), protocols.subList(1, protocols.size()).toArray(String[]::new));
        }
        socket = builder.buildAsync(
                        URI.create("ws://127.0.0.1:" + gateway.port() + "/api/v1/cdc/stream" + query),
                        new Taker(demand))
                .join();
    }

    static SocketClient open(Gateway gateway, String query, String... headers) {
        return new SocketClient(gateway, query, Long.MAX_VALUE, List.of(), headers);
    }

    static SocketClient ofProtocols(Gateway gateway, String query, String... protocols) {
        return new SocketClient(gateway, query, Long.MAX_VALUE, List.of(protocols));
    }

    /** Takes one message, then none before it is asked to. */
    static SocketClient slow(Gateway gateway, String query) {
        return new SocketClient(gateway, query, 1, List.of());
    }

    JsonNode next() throws IOException, InterruptedException {
        String text = texts.poll(Gateway.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        if (text == null) {
            throw new AssertionError("no message came");
        }
        return JSON.readTree(text);
    }

    JsonNode next(String event) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Gateway.PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            JsonNode message = next();
            if (message.get("event").asText().equals(event)) {
                return message;
            }
        }
        throw new AssertionError("no message " + event + " came");
    }

    /** The next change events. */
    List<JsonNode> take(int count) throws IOException, InterruptedException {
        List<JsonNode> taken = new ArrayList<>();
        long deadline = System.nanoTime() + Gateway.PATIENCE.toNanos();
        while (taken.size() < count) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("expected " + count + " changes, found " + taken.size());
            }
            JsonNode message = next();
            if (message.get("data").has("event_type")) {
                taken.add(message);
            }
        }
        return taken;
    }

    byte[] bytes() {
        synchronized (bytes) {
            return bytes.toByteArray();
        }
    }

    @Override
    public void close() {
        socket.abort();
        client.shutdownNow();
    }

    private final class Taker implements WebSocket.Listener {
        private final long demand;
        private final StringBuilder text = new StringBuilder();

        Taker(long demand) {
            this.demand = demand;
        }

        @Override
        public void onOpen(WebSocket opened) {
            opened.request(demand);
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                texts.add(text.toString());
                text.setLength(0);
            }
            return null;
        }

        @Override
        public CompletionStage<?> onBinary(WebSocket from, ByteBuffer part, boolean last) {
            byte[] copy = new byte[part.remaining()];
            part.get(copy);
            synchronized (bytes) {
                bytes.writeBytes(copy);
            }
            return null;
        }

        @Override
        public CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
            pings.incrementAndGet();
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            closed.complete(code);
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable error) {
            closed.completeExceptionally(error);
        }
    }
}
