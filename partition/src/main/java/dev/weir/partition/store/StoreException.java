package dev.weir.partition.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A call to an object store failed for good, or for longer than its retries may take. The message says what, where and why. */
public final class StoreException extends IOException {
    /** Why; what a caller may do about it. */
    public enum Kind {
        /** There is no such object. */
        NOT_FOUND,
        /** The key holds other bytes than those put. */
        CONFLICT,
        /** Rights, keys or the bucket are missing: a person must act; trying again later may then work. */
        DENIED,
        /** This machine's clock or the store's is wrong; heals when the clock is right. */
        CLOCK_SKEW,
        /** The store is down, slow or out of reach; trying again later may work. */
        UNAVAILABLE,
        /** The disk (of a {@code file:} store, of the cache) is full or the cache is full of files in use. */
        FULL,
        /** What was read is not what was stored. */
        CORRUPT,
        /** The request or configuration is wrong; trying again is no use. */
        INVALID
    }

    private static final long serialVersionUID = 1;

    private final Kind kind;

    public StoreException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public StoreException(Kind kind, String message) {
        this(kind, message, null);
    }

    public Kind kind() {
        return kind;
    }

    /** Whether the same call may work later without anything being changed in the caller: the work is to be kept. */
    public boolean mayHeal() {
        return switch (kind) {
            case DENIED, CLOCK_SKEW, UNAVAILABLE, FULL -> true;
            case NOT_FOUND, CONFLICT, CORRUPT, INVALID -> false;
        };
    }
}
