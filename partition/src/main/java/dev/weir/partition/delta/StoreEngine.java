package dev.weir.partition.delta;

import dev.weir.partition.store.ObjectStore;
import io.delta.kernel.defaults.engine.DefaultEngine;
import io.delta.kernel.engine.MetricsReporter;
import java.nio.file.Path;
import java.util.List;

/** Delta Kernel's engine on an object store. */
final class StoreEngine extends DefaultEngine {
    StoreEngine(ObjectStore store, Path temporary) {
        super(new StoreFileIO(store, temporary));
    }

    /** Its reports would go to the log, at every look. */
    @Override
    public List<MetricsReporter> getMetricsReporters() {
        return List.of();
    }
}
