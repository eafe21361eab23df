package dev.weir.partition.model;

/** What an event did to the table. A point whose series and timestamp existed is an update. Codes are part of the formats. */
public enum Operation {
    INSERT(1, "insert"),
    UPDATE(2, "update"),
    DELETE(3, "delete"),
    /** Of {@link EventType#SCHEMA_CHANGED}: no row was touched. */
    NONE(4, "none");

    private static final Operation[] ALL = values();

    private final byte code;
    private final String wireName;

    Operation(int code, String wireName) {
        this.code = (byte) code;
        this.wireName = wireName;
    }

    public byte code() {
        return code;
    }

    public String wireName() {
        return wireName;
    }

    /** @throws IllegalArgumentException no operation has that code */
    public static Operation ofCode(int code) {
        if (code < 1 || code > ALL.length) {
            throw new IllegalArgumentException("operation code " + code + ", expected 1 to " + ALL.length);
        }
        return ALL[code - 1];
    }
}
