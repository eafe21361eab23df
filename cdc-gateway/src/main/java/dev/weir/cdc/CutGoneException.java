package dev.weir.cdc;

import java.io.IOException;

/** What a lease names is not what the store has: to read again helps nothing. */
final class CutGoneException extends IOException {
    private static final long serialVersionUID = 1L;

    CutGoneException(String message) {
        super(message);
    }
}
