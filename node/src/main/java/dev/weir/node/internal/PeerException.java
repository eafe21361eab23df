package dev.weir.node.internal;

/** A call to another node did not succeed. */
public final class PeerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean mayHaveArrived;
    private final int status;

    PeerException(String message, boolean mayHaveArrived, int status) {
        super(message, null, false, false);
        this.mayHaveArrived = mayHaveArrived;
        this.status = status;
    }

    /** False: the node has certainly not acted on the call. */
    public boolean mayHaveArrived() {
        return mayHaveArrived;
    }

    /** HTTP status of its answer, 0 when there was none. */
    public int status() {
        return status;
    }
}
