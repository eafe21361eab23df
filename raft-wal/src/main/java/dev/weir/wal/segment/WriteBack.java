package dev.weir.wal.segment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Brings appended bytes to the disk behind the writer's back, so that a sync, for which apply waits, finds little left to do. Used by the log's
 * writer; the disk works on a thread of its own, one piece at a time.
 */
final class WriteBack {
    /** Bytes appended after which a piece begins, unless one is under way. */
    static final long PIECE_BYTES = 8L << 20;

    private CompletableFuture<Void> piece = CompletableFuture.completedFuture(null);
    private long pending;

    void appended(Segment segment, long bytes) {
        pending += bytes;
        if (pending >= PIECE_BYTES && piece.isDone() && !piece.isCompletedExceptionally()) {
            pending = 0;
            piece = CompletableFuture.runAsync(
                    () -> force(segment),
                    task -> Thread.ofVirtual().name("segment-write-back").start(task));
        }
    }

    /**
     * Waits for the piece under way. The system tells of a lost write once, to whoever syncs first: what a piece was told is thrown here, by
     * every later call too.
     */
    void finish() throws IOException {
        try {
            piece.join();
        } catch (CompletionException e) {
            throw new IOException("bytes appended before could not be written", e.getCause());
        }
    }

    private static void force(Segment segment) {
        try {
            segment.force();
        } catch (NoSuchFileException e) {
            return; // Trimmed and removed meanwhile.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
