package dev.weir.node.cluster;

import dev.weir.partition.catalog.TableDrop;
import java.util.concurrent.CompletionStage;

/** Drives the drop of a table through the partitions. */
@FunctionalInterface
public interface DropDriver {
    /** Completes when every partition's log has the drop; doing it again is harmless. */
    CompletionStage<Void> drive(TableDrop drop);
}
