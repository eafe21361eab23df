package dev.weir.node.server;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.util.List;
import java.util.function.Supplier;

/** {@code /health/live}, {@code /health/ready} with causes, and {@code /metrics} in Prometheus form. */
final class HealthRoutes {
    private final Supplier<List<String>> notReady;
    private final PrometheusMeterRegistry metrics;

    HealthRoutes(Supplier<List<String>> notReady, PrometheusMeterRegistry metrics) {
        this.notReady = notReady;
        this.metrics = metrics;
    }

    void mountHealth(Router router) {
        router.get("/health/live").handler(context -> context.json(new JsonObject().put("live", true)));
        router.get("/health/ready").handler(context -> {
            List<String> causes = notReady.get();
            context.response().setStatusCode(causes.isEmpty() ? 200 : 503);
            context.json(new JsonObject().put("ready", causes.isEmpty()).put("causes", new JsonArray(causes)));
        });
    }

    void mountMetrics(Router router) {
        router.get("/metrics")
                .handler(context -> context.response()
                        .putHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
                        .end(metrics.scrape()));
    }
}
