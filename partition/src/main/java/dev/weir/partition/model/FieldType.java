package dev.weir.partition.model;

/** The closed set of field types. Codes are part of every format and never change. */
public enum FieldType {
    FLOAT64(1, "float64", "DOUBLE"),
    INT64(2, "int64", "BIGINT"),
    UINT64(3, "uint64", "UBIGINT"),
    BOOL(4, "bool", "BOOLEAN"),
    STRING(5, "string", "VARCHAR");

    private static final FieldType[] BY_CODE = {null, FLOAT64, INT64, UINT64, BOOL, STRING};

    private final byte code;
    private final String wireName;
    private final String sqlName;

    FieldType(int code, String wireName, String sqlName) {
        this.code = (byte) code;
        this.wireName = wireName;
        this.sqlName = sqlName;
    }

    public byte code() {
        return code;
    }

    /** The name that users see, for example in error messages. */
    public String wireName() {
        return wireName;
    }

    /** The name in SQL and in the {@code columns} of answers. */
    public String sqlName() {
        return sqlName;
    }

    /** @throws IllegalArgumentException no type has that code */
    public static FieldType ofCode(int code) {
        if (code < 1 || code >= BY_CODE.length) {
            throw new IllegalArgumentException("field type code " + code + ", expected 1 to " + (BY_CODE.length - 1));
        }
        return BY_CODE[code];
    }
}
