package dev.weir.query.sql;

import io.vertx.ext.web.RoutingContext;

/** Who asks. Authentication and the scope to read were checked by a handler before; this only reads the outcome. */
public interface SqlCaller {
    /** Whose tables the statement sees. */
    String tenant(RoutingContext context);

    /** Which token asks, for SHOW QUERIES; empty without authentication. */
    String user(RoutingContext context);

    /** Whether statements that change tables are let through. */
    boolean mayWrite(RoutingContext context);
}
