package dev.weir.cdc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what was handed to one connection and has not reached its socket, so that the stream's thread stops at a limit; tells it of more room by a signal of
 * its own.
 *
 * <p>Threading: {@link #awaitRoom} is for the stream's thread, the others for any.
 */
final class SendWindow {
    /** Writes on their way at once: while the event loop is behind, events gather into fewer and larger ones. */
    private static final int WRITES_MAX = 4;

    private final int bytesMax;
    private final AtomicLong pending = new AtomicLong();
    private final AtomicInteger writes = new AtomicInteger();
    private final Signal room = new Signal();
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private volatile boolean wanted;
    private volatile boolean closed;

    SendWindow(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    boolean isClosed() {
        return closed;
    }

    /** The connection has gone: nobody waits any more. */
    void close() {
        closed = true;
        room.raise();
        finish();
    }

    /** Nothing more will reach the client. */
    void finish() {
        done.complete(null);
    }

    CompletionStage<Void> done() {
        return done;
    }

    long pendingBytes() {
        return pending.get();
    }

    boolean hasRoom() {
        return writes.get() < WRITES_MAX && pending.get() < bytesMax;
    }

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

    void handedOver(int length) {
        pending.addAndGet(length);
        writes.incrementAndGet();
    }

    /** All that was handed over has been written. */
    void drained() {
        pending.set(0);
        writes.set(0);
        if (wanted) {
            room.raise();
        }
    }

    void written(int length) {
        pending.addAndGet(-length);
        writes.decrementAndGet();
        if (wanted && hasRoom()) {
            room.raise();
        }
    }
}
