package dev.weir.partition.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What a store did and how it fares; written by the store, read by anyone at any time. Counters only rise. */
public final class StoreMetrics {
    private final LongAdder requests = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder bytesUp = new LongAdder();
    private final LongAdder bytesDown = new LongAdder();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile long backoffMs;
    private volatile long clockSkewMs;
    private volatile Failure failure = Failure.NONE;

    /** A failed request. Its text is empty where none failed yet. */
    public record Failure(String text, long atMs) {
        static final Failure NONE = new Failure("", 0);
    }

    /** Requests sent, retries included. */
    public long requests() {
        return requests.sum();
    }

    /** Requests that failed, also those that a retry made good; "no such object" and "key is taken" are answers, not failures. */
    public long errors() {
        return errors.sum();
    }

    public long retries() {
        return retries.sum();
    }

    /** Bytes of objects put. */
    public long bytesUp() {
        return bytesUp.sum();
    }

    /** Bytes of objects read. */
    public long bytesDown() {
        return bytesDown.sum();
    }

    /** Calls that wait before their next try. */
    public int waiting() {
        return waiting.get();
    }

    /** The delay that the last failed request led to, 0 since the last success. */
    public long backoffMs() {
        return backoffMs;
    }

    /** The store's clock minus this machine's when they last spoke, exact to a second; 0 where not known. */
    public long clockSkewMs() {
        return clockSkewMs;
    }

    /** The last request that failed, kept after success. */
    public Failure lastFailure() {
        return failure;
    }

    void request() {
        requests.increment();
    }

    void succeeded() {
        if (waiting.get() == 0) {
            backoffMs = 0;
        }
    }

    void failed(String text, long atMs) {
        errors.increment();
        failure = new Failure(text, atMs);
    }

    void waits(long ms) {
        retries.increment();
        waiting.incrementAndGet();
        backoffMs = ms;
    }

    void waited() {
        waiting.decrementAndGet();
    }

    void up(long bytes) {
        bytesUp.add(bytes);
    }

    void down(long bytes) {
        bytesDown.add(bytes);
    }

    void skew(long ms) {
        clockSkewMs = ms;
    }
}
