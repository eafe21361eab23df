package dev.weir.partition.model;

/** What an event did to the table. A point whose series and timestamp existed is an update. */
public enum Operation {
    INSERT("insert"),
    UPDATE("update"),
    DELETE("delete"),
    /** Of {@link EventType#SCHEMA_CHANGED}: no row was touched. */
    NONE("none");

    private final String wireName;

    Operation(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }
}
