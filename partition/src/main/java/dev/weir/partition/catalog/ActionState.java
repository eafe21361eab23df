package dev.weir.partition.catalog;

/** How far one action of an operation is. */
public enum ActionState {
    WAITING("waiting"),
    /** Begun; stays so through all tries. */
    RUNNING("running"),
    DONE("done"),
    /** Can never be done: what it names has changed. */
    FAILED("failed"),
    /** Not begun, or undone. */
    CANCELLED("cancelled");

    private final String wireName;

    ActionState(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    public boolean hasEnded() {
        return this == DONE || this == FAILED || this == CANCELLED;
    }
}
