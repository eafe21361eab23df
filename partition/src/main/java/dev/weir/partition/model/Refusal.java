package dev.weir.partition.model;

/**
 * A typed no, safe to show to a user.
 *
 * @param retryAfterMs when trying again may help, 0 where it can't
 */
public record Refusal(ErrorCode code, String message, long retryAfterMs) {
    public static Refusal of(ErrorCode code, String message) {
        return new Refusal(
                code, message, code.status() == 503 || code.status() == 507 || code.status() == 429 ? 1000 : 0);
    }
}
