package dev.weir.node.cluster;

import dev.weir.partition.catalog.TableDrop;
import dev.weir.wal.LogMembers;
import java.util.List;

/** One thing that the controller has to do. Each is safe to do twice, or at once with another controller. */
sealed interface ControllerStep {
    /** What a failed step is remembered by, so that it waits before it is tried again. */
    String name();

    /** Change who holds the catalog's log. */
    record SetCatalogMembers(LogMembers members) implements ControllerStep {
        @Override
        public String name() {
            return "catalog members";
        }
    }

    /** Give a partition more replicas. */
    record FillReplicas(int partition, List<String> replicas) implements ControllerStep {
        public FillReplicas {
            replicas = List.copyOf(replicas);
        }

        @Override
        public String name() {
            return "replicas of partition " + partition;
        }
    }

    /** Finish the drop of a table. */
    record FinishDrop(TableDrop drop) implements ControllerStep {
        @Override
        public String name() {
            return "drop of table " + drop.tableId();
        }
    }
}
