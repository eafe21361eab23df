package dev.weir.node.cluster;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that does rounds of work: again at once where there was something to do, else when it is woken, or after a second. No fault of a round ends it. */
final class RoundLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RoundLoop.class);
    private static final Duration TICK = Duration.ofSeconds(1);

    private final Round round;
    private final Signal signal = new Signal();
    private final Thread thread;
    private volatile boolean closed;

    /** One look at the world, and what can be done then. */
    interface Round {
        /** False where there was nothing to do. */
        boolean run() throws InterruptedException;
    }

    /** @param name of the thread */
    RoundLoop(String name, Round round) {
        this.round = round;
        this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::loop);
    }

    void start() {
        thread.start();
    }

    void wake() {
        signal.raise();
    }

    boolean isClosed() {
        return closed;
    }

    /** Breaks off what is under way. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void loop() {
        while (!closed) {
            try {
                if (!worked()) {
                    signal.await(TICK);
                }
            } catch (InterruptedException e) {
                if (!closed) {
                    LOG.warn("{} was interrupted without being closed; it goes on", thread.getName());
                }
            }
        }
    }

    private boolean worked() throws InterruptedException {
        try {
            return round.run();
        } catch (RuntimeException e) {
            LOG.error("{}: a fault of ours, tried again", thread.getName(), e);
            return false;
        }
    }
}
