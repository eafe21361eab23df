package dev.weir.wal.ratis;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * One append on its way. Travels through Ratis as the request's message, so that the state machine can tell how far it came.
 *
 * <pre>
 * WAITING ──► SUBMITTED ──► LOGGED
 *    │            │            │
 *    ▼            ▼            ▼
 * CANCELLED   (refused:     (failed: the outcome is unknown)
 *              nothing appended)
 * </pre>
 */
final class PendingAppend implements Message {
    /** How far the entry came. */
    enum Stage {
        WAITING,
        SUBMITTED,
        LOGGED,
        CANCELLED
    }

    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);
    private final CompletableFuture<byte[]> future = new CompletableFuture<>();
    private final ByteBuffer entry;
    private final ByteString content;
    private final long startNanos;

    PendingAppend(ByteBuffer entry, long startNanos) {
        this.entry = entry.slice();
        this.content = UnsafeByteOperations.unsafeWrap(this.entry.duplicate());
        this.startNanos = startNanos;
    }

    CompletableFuture<byte[]> future() {
        return future;
    }

    /** A view of the entry as the caller handed it over. */
    ByteBuffer entry() {
        return entry.asReadOnlyBuffer();
    }

    long startNanos() {
        return startNanos;
    }

    /** Hands the entry to Ratis; false if it was cancelled before. */
    boolean submit() {
        return stage.compareAndSet(Stage.WAITING, Stage.SUBMITTED);
    }

    /** Takes the entry back; false if Ratis has it already. */
    boolean cancel() {
        return stage.compareAndSet(Stage.WAITING, Stage.CANCELLED);
    }

    /** Called under the log's lock, just before the entry joins the log. */
    void logged() {
        stage.set(Stage.LOGGED);
    }

    boolean mayBeInLog() {
        return stage.get() == Stage.LOGGED;
    }

    @Override
    public ByteString getContent() {
        return content;
    }

    @Override
    public int size() {
        return content.size();
    }

    @Override
    public String toString() {
        return "append of " + content.size() + " bytes, " + stage.get();
    }
}
