package dev.weir.node.server;

import dev.weir.wal.LogGroupId;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Names the groups of a cluster: a digest of the cluster's id and of (partition, generation), so that a log of a foreign cluster or of an
 * older generation is another log.
 */
final class GroupNames {
    private GroupNames() {}

    static LogGroupId partition(String clusterId, int partition, int generation) {
        String name = "weir partition 1\n" + clusterId + "\n" + partition + "\n" + generation;
        return new LogGroupId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
    }
}
