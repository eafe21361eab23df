package dev.weir.cdc;

import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Whose stream a request may see. Authentication was done by a handler before; this only reads its outcome. */
@FunctionalInterface
public interface CallerTenant {
    String of(RoutingContext context);

    /** Whether the caller may go on reading, for as long as the stream of its request goes on. Any thread; never blocks. */
    default BooleanSupplier admission(RoutingContext context) {
        return () -> true;
    }

    /** The parameters that the request is bound to, as they would stand in its address; empty where it may choose them. */
    default Optional<String> boundQuery(RoutingContext context) {
        return Optional.empty();
    }
}
