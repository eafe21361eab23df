package dev.weir.node.ingest.write;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Where a node's bodies are inflated, parsed and encoded: a place a core, so that this work never takes more than the machine has and its buffers are
 * used again. Whoever waits blocks (on a virtual thread); a place is never held while another node is waited for.
 */
public final class Workbench {
    private final BlockingQueue<BuilderPool> places;
    private final int size;

    public Workbench(int places) {
        this.size = places;
        this.places = new ArrayBlockingQueue<>(places);
        for (int i = 0; i < places; i++) {
            this.places.add(new BuilderPool());
        }
    }

    /** Places in use now. */
    public int busy() {
        return size - places.size();
    }

    public <T> T run(Supplier<T> work) throws InterruptedException {
        return use(pool -> work.get());
    }

    <T> T use(Function<BuilderPool, T> work) throws InterruptedException {
        BuilderPool pool = places.take();
        try {
            return work.apply(pool);
        } finally {
            places.add(pool);
        }
    }
}
