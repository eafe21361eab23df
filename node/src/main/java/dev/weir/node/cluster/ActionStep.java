package dev.weir.node.cluster;

import dev.weir.partition.catalog.ActionState;
import java.util.List;

/** The next thing to do for an action of an operation. Each is safe to do twice. */
sealed interface ActionStep {
    /** What is said of the action while this is done, or when it has ended so. */
    String message();

    /** A node gets a replica, with all that the others have, and votes. */
    record AddVoter(String node) implements ActionStep {
        @Override
        public String message() {
            return "node " + node + " gets its replica and catches up";
        }
    }

    record HandOver(String node) implements ActionStep {
        @Override
        public String message() {
            return "leadership goes to node " + node;
        }
    }

    /** A node votes no more. Its replica is set aside when the map says so, too. */
    record RemoveVoter(String node) implements ActionStep {
        @Override
        public String message() {
            return "node " + node + " leaves the partition's log";
        }
    }

    /** The map says who holds the partition. */
    record SetMap(List<String> replicas) implements ActionStep {
        public SetMap {
            replicas = List.copyOf(replicas);
        }

        @Override
        public String message() {
            return "the partition map names " + String.join(", ", replicas);
        }
    }

    record End(ActionState state, String message) implements ActionStep {}
}
