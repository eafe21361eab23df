package dev.weir.partition.model;

/** The closed set of change events. Codes and names are part of the formats. */
public enum EventType {
    POINT_WRITTEN(1, "point_written"),
    SERIES_DELETED(2, "series_deleted"),
    MEASUREMENT_DROPPED(3, "measurement_dropped"),
    RANGE_DELETED(4, "range_deleted"),
    SCHEMA_CHANGED(5, "schema_changed");

    private static final EventType[] ALL = values();

    private final byte code;
    private final String wireName;

    EventType(int code, String wireName) {
        this.code = (byte) code;
        this.wireName = wireName;
    }

    public byte code() {
        return code;
    }

    public String wireName() {
        return wireName;
    }

    /** @throws IllegalArgumentException no type has that code */
    public static EventType ofCode(int code) {
        if (code < 1 || code > ALL.length) {
            throw new IllegalArgumentException("event type code " + code + ", expected 1 to " + ALL.length);
        }
        return ALL[code - 1];
    }
}
