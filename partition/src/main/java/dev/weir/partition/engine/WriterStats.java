package dev.weir.partition.engine;

/**
 * A writer's gauges and counters, for status and metrics.
 *
 * @param bytes that wait or are in flight; the limit is {@code writer.bytes-max}
 * @param waiting requests not yet in an entry
 * @param inFlight entries without an answer
 * @param entries appended since the writer was made
 * @param requests that went into them
 * @param entryBytes of them
 * @param overloaded requests refused by {@code writer.bytes-max}
 * @param buffersFull requests refused by the limits of buffers
 */
public record WriterStats(
        long bytes,
        int waiting,
        int inFlight,
        long entries,
        long requests,
        long entryBytes,
        long overloaded,
        long buffersFull) {}
