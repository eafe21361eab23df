package dev.weir.node.server;

import dev.weir.wal.LogStatus;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A replica as people and metrics see it.
 *
 * @param rows in the buffers
 * @param bytes of change segments
 * @param rowsPerSecond applied lately
 * @param bufferedBytes of rows that no file holds
 * @param flushLagSeconds since the oldest of them was written
 * @param flushFailure why the last flush failed, where it did and this replica leads
 */
record ReplicaView(
        int partition,
        int generation,
        LogStatus log,
        long nextSeq,
        long oldestSeq,
        long rows,
        long bytes,
        long series,
        double rowsPerSecond,
        long bufferedBytes,
        double flushLagSeconds,
        @Nullable String flushFailure) {
    JsonObject json() {
        JsonObject followers = new JsonObject();
        log.followers().forEach(followers::put);
        return new JsonObject()
                .put("partition", partition)
                .put("generation", generation)
                .put("role", log.role().name().toLowerCase(Locale.ROOT))
                .put("leads", log.leads())
                .put("leader", log.leader())
                .put("term", log.term())
                .put("committed", log.committedIndex())
                .put("applied", log.appliedIndex())
                .put("phase", log.phase())
                .put("followers", followers)
                .put("leader_changes", log.leaderChanges())
                .put("snapshot_installs", log.snapshotInstalls())
                .put("next_seq", nextSeq)
                .put("oldest_seq", oldestSeq)
                .put("rows", rows)
                .put("bytes", bytes)
                .put("series", series)
                .put("rows_per_second", Math.round(rowsPerSecond * 10) / 10.0)
                .put("buffered_bytes", bufferedBytes)
                .put("flush_lag_seconds", Math.round(flushLagSeconds * 10) / 10.0)
                .put("flush_failure", flushFailure);
    }
}
