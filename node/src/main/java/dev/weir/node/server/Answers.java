package dev.weir.node.server;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import io.vertx.core.Context;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** JSON answers of the administrative edge; errors look the same on all edges: {@code {"error","code"}}. */
final class Answers {
    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

    private Answers() {}

    static void refuse(RoutingContext context, ErrorCode code, String message) {
        refuse(context, Refusal.of(code, message));
    }

    static void refuse(RoutingContext context, Refusal refusal) {
        if (context.response().ended() || context.response().headWritten()) {
            return;
        }
        if (refusal.retryAfterMs() > 0) {
            long seconds = Math.max(1, (refusal.retryAfterMs() + 999) / 1000);
            context.response().putHeader("Retry-After", Long.toString(seconds));
        }
        context.response().setStatusCode(refusal.code().status());
        context.json(new JsonObject()
                .put("error", refusal.message())
                .put("code", refusal.code().wireName()));
    }

    static void fail(RoutingContext context, Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof RefusedException refused) {
            refuse(context, refused.refusal());
            return;
        }
        LOG.warn("request {} {} failed", context.request().method(), context.normalizedPath(), cause);
        refuse(context, ErrorCode.INTERNAL, "internal error; the node's log has the reason");
    }

    /** Goes on with a result on the request's event loop. */
    static <T> void when(RoutingContext context, CompletionStage<T> stage, Consumer<T> then) {
        Context owner = context.vertx().getOrCreateContext();
        stage.whenComplete((result, failure) -> owner.runOnContext(go -> {
            if (failure != null) {
                fail(context, failure);
                return;
            }
            then.accept(result);
        }));
    }

    /** The body as a JSON object; refuses anything else. */
    static void withJson(RoutingContext context, int bytesMax, Consumer<JsonObject> then) {
        Refusal larger = Refusal.of(ErrorCode.TOO_LARGE, "expected a body of at most " + bytesMax + " bytes");
        BoundedBody.read(context, bytesMax, larger, body -> {
            JsonObject json;
            try {
                json = new JsonObject(body);
            } catch (RuntimeException e) {
                refuse(context, ErrorCode.BAD_REQUEST, "expected one JSON object as body");
                return;
            }
            try {
                then.accept(json);
            } catch (ClassCastException e) {
                refuse(context, ErrorCode.BAD_REQUEST, "a member of the JSON body has the wrong type");
            }
        });
    }
}
