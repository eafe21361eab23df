package dev.weir.cdc;

/** A stream that a client reads; runs on a virtual thread of its own until its end. */
interface OpenStream extends Runnable {
    /** Asks for a graceful end. Any thread. */
    void stop();

    /** Where it is, as near as another thread can tell. */
    Position position();

    /** Whether it leaves out what it is too far behind for. */
    boolean drops();

    /** Handed over and not yet in the socket. */
    long pendingBytes();
}
