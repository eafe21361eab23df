package dev.weir.cdc;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import java.util.Map;

/** An answer other than a stream. No stack trace: it is an answer, not a fault. */
final class RequestRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;
    private final int status;
    private final transient Map<String, String> more;

    /** @param more further keys of the JSON answer */
    RequestRefused(Refusal refusal, int status, Map<String, String> more) {
        super(refusal.message(), null, false, false);
        this.refusal = refusal;
        this.status = status;
        this.more = more;
    }

    static RequestRefused of(ErrorCode code, String message) {
        return of(Refusal.of(code, message));
    }

    static RequestRefused of(Refusal refusal) {
        return new RequestRefused(refusal, refusal.code().status(), Map.of());
    }

    Refusal refusal() {
        return refusal;
    }

    int status() {
        return status;
    }

    Map<String, String> more() {
        return more;
    }
}
