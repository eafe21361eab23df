package dev.weir.partition.engine;

import java.io.IOException;

/** Files that have to be open together are more than this node may have open: to try again helps nothing. */
public final class DayTooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    DayTooLargeException(String message) {
        super(message);
    }
}
