package dev.weir.node.server;

import dev.weir.node.auth.Tickets;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** {@code POST /api/v1/cdc/tickets?…}: a ticket for the stream with these parameters. Mounted behind the rule that wants a token of scope cdc. */
final class TicketRoute {
    private static final String PATH = "/api/v1/cdc/tickets";
    /** A ticket stands in an address, and its parameters in the ticket. */
    private static final int QUERY_LENGTH_MAX = 2048;

    private final Tickets tickets;
    private final StreamCheck streams;

    /** Says what is wrong with a stream's parameters. */
    @FunctionalInterface
    interface StreamCheck {
        Optional<Refusal> fault(String tenant, String query);
    }

    TicketRoute(Tickets tickets, StreamCheck streams) {
        this.tickets = tickets;
        this.streams = streams;
    }

    void mount(Router router) {
        router.route(HttpMethod.POST, PATH).handler(this::make);
    }

    private void make(RoutingContext context) {
        BoundedBody.read(
                context,
                0,
                Refusal.of(
                        ErrorCode.BAD_REQUEST,
                        "body: expected none, found one; the stream's parameters stand in the address, as those of the stream do"),
                none -> answer(
                        context, Optional.ofNullable(context.request().query()).orElse("")));
    }

    private void answer(RoutingContext context, String query) {
        Optional<Refusal> fault = query.length() > QUERY_LENGTH_MAX
                ? Optional.of(Refusal.of(
                        ErrorCode.TOO_LARGE,
                        "parameters of " + query.length() + " characters, limit " + QUERY_LENGTH_MAX))
                : streams.fault(Access.caller(context).tenant(), query);
        if (fault.isPresent()) {
            Answers.refuse(context, fault.get());
            return;
        }
        try {
            Tickets.Made made = tickets.make(Access.caller(context), query);
            context.response().setStatusCode(201).putHeader("Cache-Control", "no-store");
            context.json(new JsonObject()
                    .put("ticket", made.text())
                    .put("opens_until", made.opensUntil().toString())
                    .put("expires_at", made.expiresAt().toString()));
        } catch (RefusedException e) {
            Answers.refuse(context, e.refusal());
        }
    }
}
