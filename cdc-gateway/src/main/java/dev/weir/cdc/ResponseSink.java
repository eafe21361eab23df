package dev.weir.cdc;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The response of one stream, written to by its subscriber's thread. Counts what was handed over and has not reached the socket, so that the
 * subscriber stops at a limit; tells of more room by a signal of its own.
 */
final class ResponseSink {
    /** A client that takes nothing has so long to take the last frames. */
    private static final long LINGER_MS = 10_000;
    /** Writes on their way at once: while the event loop is behind, events gather into fewer and larger ones. */
    private static final int WRITES_MAX = 4;
    /** RFC 9113, INTERNAL_ERROR: without a code of an error HTTP/2 clients take a reset for the end of the answer. */
    private static final long INTERNAL_ERROR = 2;

    private final Context context;
    private final HttpServerResponse response;
    private final int bytesMax;
    private final AtomicLong pending = new AtomicLong();
    private final AtomicInteger writes = new AtomicInteger();
    private final Signal room = new Signal();
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private volatile boolean wanted;
    private volatile boolean closed;
    /** On the event loop alone. */
    private boolean cutting;

    /** Called on the context; {@code onClose} is called there when the connection has gone. */
    ResponseSink(Context context, HttpServerResponse response, int bytesMax, Runnable onClose) {
        this.context = context;
        this.response = response;
        this.bytesMax = bytesMax;
        if (response.closed()) {
            closed = true;
            done.complete(null);
        }
        response.closeHandler(nothing -> closed(onClose));
        response.exceptionHandler(cause -> closed(onClose));
    }

    private void closed(Runnable onClose) {
        closed = true;
        room.raise();
        onClose.run();
        done.complete(null);
    }

    /** Completes when the last byte of the answer is out, the connection has gone, or the client took nothing for too long. */
    CompletionStage<Void> done() {
        return done;
    }

    boolean isOpen() {
        return !closed;
    }

    long pendingBytes() {
        return pending.get();
    }

    boolean hasRoom() {
        return writes.get() < WRITES_MAX && pending.get() < bytesMax;
    }

    /** Waits for room, for the connection's end, for {@link #wake}, or for that time. */
    void awaitRoom(long deadline) {
        wanted = true;
        if (!hasRoom() && !closed) {
            room.await(deadline);
        }
        wanted = false;
    }

    void wake() {
        room.raise();
    }

    void send(Buffer buffer) {
        int length = buffer.length();
        pending.addAndGet(length);
        writes.incrementAndGet();
        onLoop(() -> {
            if (closed) {
                return;
            }
            response.write(buffer).onComplete(written -> {
                pending.addAndGet(-length);
                writes.decrementAndGet();
                if (wanted && hasRoom()) {
                    room.raise();
                }
                cutWhenWritten();
            });
        });
    }

    void end() {
        onLoop(() -> {
            if (closed || response.ended()) {
                return;
            }
            response.end().onComplete(ended -> done.complete(null));
            context.owner().setTimer(LINGER_MS, timer -> {
                if (pending.get() > 0 && !closed) {
                    response.reset(INTERNAL_ERROR);
                }
                done.complete(null);
            });
        });
    }

    /** Ends the connection without the end of the response, so that the client can't take it as complete; after what was sent. */
    void cut() {
        onLoop(() -> {
            if (closed || response.ended()) {
                return;
            }
            cutting = true;
            cutWhenWritten();
            context.owner().setTimer(LINGER_MS, timer -> {
                if (!closed) {
                    response.reset(INTERNAL_ERROR);
                }
                done.complete(null);
            });
        });
    }

    private void cutWhenWritten() {
        if (cutting && pending.get() == 0 && !closed) {
            response.reset(INTERNAL_ERROR);
        }
    }

    private void onLoop(Runnable task) {
        try {
            context.runOnContext(nothing -> task.run());
        } catch (RejectedExecutionException e) {
            // The event loops have ended before their streams: so has the connection.
            closed = true;
            done.complete(null);
        }
    }
}
