package dev.weir.cdc;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.ServerWebSocket;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;

/**
 * A WebSocket that carries one stream, written to by its subscriber's thread: frames as text messages ({@link JsonMessages}), or parts of an Arrow IPC stream as binary
 * ones.
 *
 * <p>Close codes: 1001, the node stops and the stream can be taken up elsewhere; 1011, what came is not all, and the last message may say why.
 */
final class WebSocketSink implements StreamSink {
    /** A client that takes nothing has so long to take the last messages. */
    private static final long LINGER_MS = 10_000;

    private static final short GOING_AWAY = 1001;
    private static final short BROKEN_OFF = 1011;

    private final Context context;
    private final ServerWebSocket socket;
    private final HttpConnection connection;
    private final boolean isText;
    private final SendWindow window;
    /** Of the stream's thread alone. */
    private boolean lost;

    /** Called on the context; {@code onClose} is called there when the connection has gone. */
    WebSocketSink(
            Context context,
            ServerWebSocket socket,
            HttpConnection connection,
            boolean isText,
            int bytesMax,
            Runnable onClose) {
        this.context = context;
        this.socket = socket;
        this.connection = connection;
        this.isText = isText;
        this.window = new SendWindow(bytesMax);
        socket.closeHandler(nothing -> closed(onClose));
        socket.exceptionHandler(cause -> closed(onClose));
        if (socket.isClosed()) {
            window.close();
        }
    }

    private void closed(Runnable onClose) {
        window.close();
        onClose.run();
    }

    @Override
    public CompletionStage<Void> done() {
        return window.done();
    }

    @Override
    public boolean isOpen() {
        return !window.isClosed();
    }

    @Override
    public long pendingBytes() {
        return window.pendingBytes();
    }

    @Override
    public boolean hasRoom() {
        return window.hasRoom();
    }

    @Override
    public void awaitRoom(long deadline) {
        window.awaitRoom(deadline);
    }

    @Override
    public void wake() {
        window.wake();
    }

    @Override
    public void send(Buffer buffer) {
        if (isText) {
            List<String> messages = JsonMessages.of(buffer);
            lost |= !messages.isEmpty() && JsonMessages.isLost(messages.getLast());
            send(messages, buffer.length());
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
        if (lost) {
            close(BROKEN_OFF, "events are missing, see the last message");
        } else {
            close(GOING_AWAY, "the node ends this stream: go on at another after the last id");
        }
    }

    @Override
    public void cut() {
        close(BROKEN_OFF, "the stream broke off: go on after the last cursor");
    }

    private void close(short code, String reason) {
        onLoop(() -> {
            socket.close(code, reason).onComplete(closed -> window.finish());
            context.owner().setTimer(LINGER_MS, timer -> {
                if (!window.isClosed()) {
                    connection.close();
                }
                window.finish();
            });
        });
    }

    /** Not where the connection has gone. */
    private void onLoop(Runnable task) {
        try {
            context.runOnContext(nothing -> {
                if (!window.isClosed()) {
                    task.run();
                }
            });
        } catch (RejectedExecutionException e) {
            // The event loops have ended before their streams: so has the connection.
            window.close();
        }
    }
}
