package dev.weir.partition.model;

/** A text is no cursor of this tenant. Says the same of damaged and of foreign ones. */
public final class BadCursorException extends Exception {
    private static final long serialVersionUID = 1L;

    public BadCursorException(String message) {
        super(message);
    }
}
