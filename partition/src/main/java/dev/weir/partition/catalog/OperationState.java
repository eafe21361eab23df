package dev.weir.partition.catalog;

/** How far an operation is. */
public enum OperationState {
    /** Not begun: what was to be seen first. */
    PLANNED("planned"),
    RUNNING("running"),
    /** Begins nothing, and takes no further step in what it has begun. */
    PAUSED("paused"),
    /** Undoes what it has begun and not finished. */
    CANCELLING("cancelling"),
    DONE("done"),
    FAILED("failed"),
    CANCELLED("cancelled");

    private final String wireName;

    OperationState(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    /** It may still change something. */
    public boolean isLive() {
        return this == RUNNING || this == PAUSED || this == CANCELLING;
    }

    public boolean hasEnded() {
        return this == DONE || this == FAILED || this == CANCELLED;
    }
}
