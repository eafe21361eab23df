package dev.weir.cdc;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import java.util.List;

/**
 * A WebSocket that carries one stream, written to by its subscriber's thread: frames as text messages ({@link JsonMessages}), or parts of an Arrow IPC stream as binary
 * ones.
 *
 * <p>Close codes: 1001, the stream ends in order and can be taken up again; 1011, what came is not all, and the last message may say why.
 */
final class WebSocketSink extends ConnectionSink {
    private static final short GOING_AWAY = 1001;
    private static final short BROKEN_OFF = 1011;

    private final ServerWebSocket socket;
    private final HttpConnection connection;
    private final boolean isText;

    /** Called on the context; {@code onClose} is called there when the connection has gone. */
    WebSocketSink(
            Context context,
            ServerWebSocket socket,
            HttpConnection connection,
            boolean isText,
            int bytesMax,
            Runnable onClose) {
        super(context, bytesMax, onClose);
        this.socket = socket;
        this.connection = connection;
        this.isText = isText;
        socket.closeHandler(nothing -> closed());
        socket.exceptionHandler(cause -> closed());
        socket.frameHandler(this::bound);
        if (socket.isClosed()) {
            window.close();
        }
    }

    /** Each ping has been answered: from a client that pings and does not take the answers, nothing more is read until it does. */
    private void bound(WebSocketFrame frame) {
        if (frame.isPing() && isFull()) {
            // Not at once: after its handler Vert.x asks for one more frame than that wanted.
            onLoop(() -> {
                if (isFull()) {
                    socket.pause();
                    socket.drainHandler(drained -> socket.resume());
                }
            });
        }
    }

    private boolean isFull() {
        return !socket.isClosed() && socket.writeQueueFull();
    }

    @Override
    public void send(Buffer buffer) {
        if (isText) {
            send(JsonMessages.of(buffer), buffer.length());
            return;
        }
        window.handedOver(buffer.length());
        onLoop(() -> written(socket.writeBinaryMessage(buffer), buffer.length()));
    }

    void send(List<String> messages, int length) {
        window.handedOver(length);
        onLoop(() -> {
            Future<Void> last = Future.succeededFuture();
            for (String message : messages) {
                last = message.equals(JsonMessages.PING)
                        ? socket.writePing(Buffer.buffer())
                        : socket.writeTextMessage(message);
            }
            written(last, length);
        });
    }

    /** Writes reach the socket in their order: the last one stands for all. */
    private void written(Future<Void> last, int length) {
        last.onComplete(done -> window.written(length));
    }

    @Override
    public void end() {
        close(GOING_AWAY, "the node ends this stream: connect again, after the last id");
    }

    @Override
    public void endShort() {
        close(BROKEN_OFF, "not all came, the last message may say why");
    }

    @Override
    public void cut() {
        close(BROKEN_OFF, "the stream broke off: go on after the last cursor");
    }

    private void close(short code, String reason) {
        onLoop(() -> {
            socket.close(code, reason).onComplete(closed -> window.finish());
            afterLinger(connection::close);
        });
    }
}
