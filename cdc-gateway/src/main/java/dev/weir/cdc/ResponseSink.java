package dev.weir.cdc;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;

/** The answer of one stream over HTTP, written to by its subscriber's thread. */
final class ResponseSink implements StreamSink {
    /** A client that takes nothing has so long to take the last frames. */
    private static final long LINGER_MS = 10_000;
    /** RFC 9113, INTERNAL_ERROR: without a code of an error HTTP/2 clients take a reset for the end of the answer. */
    private static final long INTERNAL_ERROR = 2;

    private final Context context;
    private final HttpServerResponse response;
    private final SendWindow window;
    /** On the event loop alone. */
    private boolean cutting;

    /** Called on the context; {@code onClose} is called there when the connection has gone. */
    ResponseSink(Context context, HttpServerResponse response, int bytesMax, Runnable onClose) {
        this.context = context;
        this.response = response;
        this.window = new SendWindow(bytesMax);
        response.closeHandler(nothing -> closed(onClose));
        response.exceptionHandler(cause -> closed(onClose));
        if (response.closed()) {
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
        int length = buffer.length();
        window.handedOver(length);
        onLoop(() -> {
            if (window.isClosed()) {
                return;
            }
            response.write(buffer).onComplete(written -> {
                window.written(length);
                cutWhenWritten();
            });
        });
    }

    @Override
    public void end() {
        onLoop(() -> {
            if (window.isClosed() || response.ended()) {
                return;
            }
            response.end().onComplete(ended -> window.finish());
            context.owner().setTimer(LINGER_MS, timer -> {
                if (window.pendingBytes() > 0 && !window.isClosed()) {
                    response.reset(INTERNAL_ERROR);
                }
                window.finish();
            });
        });
    }

    @Override
    public void cut() {
        onLoop(() -> {
            if (window.isClosed() || response.ended()) {
                return;
            }
            cutting = true;
            cutWhenWritten();
            context.owner().setTimer(LINGER_MS, timer -> {
                if (!window.isClosed()) {
                    response.reset(INTERNAL_ERROR);
                }
                window.finish();
            });
        });
    }

    private void cutWhenWritten() {
        if (cutting && window.pendingBytes() == 0 && !window.isClosed()) {
            response.reset(INTERNAL_ERROR);
        }
    }

    private void onLoop(Runnable task) {
        try {
            context.runOnContext(nothing -> task.run());
        } catch (RejectedExecutionException e) {
            // The event loops have ended before their streams: so has the connection.
            window.close();
        }
    }
}
