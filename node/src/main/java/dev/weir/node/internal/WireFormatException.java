package dev.weir.node.internal;

/** An internal message is damaged or of a version that this node does not read. */
final class WireFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WireFormatException(String message) {
        super(message);
    }
}
