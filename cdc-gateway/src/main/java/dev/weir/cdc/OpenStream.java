package dev.weir.cdc;

/** A stream that a client reads; runs on a virtual thread of its own until its end. */
interface OpenStream extends Runnable {
    /** Asks for a graceful end. Any thread. */
    void stop();

    Position position();

    /** Handed over and not yet in the socket. */
    long pendingBytes();
}
