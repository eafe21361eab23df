package dev.weir.node.ingest;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is answered to a request.
 *
 * @param headers in their order; a name may come twice
 * @param json null for none
 */
record Answer(int status, List<Map.Entry<String, String>> headers, byte @Nullable [] json) {
    Answer {
        headers = List.copyOf(headers);
    }

    static Answer noContent() {
        return new Answer(204, List.of(), null);
    }

    static Answer refusal(Refusal refusal) {
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        addRetryAfter(headers, refusal);
        if (refusal.code() == ErrorCode.UNSUPPORTED_MEDIA) {
            headers.add(Map.entry("Accept-Encoding", Encoding.ACCEPTED));
        }
        return new Answer(refusal.code().status(), headers, ErrorJson.of(refusal.code(), refusal.message()));
    }

    static Answer refusal(ErrorCode code, String message) {
        return refusal(Refusal.of(code, message));
    }

    static void addRetryAfter(List<Map.Entry<String, String>> headers, Refusal refusal) {
        if (refusal.retryAfterMs() > 0) {
            headers.add(Map.entry("Retry-After", Long.toString(Math.max(1, (refusal.retryAfterMs() + 999) / 1000))));
        }
    }

    Answer with(String header, String value) {
        List<Map.Entry<String, String>> more = new ArrayList<>(headers);
        more.add(Map.entry(header, value));
        return new Answer(status, more, json);
    }
}
