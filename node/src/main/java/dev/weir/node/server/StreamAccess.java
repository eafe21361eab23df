package dev.weir.node.server;

import dev.weir.cdc.CallerTenant;
import dev.weir.cdc.CdcRoutes;
import dev.weir.node.auth.Caller;
import dev.weir.node.auth.Tickets;
import dev.weir.partition.catalog.Scope;
import dev.weir.partition.model.ErrorCode;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Lets a request for the change stream pass by its token, or by a ticket, which opens the stream that it was made for and nothing else. */
final class StreamAccess implements Handler<RoutingContext> {
    private static final String QUERY = "weir.ticket.query";

    private final Handler<RoutingContext> byToken;
    private final Tickets tickets;

    StreamAccess(Access access, Tickets tickets) {
        this.byToken = access.require(Scope.CDC);
        this.tickets = tickets;
    }

    @Override
    public void handle(RoutingContext context) {
        String ticket = context.request().getParam("ticket");
        if (ticket == null || !context.normalizedPath().equals(CdcRoutes.PATH)) {
            byToken(context);
            return;
        }
        switch (tickets.check(ticket, goesOn(context.request()))) {
            case Tickets.Checked.Valid valid -> {
                context.put(QUERY, valid.query());
                Access.admit(context, valid.caller());
            }
            case Tickets.Checked.Refused refused ->
                Answers.refuse(context, ErrorCode.UNAUTHENTICATED, refused.reason());
        }
    }

    private void byToken(RoutingContext context) {
        if (Cors.isForeignSocket(context)) {
            Answers.refuse(
                    context,
                    ErrorCode.FORBIDDEN,
                    "a WebSocket of a page from " + context.request().getHeader("Origin")
                            + ": expected a ticket, or an origin that http.cors.origins names");
            return;
        }
        byToken.handle(context);
    }

    /** Who asks for which stream, of a request that was let pass. */
    static CallerTenant callers(Access access) {
        return new CallerTenant() {
            @Override
            public String of(RoutingContext context) {
                return Access.caller(context).tenant();
            }

            @Override
            public BooleanSupplier admission(RoutingContext context) {
                Caller caller = Access.caller(context);
                return () -> access.isStill(caller, Scope.CDC);
            }

            @Override
            public Optional<String> boundQuery(RoutingContext context) {
                return Optional.ofNullable(context.get(QUERY));
            }
        };
    }

    private static boolean goesOn(HttpServerRequest request) {
        return isGiven(request.getHeader("Last-Event-ID")) || isGiven(request.getParam("last_event_id"));
    }

    private static boolean isGiven(@Nullable String text) {
        return text != null && !text.isBlank();
    }
}
