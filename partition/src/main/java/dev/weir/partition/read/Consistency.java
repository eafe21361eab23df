package dev.weir.partition.read;

/** Whose state may answer a read. */
public enum Consistency {
    /** As of now: the leader's, after it made sure that it leads. */
    LEADER,
    /** The nearest replica's, however old. */
    ANY
}
