package dev.weir.partition.engine;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Files were written, but the log did not take the entry that makes them count, or did not say so: the partition's leader is gone, or its quorum. */
public final class UncommittedException extends IOException {
    private static final long serialVersionUID = 1L;

    UncommittedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
