package dev.weir.cdc;

import dev.weir.partition.model.ErrorCode;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.CompletableFuture;

/** Receives the JSON object that a request carries, of a bounded size. On the request's event loop. */
final class SmallBody {
    static final int BYTES_MAX = 256 << 10;

    private final Buffer bytes = Buffer.buffer();
    private final CompletableFuture<JsonObject> read = new CompletableFuture<>();

    private SmallBody() {}

    /** Fails with {@link RequestRefused}. */
    static CompletableFuture<JsonObject> read(HttpServerRequest request) {
        SmallBody body = new SmallBody();
        request.handler(body::add)
                .endHandler(nothing -> body.complete())
                .exceptionHandler(body.read::completeExceptionally);
        return body.read;
    }

    private void add(Buffer part) {
        if (bytes.length() + part.length() > BYTES_MAX) {
            read.completeExceptionally(
                    RequestRefused.of(ErrorCode.TOO_LARGE, "expected a body of at most " + BYTES_MAX + " bytes"));
            return;
        }
        bytes.appendBuffer(part);
    }

    private void complete() {
        try {
            read.complete(bytes.length() == 0 ? new JsonObject() : new JsonObject(bytes));
        } catch (DecodeException | ClassCastException e) {
            read.completeExceptionally(
                    RequestRefused.of(ErrorCode.BAD_REQUEST, "expected one JSON object as body: " + e.getMessage()));
        }
    }
}
