package dev.weir.ops.bench;

import java.io.IOException;

/** Reads one change stream. One thread runs it; another may close it, or look at how far it is. */
interface SubscriptionReader extends AutoCloseable {
    /** Reads until the stream ends or is closed. */
    void run() throws IOException;

    /** Of the stream's body, so far. */
    long bytes();

    @Override
    void close() throws IOException;
}
