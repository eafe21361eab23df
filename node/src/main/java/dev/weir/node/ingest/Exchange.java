package dev.weir.node.ingest;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** One request and its answer, which may be given from any thread. Made on the request's event loop. */
final class Exchange {
    private final RoutingContext routing;
    private final Context context;
    private @Nullable String warning;

    Exchange(RoutingContext routing) {
        this.routing = routing;
        this.context = routing.vertx().getOrCreateContext();
    }

    HttpServerRequest request() {
        return routing.request();
    }

    RoutingContext routing() {
        return routing;
    }

    @Nullable
    String parameter(String name) {
        return routing.request().getParam(name);
    }

    /** To be sent along whatever the answer is. */
    void warn(String text) {
        warning = text;
    }

    /** Runs on the request's event loop. */
    void onLoop(Runnable action) {
        context.runOnContext(go -> action.run());
    }

    long later(long delayMs, Runnable action) {
        return routing.vertx().setTimer(delayMs, timer -> action.run());
    }

    void cancel(long timer) {
        routing.vertx().cancelTimer(timer);
    }

    void answer(Answer answer) {
        onLoop(() -> send(answer));
    }

    private void send(Answer answer) {
        HttpServerResponse response = routing.response();
        if (response.ended() || response.closed()) {
            return;
        }
        response.setStatusCode(answer.status());
        answer.headers().forEach(header -> response.headers().add(header.getKey(), header.getValue()));
        if (warning != null) {
            response.headers().add("Weir-Warning", warning);
        }
        byte[] json = answer.json();
        if (json == null) {
            response.end();
        } else {
            response.putHeader("Content-Type", "application/json");
            response.end(Buffer.buffer(json));
        }
    }
}
