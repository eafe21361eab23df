package dev.weir.query.sql.answer;

/**
 * How values are written.
 *
 * @param epochNanos times as integers (nanoseconds since 1970) instead of text
 * @param int64AsString integers that can pass 2^53 are quoted, in JSON
 */
public record AnswerOptions(boolean epochNanos, boolean int64AsString) {
    public static final AnswerOptions DEFAULT = new AnswerOptions(false, false);
}
