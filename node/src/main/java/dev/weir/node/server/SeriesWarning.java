package dev.weir.node.server;

import dev.weir.partition.engine.PartitionReplica;
import dev.weir.partition.engine.TableSeries;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says once, for each partition, that a table nears {@code limits.series-per-table}. One thread. */
final class SeriesWarning {
    private static final Logger LOG = LoggerFactory.getLogger(SeriesWarning.class);
    private static final int PERCENT = 80;

    private final int seriesMax;
    private final Set<Integer> warned = new HashSet<>();

    /** @param seriesMax the limit; 0 for none */
    SeriesWarning(int seriesMax) {
        this.seriesMax = seriesMax;
    }

    static boolean isDue(int series, int seriesMax) {
        return seriesMax > 0 && 100L * series >= (long) PERCENT * seriesMax;
    }

    static int series(PartitionReplica replica) {
        return replica.fullestTable().map(TableSeries::series).orElse(0);
    }

    void check(PartitionReplica replica) {
        check(replica.partition(), replica.fullestTable()).ifPresent(LOG::warn);
    }

    /** The words to say now, if any: the first time that the limit is near, and again once it was far in between. */
    Optional<String> check(int partition, Optional<TableSeries> fullest) {
        if (fullest.isEmpty() || !isDue(fullest.get().series(), seriesMax)) {
            warned.remove(partition);
            return Optional.empty();
        }
        if (!warned.add(partition)) {
            return Optional.empty();
        }
        TableSeries table = fullest.get();
        String tag = table.widestTag().isEmpty() ? "" : "; the tag with most values is " + table.widestTag();
        return Optional.of("partition " + partition + ": table " + table.table() + " of tenant " + table.tenant()
                + " has " + table.series() + " series, over " + PERCENT + " % of limits.series-per-table "
                + seriesMax + tag);
    }
}
