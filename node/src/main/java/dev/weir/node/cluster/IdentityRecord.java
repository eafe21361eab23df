package dev.weir.node.cluster;

import java.util.Optional;
import java.util.UUID;

/**
 * What {@code node.json} says.
 *
 * <pre>
 * state     catalogGroup  clusterId  joined
 * NEW       -             -          false
 * BIRTH     set           -          false   an initial member, before the cluster's birth was seen here
 * JOINING   set           set        false   may still have to be added to the catalog
 * JOINED    set           set        true    was in the catalog; from here on never bootstraps and never joins again
 * </pre>
 */
record IdentityRecord(String nodeId, Optional<UUID> catalogGroup, Optional<String> clusterId, boolean joined) {
    /** How far this folder has come. */
    enum State {
        NEW,
        BIRTH,
        JOINING,
        JOINED
    }

    State state() {
        if (joined) {
            return State.JOINED;
        }
        if (catalogGroup.isEmpty()) {
            return State.NEW;
        }
        return clusterId.isEmpty() ? State.BIRTH : State.JOINING;
    }
}
