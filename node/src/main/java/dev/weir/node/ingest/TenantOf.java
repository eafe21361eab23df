package dev.weir.node.ingest;

import io.vertx.ext.web.RoutingContext;

/** Whose data a request may write, as the handlers before it have found. Has answered already where the request may not pass. */
@FunctionalInterface
public interface TenantOf {
    Caller of(RoutingContext context);

    /**
     * @param tenant whose data is written
     * @param authenticated false where the node runs without authentication
     */
    record Caller(String tenant, boolean authenticated) {}
}
