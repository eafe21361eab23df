package dev.weir.node.ingest;

import java.util.concurrent.atomic.AtomicLong;

/** The bytes of bodies that a node may hold at once. Shared by threads. */
final class BytesBudget {
    private final long bytesMax;
    private final AtomicLong used = new AtomicLong();

    BytesBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    boolean reserve(long bytes) {
        if (used.addAndGet(bytes) <= bytesMax) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    void release(long bytes) {
        used.addAndGet(-bytes);
    }

    long used() {
        return used.get();
    }

    long bytesMax() {
        return bytesMax;
    }
}
