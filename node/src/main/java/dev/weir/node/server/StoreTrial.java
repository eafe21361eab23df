package dev.weir.node.server;

import dev.weir.partition.store.ObjectStore;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether the object store does what it must, on a thread of its own: again and again until it has, since a store that is away when a node starts,
 * or lacks a right, may come to do it. Any thread.
 */
final class StoreTrial implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreTrial.class);
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(5);

    private final ObjectStore store;
    private final Thread thread;
    private volatile boolean passed;
    private volatile @Nullable String failure;

    private StoreTrial(ObjectStore store) {
        this.store = store;
        this.thread = Thread.ofVirtual().name("weir-store-trial").unstarted(this::loop);
    }

    static StoreTrial start(ObjectStore store) {
        StoreTrial started = new StoreTrial(store);
        started.thread.start();
        return started;
    }

    /** The store has shown that it can be written, read and listed, and refuses a second put. */
    boolean passed() {
        return passed;
    }

    /** Why the last try failed; null while none did, and once one has passed. */
    @Nullable
    String failure() {
        return failure;
    }

    private void loop() {
        try {
            for (Duration pause = PAUSE; !passes(); pause = next(pause)) {
                Thread.sleep(pause);
            }
            failure = null;
            passed = true;
            LOG.info("object store {}: can be written, read and listed, and refuses a second put", store.url());
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean passes() throws InterruptedException {
        try {
            store.probe();
            return true;
        } catch (IOException | RuntimeException e) {
            failure = e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString();
            LOG.error("object store {}: {}", store.url(), failure);
            return false;
        }
    }

    private static Duration next(Duration pause) {
        Duration doubled = pause.multipliedBy(2);
        return doubled.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : doubled;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
