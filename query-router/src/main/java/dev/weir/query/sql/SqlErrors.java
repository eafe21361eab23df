package dev.weir.query.sql;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.weir.partition.model.Refusal;
import io.vertx.core.http.HttpServerResponse;
import java.util.OptionalInt;

/** Refusals as answers: {@code {"error","code","position"}}, the position (a character, from 1) where it is known. */
final class SqlErrors {
    private SqlErrors() {}

    /** To be called on the event loop. */
    static void send(HttpServerResponse response, Refusal refusal, OptionalInt position) {
        send(response, refusal, position, refusal.code().status());
    }

    static void send(HttpServerResponse response, Refusal refusal, OptionalInt position, int status) {
        if (response.closed() || response.ended() || response.headWritten()) {
            return;
        }
        if (refusal.retryAfterMs() > 0) {
            response.putHeader("Retry-After", Long.toString((refusal.retryAfterMs() + 999) / 1000));
        }
        response.setStatusCode(status)
                .putHeader("Content-Type", "application/json")
                .end(json(refusal, position));
    }

    static String json(Refusal refusal, OptionalInt position) {
        String message = new String(JsonStringEncoder.getInstance().quoteAsString(refusal.message()));
        String where = position.isPresent() ? ",\"position\":" + position.getAsInt() : "";
        return "{\"error\":\"" + message + "\",\"code\":\"" + refusal.code().wireName() + "\"" + where + "}\n";
    }
}
