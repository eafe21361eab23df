package dev.weir.partition.model;

/**
 * The closed set of error codes, shared by all edges. Names are stable; each has one HTTP status.
 *
 * <p>4xx (429 apart) means: sending the same again can't help. 429, 503, 507 come with {@code Retry-After}. 504 means that the outcome is unknown.
 */
public enum ErrorCode {
    BAD_REQUEST("bad_request", 400),
    SYNTAX("syntax", 400),
    INVALID_UTF8("invalid_utf8", 400),
    INVALID_NAME("invalid_name", 400),
    RESERVED_NAME("reserved_name", 400),
    TYPE_CONFLICT("type_conflict", 400),
    ROLE_CONFLICT("role_conflict", 400),
    NUMBER_OUT_OF_RANGE("number_out_of_range", 400),
    NOT_A_NUMBER("not_a_number", 400),
    TIME_OUT_OF_RANGE("time_out_of_range", 400),
    NO_FIELDS("no_fields", 400),
    UNSUPPORTED_VALUE("unsupported_value", 400),
    STRICT_SCHEMA("strict_schema", 400),
    LIMIT_COLUMNS("limit_columns", 400),
    LIMIT_SERIES("limit_series", 400),
    LIMIT_ROW("limit_row", 400),
    TABLE_DROPPED("table_dropped", 400),
    OLDER_THAN_RETENTION("older_than_retention", 400),
    BAD_ENCODING("bad_encoding", 400),
    NOT_ALLOWED("not_allowed", 400),
    CONVERSION("conversion", 400),
    LIMIT_QUERY("limit_query", 400),
    LIMIT_SUBSCRIPTIONS("limit_subscriptions", 400),
    BAD_CURSOR("bad_cursor", 400),
    PARTIAL_CURSOR("partial_cursor", 400),
    UNAUTHENTICATED("unauthenticated", 401),
    FORBIDDEN("forbidden", 403),
    NOT_FOUND("not_found", 404),
    METHOD_NOT_ALLOWED("method_not_allowed", 405),
    CANCELED("canceled", 409),
    CONFLICT("conflict", 409),
    STALE_GENERATION("stale_generation", 409),
    CURSOR_TOO_OLD("cursor_too_old", 410),
    TOO_LARGE("too_large", 413),
    UNSUPPORTED_MEDIA("unsupported_media", 415),
    IDEMPOTENCY_MISMATCH("idempotency_mismatch", 422),
    RATE_LIMITED("rate_limited", 429),
    INTERNAL("internal", 500),
    NO_QUORUM("no_quorum", 503),
    NO_LEADER("no_leader", 503),
    OVERLOADED("overloaded", 503),
    BUFFERS_FULL("buffers_full", 503),
    STARTING("starting", 503),
    STORE_UNAVAILABLE("store_unavailable", 503),
    UNKNOWN_OUTCOME("unknown_outcome", 504),
    DISK_FULL("disk_full", 507);

    private final String wireName;
    private final int status;

    ErrorCode(String wireName, int status) {
        this.wireName = wireName;
        this.status = status;
    }

    public String wireName() {
        return wireName;
    }

    public int status() {
        return status;
    }
}
