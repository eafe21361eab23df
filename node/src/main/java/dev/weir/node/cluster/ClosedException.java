package dev.weir.node.cluster;

/** This node must not serve with this data folder. The message says why and what to do; trying again does not help. */
public final class ClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ClosedException(String message) {
        super(message);
    }
}
