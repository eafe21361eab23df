package dev.weir.partition.catalog;

/** One change of the partition map that an operation consists of. */
public sealed interface OperationAction {
    int partition();

    /** What it does, in a word that stands in the log and in answers. */
    String kind();

    /** The node that gets something. */
    String to();

    /** A replica goes from one node to another, with its history. */
    record MoveReplica(int partition, String from, String to) implements OperationAction {
        @Override
        public String kind() {
            return "move";
        }
    }

    /** A node that holds a replica leads from now on, and is the one that the map prefers. */
    record TransferLeader(int partition, String to) implements OperationAction {
        @Override
        public String kind() {
            return "transfer-leader";
        }
    }
}
