package dev.weir.partition.engine;

import dev.weir.partition.write.WriterConfig;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides when waiting requests become an entry: at once while none is in flight; else they gather until one returns, or until they are worth
 * another entry beside it. Holds at most {@link WriterConfig#bytesMax}. Not thread-safe: its owner holds a lock.
 */
final class WriteQueue {
    private final WriterConfig config;
    private final ArrayDeque<PendingWrite> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private long bytes;
    private int inFlight;

    WriteQueue(WriterConfig config) {
        this.config = config;
    }

    /** Takes a request, unless too many bytes wait or are in flight. One request is always taken. */
    boolean offer(PendingWrite write) {
        if (bytes > 0 && bytes + write.bytes() > config.bytesMax()) {
            return false;
        }
        waiting.add(write);
        waitingBytes += write.bytes();
        bytes += write.bytes();
        return true;
    }

    boolean shouldSend() {
        if (waiting.isEmpty() || inFlight >= config.entriesMax()) {
            return false;
        }
        return inFlight == 0 || isWorthAnEntry();
    }

    /** So much waits that more would not make an entry cheaper. */
    boolean isWorthAnEntry() {
        return waitingBytes >= config.pipelineBytes();
    }

    /** The next request for the entry that is being built, which has so many bytes; null when the entry should go. */
    @Nullable
    PendingWrite next(int entryBytes) {
        PendingWrite first = waiting.peekFirst();
        if (first == null || (entryBytes > 0 && entryBytes + (long) first.bytes() > config.entryBytes())) {
            return null;
        }
        return first;
    }

    /** Takes the request that {@link #next} answered. */
    void take() {
        waitingBytes -= waiting.removeFirst().bytes();
    }

    void sent() {
        inFlight++;
    }

    /** An entry's answer has come. */
    void returned(List<PendingWrite> writes) {
        inFlight--;
        writes.forEach(this::released);
    }

    /** A request will not be in the log. */
    void released(PendingWrite write) {
        bytes -= write.bytes();
    }

    /** Empties the queue. */
    List<PendingWrite> drain() {
        List<PendingWrite> all = new ArrayList<>(waiting);
        waiting.clear();
        waitingBytes = 0;
        all.forEach(this::released);
        return all;
    }

    /** Bytes that wait or are in flight. */
    long bytes() {
        return bytes;
    }

    int waiting() {
        return waiting.size();
    }

    int inFlight() {
        return inFlight;
    }
}
