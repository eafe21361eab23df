package dev.weir.partition.delta;

import java.io.IOException;

/** A Delta log of which parts are gone: nobody can read it. */
final class BrokenLogException extends IOException {
    private static final long serialVersionUID = 1L;

    BrokenLogException(String message) {
        super(message);
    }
}
