package dev.weir.node.server;

import dev.weir.node.auth.Authenticator;
import dev.weir.node.auth.Caller;
import dev.weir.partition.catalog.Scope;
import dev.weir.partition.model.ErrorCode;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/**
 * Lets a request pass if its caller has a scope, and keeps the caller in its context. A tenant comes from the token alone: no header, parameter or
 * body names one.
 */
final class Access {
    private static final String CALLER = "weir.caller";

    private final Authenticator authenticator;

    Access(Authenticator authenticator) {
        this.authenticator = authenticator;
    }

    /** A handler for the beginning of a route. */
    Handler<RoutingContext> require(Scope scope) {
        return context -> {
            HttpServerRequest request = context.request();
            Optional<Caller> caller =
                    authenticator.authenticate(request.getHeader("Authorization"), request.getParam("p"));
            if (caller.isEmpty()) {
                context.response().putHeader("WWW-Authenticate", "Bearer realm=\"weir\"");
                Answers.refuse(
                        context,
                        ErrorCode.UNAUTHENTICATED,
                        "expected a token: Authorization: Bearer <token>; none, or an unknown one, was sent");
                return;
            }
            if (!caller.get().may(scope)) {
                Answers.refuse(context, ErrorCode.FORBIDDEN, "this token may not do that, or there is no such thing");
                return;
            }
            admit(context, caller.get());
        };
    }

    /** Goes on with a request whose caller is known. */
    static void admit(RoutingContext context, Caller caller) {
        context.put(CALLER, caller);
        context.next();
    }

    /** The caller of a request that has passed {@link #require}. */
    static Caller caller(RoutingContext context) {
        Caller caller = context.get(CALLER);
        if (caller == null) {
            throw new IllegalStateException("route " + context.normalizedPath() + " has no access rule before it");
        }
        return caller;
    }
}
