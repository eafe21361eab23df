package dev.weir.query;

import io.vertx.ext.web.RoutingContext;

/** Whose tables a request may read. Authentication was done by a handler before; this only reads its outcome. */
@FunctionalInterface
public interface CallerTenant {
    String of(RoutingContext context);
}
