package dev.weir.docker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.docker.Carrier.Part;
import dev.weir.docker.Carrier.SeqRange;
import dev.weir.partition.model.ChangeEvent;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The change stream as the JSON messages of a WebSocket, by the JDK's client. */
final class SocketConnection implements Carrier.Connection {
    /** A ping comes every 15 s. */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(25);

    private static final String END = "(the end) ";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client;
    private final LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private @Nullable WebSocket socket;

    private SocketConnection(HttpClient client) {
        this.client = client;
    }

    static SocketConnection open(String address) throws IOException {
        HttpClient client =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
        SocketConnection connection = new SocketConnection(client);
        try {
            connection.socket = client.newWebSocketBuilder()
                    .connectTimeout(Duration.ofSeconds(15))
                    .subprotocols("weir.cdc.v1.json")
                    .buildAsync(URI.create(address.replaceFirst("^http", "ws")), connection.new Listener())
                    .join();
            return connection;
        } catch (CompletionException e) {
            client.shutdownNow();
            if (e.getCause() instanceof WebSocketHandshakeException refused
                    && refused.getResponse().statusCode() != 503) {
                throw new AssertionError(
                        "expected a socket at " + address + ", found "
                                + refused.getResponse().statusCode(),
                        refused);
            }
            throw new IOException("no socket at " + address + ": " + e.getCause(), e.getCause());
        }
    }

    @Override
    public Part next() throws IOException, InterruptedException {
        String text = messages.poll(SILENCE_MAX.toNanos(), TimeUnit.NANOSECONDS);
        if (text == null || text.startsWith(END)) {
            throw new IOException(text == null ? "no message in " + SILENCE_MAX : text);
        }
        JsonNode message = JSON.readTree(text);
        JsonNode data = message.path("data");
        String id = message.path("id").asText(null);
        return switch (message.path("event").asText()) {
            case "open", "checkpoint", "resolved", "ping" -> Carrier.progress(id);
            case "gap" -> new Part(List.of(), List.of(gap(data)), id);
            case "lost", "refused" -> throw new AssertionError("expected changes, found " + text);
            default -> {
                ChangeEvent change = StreamedEvents.of("default", data);
                yield new Part(List.of(change), List.of(), id);
            }
        };
    }

    static SeqRange gap(JsonNode data) {
        return new SeqRange(
                data.required("partition").intValue(),
                data.required("first_seq").longValue(),
                data.required("last_seq").longValue());
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                messages.add(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onPing(WebSocket from, java.nio.ByteBuffer message) {
            messages.add("{\"event\":\"ping\"}");
            from.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            messages.add(END + code + " " + reason);
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable error) {
            messages.add(END + error);
        }
    }

    @Override
    public void abort() {
        WebSocket open = socket;
        if (open != null) {
            open.abort();
        }
        client.shutdownNow();
        messages.add(END + "closed here");
    }

    @Override
    public void free() {
        abort();
    }
}
