package dev.weir.cdc;

import io.vertx.ext.web.RoutingContext;

/** Whose stream a request may see. Authentication was done by a handler before; this only reads its outcome. */
@FunctionalInterface
public interface CallerTenant {
    String of(RoutingContext context);
}
