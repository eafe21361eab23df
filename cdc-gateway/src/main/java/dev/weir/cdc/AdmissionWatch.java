package dev.weir.cdc;

import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the streams whose callers may not read any more, within about a second, on a thread of its own: they go on elsewhere as little as here. */
final class AdmissionWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionWatch.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Map<OpenStream, BooleanSupplier> streams;
    private final Runnable revoked;
    private final Signal signal = new Signal();
    private volatile boolean closed;

    /**
     * @param streams those that are open, each with whether its caller may read; changed by others meanwhile
     * @param revoked called for each that is ended
     */
    AdmissionWatch(Map<OpenStream, BooleanSupplier> streams, Runnable revoked) {
        this.streams = streams;
        this.revoked = revoked;
    }

    void start() {
        Thread.ofVirtual().name("cdc-admission").start(() -> {
            while (!closed) {
                look();
                signal.await(System.nanoTime() + PAUSE.toNanos());
            }
        });
    }

    private void look() {
        streams.forEach((stream, admitted) -> {
            // Its place is taken by one that says yes: it ends when its client has taken what is under way, and is told
            // to once.
            try {
                if (!admitted.getAsBoolean() && streams.replace(stream, admitted, () -> true)) {
                    revoked.run();
                    stream.stop();
                }
            } catch (RuntimeException e) { // the others must be looked at all the same
                LOG.error("whether a stream's caller may go on reading could not be told", e);
            }
        });
    }

    @Override
    public void close() {
        closed = true;
        signal.raise();
    }
}
