package dev.weir.partition.store;

import java.nio.file.Path;

/**
 * A local file that stays where it is until this is closed; closing again does nothing. Read only. Threading: any thread.
 */
public final class Pinned implements AutoCloseable {
    private final Path path;
    private final java.util.concurrent.atomic.AtomicReference<Runnable> release;

    Pinned(Path path, Runnable release) {
        this.path = path;
        this.release = new java.util.concurrent.atomic.AtomicReference<>(release);
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() {
        release.getAndSet(() -> {}).run();
    }
}
