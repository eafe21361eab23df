package dev.weir.cdc;

import io.vertx.core.Context;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;

/** What the carriers have in common: a window of bytes, and an event loop on which alone the connection is touched. */
abstract sealed class ConnectionSink implements StreamSink permits ResponseSink, WebSocketSink {
    /** A client that takes nothing has so long to take the last of a stream. */
    static final long LINGER_MS = 10_000;

    private final Context context;
    private final Runnable onClose;
    final SendWindow window;

    /** @param onClose is called on the context when the connection has gone */
    ConnectionSink(Context context, int bytesMax, Runnable onClose) {
        this.context = context;
        this.onClose = onClose;
        this.window = new SendWindow(bytesMax);
    }

    final void closed() {
        window.close();
        onClose.run();
    }

    @Override
    public final CompletionStage<Void> done() {
        return window.done();
    }

    @Override
    public final boolean isOpen() {
        return !window.isClosed();
    }

    @Override
    public final long pendingBytes() {
        return window.pendingBytes();
    }

    @Override
    public final boolean hasRoom() {
        return window.hasRoom();
    }

    @Override
    public final void awaitRoom(long deadline) {
        window.awaitRoom(deadline);
    }

    @Override
    public final void wake() {
        window.wake();
    }

    /** Not where the connection has gone. */
    final void onLoop(Runnable task) {
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

    /** The connection has the linger to end by itself; then nothing more will reach the client, and the task may break it off. On the event loop. */
    final void afterLinger(Runnable task) {
        context.owner().setTimer(LINGER_MS, timer -> {
            if (!window.isClosed()) {
                task.run();
            }
            window.finish();
        });
    }
}
