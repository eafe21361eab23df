package dev.weir.cdc;

import dev.weir.partition.model.Refusal;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/** Writes a refusal as JSON: {@code {"error","code",…}}. */
final class RefusalAnswer {
    private RefusalAnswer() {}

    static void send(HttpServerResponse response, RequestRefused refused) {
        if (response.closed() || response.headWritten()) {
            return;
        }
        Refusal refusal = refused.refusal();
        retryAfterSeconds(refusal).ifPresent(seconds -> response.putHeader("Retry-After", Long.toString(seconds)));
        response.setStatusCode(refused.status())
                .putHeader("Content-Type", "application/json")
                .end(Buffer.buffer(json(refused) + "\n"));
    }

    /** Spread, so that many clients do not come back in one second; empty where that can't help. */
    static OptionalLong retryAfterSeconds(Refusal refusal) {
        return refusal.retryAfterMs() > 0
                ? OptionalLong.of((refusal.retryAfterMs() + 999) / 1000
                        + ThreadLocalRandom.current().nextLong(3))
                : OptionalLong.empty();
    }

    static String json(RequestRefused refused) {
        JsonBytes json = new JsonBytes(256);
        json.put(JsonBytes.ascii("{\"error\":"));
        json.string(refused.refusal().message());
        json.put(JsonBytes.ascii(",\"code\":"));
        json.string(refused.refusal().code().wireName());
        new TreeMap<>(refused.more()).forEach((key, value) -> {
            json.put(',');
            json.string(key);
            json.put(':');
            json.string(value);
        });
        json.put('}');
        return new String(json.copy(), StandardCharsets.UTF_8);
    }
}
