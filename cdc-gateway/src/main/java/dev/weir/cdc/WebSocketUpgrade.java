package dev.weir.cdc;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stream's URL asked for as a WebSocket (RFC 6455). Sub-protocols name what the messages are and their version; without one {@code Accept} chooses as it does
 * over HTTP.
 */
final class WebSocketUpgrade {
    static final String JSON = "weir.cdc.v1.json";
    static final String ARROW = "weir.cdc.v1.arrow";

    private static final List<String> SUB_PROTOCOLS = List.of(JSON, ARROW);
    /** Clients have nothing to say but close and pong; more is read and thrown away. */
    private static final int MESSAGE_BYTES_MAX = 64 << 10;

    private WebSocketUpgrade() {}

    /** Never compressed: a compressor a connection would cost memory that is not counted. */
    static HttpServerOptions prepare(HttpServerOptions options) {
        return options.setWebSocketSubProtocols(SUB_PROTOCOLS)
                .setPerMessageWebSocketCompressionSupported(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setMaxWebSocketFrameSize(MESSAGE_BYTES_MAX)
                .setMaxWebSocketMessageSize(MESSAGE_BYTES_MAX);
    }

    static boolean isAsked(HttpServerRequest request) {
        return request.version() == HttpVersion.HTTP_1_1
                && request.method().equals(HttpMethod.GET)
                && "websocket".equalsIgnoreCase(request.getHeader("Upgrade"));
    }

    /** What follows the request is no longer HTTP: it has to wait until this has been answered, where that takes more than this moment. */
    static void hold(HttpServerRequest request) {
        if (isAsked(request)) {
            request.pause();
        }
    }

    /**
     * What the client wants the stream in, over HTTP too.
     *
     * @throws RequestRefused no handshake, or the client takes none of the formats that there are
     */
    static StreamFormat format(HttpServerRequest request) {
        if (!isAsked(request)) {
            return StreamFormat.of(request.getHeader("Accept"));
        }
        String version = request.getHeader("Sec-WebSocket-Version");
        if (!"13".equals(version) || request.getHeader("Sec-WebSocket-Key") == null) {
            throw RequestRefused.of(
                    ErrorCode.BAD_REQUEST,
                    "Upgrade: websocket: expected Sec-WebSocket-Version: 13 and a Sec-WebSocket-Key, found version "
                            + version);
        }
        String asked = request.getHeader("Sec-WebSocket-Protocol");
        return asked == null || asked.isBlank() ? StreamFormat.of(request.getHeader("Accept")) : ofProtocols(asked);
    }

    /** The first known one, as the handshake answers. */
    private static StreamFormat ofProtocols(String asked) {
        for (String protocol : asked.split(",")) {
            StreamFormat format = ofProtocol(protocol.strip());
            if (format != null) {
                return format;
            }
        }
        String offered = String.join(", ", SUB_PROTOCOLS);
        throw new RequestRefused(
                Refusal.of(
                        ErrorCode.UNSUPPORTED_MEDIA,
                        "Sec-WebSocket-Protocol: " + asked + " is not offered; expected " + offered),
                406,
                Map.of("offered", offered));
    }

    private static @Nullable StreamFormat ofProtocol(String name) {
        return switch (name) {
            case JSON -> StreamFormat.SSE;
            case ARROW -> StreamFormat.ARROW;
            default -> null;
        };
    }
}
