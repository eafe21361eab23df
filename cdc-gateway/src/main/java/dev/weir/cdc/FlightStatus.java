package dev.weir.cdc;

import dev.weir.partition.model.ErrorCode;
import io.grpc.Status;
import java.util.TreeMap;

/** What Flight's clients are told where HTTP's get a status and JSON: {@code <code>: <text>; oldest_cursor: <cursor>; retry_after: <seconds>}. */
final class FlightStatus {
    /** Clients take 8 KiB of headers, in which a letter may take nine bytes. */
    private static final int TEXT_MAX = 600;

    private static final int MORE_MAX = 2_000;

    private FlightStatus() {}

    static Status of(RequestRefused refused) {
        return code(refused.refusal().code()).withDescription(text(refused));
    }

    private static Status code(ErrorCode code) {
        return switch (code.status()) {
            case 401 -> Status.UNAUTHENTICATED;
            case 403 -> Status.PERMISSION_DENIED;
            case 404 -> Status.NOT_FOUND;
            case 409 -> Status.ABORTED;
            case 410 -> Status.FAILED_PRECONDITION;
            case 429, 507 -> Status.RESOURCE_EXHAUSTED;
            case 500 -> Status.INTERNAL;
            case 503 -> code == ErrorCode.OVERLOADED ? Status.RESOURCE_EXHAUSTED : Status.UNAVAILABLE;
            case 504 -> Status.DEADLINE_EXCEEDED;
            default -> Status.INVALID_ARGUMENT;
        };
    }

    private static String text(RequestRefused refused) {
        StringBuilder text = new StringBuilder(refused.refusal().code().wireName()).append(": ");
        text.append(cut(refused.refusal().message(), TEXT_MAX, "…"));
        new TreeMap<>(refused.more())
                .forEach((key, value) -> text.append("; ")
                        .append(key)
                        .append(": ")
                        .append(value.length() > MORE_MAX ? "too long for this answer, HTTP has it" : value));
        RefusalAnswer.retryAfterSeconds(refused.refusal())
                .ifPresent(seconds -> text.append("; retry_after: ").append(seconds));
        return text.toString();
    }

    private static String cut(String text, int most, String mark) {
        return text.length() > most ? text.substring(0, most) + mark : text;
    }
}
