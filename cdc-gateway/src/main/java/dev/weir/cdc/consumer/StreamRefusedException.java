package dev.weir.cdc.consumer;

import java.io.IOException;

/** The server refused the stream for good: asking again in the same way can't help. Carries its answer. */
public final class StreamRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String body;

    public StreamRefusedException(int status, String body) {
        super("HTTP " + status + ": " + body);
        this.status = status;
        this.body = body;
    }

    /** 410 means: the cursor is older than the log. */
    public int status() {
        return status;
    }

    /** As sent, JSON. */
    public String body() {
        return body;
    }
}
