package dev.weir.node.lead;

import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogPeer;
import dev.weir.wal.LogStatus;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A log with a replica on this node, as it is now.
 *
 * @param name for people, such as {@code partition 3}
 * @param preferred the node that should lead it; null where any may
 * @param admission told why writes may not be admitted now, null where they may
 */
public record HeldLog(
        String name,
        LogGroupId group,
        @Nullable String preferred,
        LogStatus status,
        Consumer<@Nullable String> admission) {
    List<String> voters() {
        return status.members().voters().stream().map(LogPeer::nodeId).toList();
    }
}
