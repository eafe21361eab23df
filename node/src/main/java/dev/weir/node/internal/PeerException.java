package dev.weir.node.internal;

import io.vertx.core.buffer.Buffer;

/** A call to another node did not succeed. */
public final class PeerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean mayHaveArrived;
    private final int status;
    private final transient Buffer body;

    PeerException(String message, boolean mayHaveArrived, int status, Buffer body) {
        super(message, null, false, false);
        this.mayHaveArrived = mayHaveArrived;
        this.status = status;
        this.body = body;
    }

    /** What it answered; empty when there was no answer. */
    Buffer body() {
        return body;
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
