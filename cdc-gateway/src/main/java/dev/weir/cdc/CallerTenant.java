package dev.weir.cdc;

import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** Whose stream a request may see. Authentication was done by a handler before; this only reads its outcome. */
@FunctionalInterface
public interface CallerTenant {
    String of(RoutingContext context);

    /** The parameters that the request is bound to, as they would stand in its address; empty where it may choose them. */
    default Optional<String> boundQuery(RoutingContext context) {
        return Optional.empty();
    }
}
