package dev.weir.node.server;

import dev.weir.partition.catalog.Scope;
import dev.weir.query.sql.SqlCaller;
import io.vertx.ext.web.RoutingContext;

/** Who asks by SQL, as {@link Access} has found. */
final class SqlAccess implements SqlCaller {
    @Override
    public String tenant(RoutingContext context) {
        return Access.caller(context).tenant();
    }

    @Override
    public String user(RoutingContext context) {
        return Access.caller(context).tokenId();
    }

    @Override
    public boolean mayWrite(RoutingContext context) {
        return Access.caller(context).may(Scope.WRITE);
    }
}
