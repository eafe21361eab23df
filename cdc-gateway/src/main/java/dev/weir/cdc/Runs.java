package dev.weir.cdc;

import dev.weir.partition.feed.FeedDirectory;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The shared runs of a node, one a filter that somebody watches live. Threading: any. */
final class Runs {
    private final FeedDirectory directory;
    private final Lineage lineage;
    private final CdcConfig config;
    private final AtomicLong ringsBytes = new AtomicLong();
    private final Map<RunKey, SharedRun> runs = new HashMap<>();

    Runs(FeedDirectory directory, Lineage lineage, CdcConfig config) {
        this.directory = directory;
        this.lineage = lineage;
        this.config = config;
    }

    long ringsBytes() {
        return ringsBytes.get();
    }

    synchronized int size() {
        runs.values().removeIf(SharedRun::hasEnded);
        return runs.size();
    }

    /** A border of the filter's run that a subscriber at the position can reach; null where there is none. */
    synchronized SharedRun.@Nullable Target target(RunKey key, Position at) {
        SharedRun run = runs.get(key);
        return run == null ? null : run.target(at);
    }

    /**
     * Starts the filter's run where the subscriber stands, with it as a member; null when there is a run already.
     *
     * @param prev seqs of the events that the subscriber had last
     */
    SharedRun.@Nullable Target start(RunKey key, Position at, Map<Integer, Long> prev, Signal member) {
        SharedRun run;
        synchronized (this) {
            SharedRun known = runs.get(key);
            if (known != null && !known.hasEnded()) {
                return null;
            }
            runs.values().removeIf(SharedRun::hasEnded);
            Signal signal = new Signal();
            FeedSet feeds = new FeedSet(directory, signal);
            run = new SharedRun(key, at, prev, lineage, config, ringsBytes, feeds, signal);
            run.join(0, member);
            runs.put(key, run);
        }
        Thread.ofVirtual().name("cdc-run").start(run::drive);
        return new SharedRun.Target(run, 0, at);
    }
}
