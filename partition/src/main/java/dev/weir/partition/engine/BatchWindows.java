package dev.weir.partition.engine;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.BatchId;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which batches of which front door were applied, so that a retry inside the cluster appends nothing and gets the first answer. One {@link
 * BatchWindow} a front door, of its newest process only. Single-threaded; part of the replicated state.
 */
final class BatchWindows {
    static final int FRONT_DOORS_MAX = 256;

    private final TreeMap<String, BatchWindow> byNode = new TreeMap<>();

    Map<String, BatchWindow> byNode() {
        return byNode;
    }

    /** What to answer without applying anything; null for a batch that was not applied before. */
    @Nullable
    AppendOutcome find(BatchId batch) {
        BatchWindow window = byNode.get(batch.node());
        if (window == null || batch.incarnation() > window.incarnation()) {
            return null;
        }
        if (batch.incarnation() < window.incarnation()) {
            return new AppendOutcome.Refused(new Refusal(
                    ErrorCode.CONFLICT,
                    "batch of node " + batch.node() + ": its process " + batch.incarnation() + " was followed by "
                            + window.incarnation(),
                    0));
        }
        AppendOutcome first = window.find(batch.counter());
        if (first == null && batch.counter() <= window.evictedThrough()) {
            return new AppendOutcome.Unknown("batch " + batch.counter() + " of node " + batch.node()
                    + " is older than the " + BatchWindow.BATCHES_MAX + " that are remembered");
        }
        return first;
    }

    /** Remembers the outcome of a batch for which {@link #find} answered null. */
    void remember(BatchId batch, AppendOutcome outcome, long now) {
        BatchWindow window = byNode.get(batch.node());
        if (window == null || window.incarnation() < batch.incarnation()) {
            window = new BatchWindow(batch.incarnation());
            byNode.put(batch.node(), window);
            evict(batch.node());
        }
        window.remember(batch.counter(), outcome, now);
    }

    /** Forgets batches of entries before a time. */
    void expire(long beforeNanos) {
        for (BatchWindow window : byNode.values()) {
            window.expire(beforeNanos);
        }
    }

    /** Of a manifest. */
    void restore(String node, BatchWindow window) {
        byNode.put(node, window);
    }

    /** Batches remembered. */
    int size() {
        int size = 0;
        for (BatchWindow window : byNode.values()) {
            size += window.size();
        }
        return size;
    }

    private void evict(String keep) {
        if (byNode.size() <= FRONT_DOORS_MAX) {
            return;
        }
        String oldest = keep;
        long oldestTime = Long.MAX_VALUE;
        for (Map.Entry<String, BatchWindow> each : byNode.entrySet()) {
            if (!each.getKey().equals(keep) && each.getValue().newestTime() < oldestTime) {
                oldest = each.getKey();
                oldestTime = each.getValue().newestTime();
            }
        }
        byNode.remove(oldest);
    }
}
