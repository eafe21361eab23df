package dev.weir.wal;

import org.jspecify.annotations.Nullable;

/** Why a log did not do what it was asked. The only failure with which futures of {@link LogHost} complete. */
public final class LogException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What the caller may conclude. */
    public enum Kind {
        /** Nothing was appended: another node leads; {@link LogException#leader()} names it where known. */
        NOT_LEADER,
        /** Nothing was appended: no leader is known, or this one is not ready yet. Try again shortly. */
        UNAVAILABLE,
        /** Nothing was appended: this node holds no such log. */
        NO_SUCH_GROUP,
        /** Nothing was appended: the entry is larger than the limit that the message names. */
        TOO_LARGE,
        /** Nothing was appended: too many bytes wait already; the message names the limit. */
        OVERLOADED,
        /** Nothing was appended: free space is below the reserve, here or on a majority. */
        DISK_FULL,
        /** The entry may or may not be, or become, part of the log: time ran out, or leadership was lost on the way. */
        UNKNOWN
    }

    private final Kind kind;
    private final transient @Nullable String leader;

    public LogException(Kind kind, String message, @Nullable String leader, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.leader = leader;
    }

    public LogException(Kind kind, String message) {
        this(kind, message, null, null);
    }

    public Kind kind() {
        return kind;
    }

    /** The node id of the leader, where the refusing replica knew it. */
    public @Nullable String leader() {
        return leader;
    }
}
