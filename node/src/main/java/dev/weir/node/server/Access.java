package dev.weir.node.server;

import dev.weir.node.auth.Authenticator;
import dev.weir.node.auth.Caller;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.Scope;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/**
 * Lets a request pass if its caller has a scope, and keeps the caller in its context. A tenant comes from the token alone: no header, parameter or
 * body names one.
 */
final class Access {
    private static final String CALLER = "weir.caller";

    private final Authenticator authenticator;
    private final NewTokens newTokens;

    Access(Authenticator authenticator, Catalog catalog, MeterRegistry metrics) {
        this.authenticator = authenticator;
        this.newTokens = new NewTokens(catalog, metrics);
    }

    /** A handler for the beginning of a route. Where the token is not known yet it goes on later, and nothing of the body is lost. */
    Handler<RoutingContext> require(Scope scope) {
        return context -> {
            HttpServerRequest request = context.request();
            String authorization = request.getHeader("Authorization");
            String password = request.getParam("p");
            if (!authenticator.misses(authorization, password)) {
                pass(context, scope, authorization, password);
                return;
            }
            request.pause();
            Context loop = context.vertx().getOrCreateContext();
            newTokens
                    .caughtUp()
                    .thenRun(() -> loop.runOnContext(nothing -> {
                        request.resume();
                        pass(context, scope, authorization, password);
                    }));
        };
    }

    private void pass(RoutingContext context, Scope scope, @Nullable String authorization, @Nullable String password) {
        Caller caller;
        try {
            caller = check(scope, authorization, password);
        } catch (RefusedException e) {
            if (e.refusal().code() == ErrorCode.UNAUTHENTICATED) {
                context.response().putHeader("WWW-Authenticate", "Bearer realm=\"weir\"");
            }
            Answers.refuse(context, e.refusal());
            return;
        }
        admit(context, caller);
    }

    /**
     * The caller of a request, over whatever it came.
     *
     * @param authorization the header
     * @param password Influx's parameter {@code p}
     * @throws RefusedException it may not pass
     */
    Caller check(Scope scope, @Nullable String authorization, @Nullable String password) {
        Caller caller = authenticator
                .authenticate(authorization, password)
                .orElseThrow(() -> new RefusedException(Refusal.of(
                        ErrorCode.UNAUTHENTICATED,
                        "expected a token: Authorization: Bearer <token>; none, or an unknown one, was sent")));
        if (!caller.may(scope)) {
            throw new RefusedException(
                    Refusal.of(ErrorCode.FORBIDDEN, "this token may not do that, or there is no such thing"));
        }
        return caller;
    }

    /** Whether a caller that was let pass would be let pass now: its token has not been revoked. Any thread. */
    boolean isStill(Caller caller, Scope scope) {
        return authenticator.isStill(caller) && caller.may(scope);
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
