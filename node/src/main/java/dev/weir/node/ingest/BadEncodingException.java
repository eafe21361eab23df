package dev.weir.node.ingest;

/** A body does not inflate. */
final class BadEncodingException extends Exception {
    private static final long serialVersionUID = 1L;

    BadEncodingException(String message) {
        super(message);
    }
}
