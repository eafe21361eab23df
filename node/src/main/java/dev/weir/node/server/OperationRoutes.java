package dev.weir.node.server;

import dev.weir.partition.catalog.ActionRecord;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.OperationAction;
import dev.weir.partition.catalog.OperationRecord;
import dev.weir.partition.catalog.OperationState;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.RefusedException;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/** {@code /api/v1/admin/operations}: long changes of the cluster, asked for, looked at and steered. Scope admin, by {@link AdminRoutes}. */
final class OperationRoutes {
    private static final String PATH = "/api/v1/admin/operations";
    private static final int BODY_BYTES_MAX = 64 << 10;

    private final Catalog catalog;
    private final InstantSource clock;

    OperationRoutes(Catalog catalog, InstantSource clock) {
        this.catalog = catalog;
        this.clock = clock;
    }

    void mount(Router router) {
        router.get(PATH).handler(this::list);
        router.route(HttpMethod.POST, PATH).handler(this::start);
        router.get(PATH + "/:id").handler(this::show);
        router.route(HttpMethod.POST, PATH + "/:id/:wish").handler(this::steer);
    }

    /** As of now, where the catalog can say so; else as this node knows it. */
    private CompletionStage<CatalogImage> newest() {
        return catalog.linearize().handle((done, failure) -> catalog.image());
    }

    private void list(RoutingContext context) {
        Answers.when(context, newest(), image -> {
            JsonArray all = new JsonArray();
            image.operations().stream().sorted(OperationRecord.BY_START).forEach(each -> all.add(json(each)));
            context.json(new JsonObject().put("operations", all));
        });
    }

    private void show(RoutingContext context) {
        String id = context.pathParam("id");
        Answers.when(
                context,
                newest(),
                image -> image.operation(id)
                        .ifPresentOrElse(
                                found -> context.json(json(found)),
                                () -> Answers.refuse(
                                        context, ErrorCode.NOT_FOUND, "no operation " + id + " is known")));
    }

    private void start(RoutingContext context) {
        Answers.withJson(
                context,
                BODY_BYTES_MAX,
                body -> Answers.when(context, catalog.linearize(), done -> {
                    try {
                        start(context, body);
                    } catch (RefusedException e) {
                        Answers.refuse(context, e.refusal());
                    } catch (ClassCastException e) {
                        Answers.refuse(context, ErrorCode.BAD_REQUEST, "a member of the JSON body has the wrong type");
                    }
                }));
    }

    private void start(RoutingContext context, JsonObject body) throws RefusedException {
        CatalogImage image = catalog.image();
        OperationPlan plan = OperationPlan.of(body, image);
        boolean planned = body.getBoolean("dry_run", false);
        Optional<OperationRecord> other = planned ? Optional.empty() : plan.running(image, body);
        if (other.isPresent()) {
            context.json(json(other.get()));
            return;
        }
        if (plan.actions().isEmpty()) {
            context.json(new JsonObject()
                    .putNull("id")
                    .put("kind", plan.kind())
                    .put("state", OperationState.DONE.wireName())
                    .put("actions", new JsonArray()));
            return;
        }
        OperationRecord asked = OperationRecord.of(
                UUID.randomUUID().toString().substring(0, 8),
                plan.kind(),
                image.epoch(),
                planned,
                Access.caller(context).tokenId(),
                nowNanos(),
                plan.actions());
        Answers.when(context, catalog.propose(new CatalogCommand.StartOperation(asked)), done -> {
            OperationRecord running = running(asked);
            context.response().setStatusCode(running.id().equals(asked.id()) ? 201 : 200);
            context.json(json(running).put("left", new JsonArray(plan.left())));
        });
    }

    /** It, or the one like it that ran already. */
    private OperationRecord running(OperationRecord asked) {
        CatalogImage image = catalog.image();
        return image.operation(asked.id())
                .or(() -> image.operations().stream()
                        .filter(each -> each.state().isLive() && each.isLike(asked))
                        .findFirst())
                .orElse(asked);
    }

    private void steer(RoutingContext context) {
        String id = context.pathParam("id");
        String named = context.pathParam("wish");
        Optional<CatalogCommand.Wish> wish = Arrays.stream(CatalogCommand.Wish.values())
                .filter(each -> each.wireName().equals(named))
                .findFirst();
        if (wish.isEmpty()) {
            Answers.refuse(
                    context, ErrorCode.NOT_FOUND, "expected apply, pause, resume or cancel, found '" + named + "'");
            return;
        }
        Answers.when(
                context,
                catalog.propose(new CatalogCommand.SteerOperation(id, wish.get(), nowNanos())),
                done -> show(context));
    }

    private static JsonObject json(OperationRecord operation) {
        JsonArray actions = new JsonArray();
        long ended = 0;
        for (ActionRecord each : operation.actions()) {
            ended += each.state().hasEnded() ? 1 : 0;
            JsonObject action = new JsonObject()
                    .put("action", each.action().kind())
                    .put("partition", each.action().partition());
            if (each.action() instanceof OperationAction.MoveReplica move) {
                action.put("from", move.from());
            }
            actions.add(action.put("to", each.action().to())
                    .put("state", each.state().wireName())
                    .put("message", each.message()));
        }
        boolean planned = operation.state() == OperationState.PLANNED;
        return new JsonObject()
                .put("id", operation.id())
                .put("kind", operation.kind())
                .put("state", operation.state().wireName())
                .put("epoch", operation.epoch())
                .put("by", operation.by())
                .put(planned ? "planned_at" : "started_at", time(operation.startedAtNanos()))
                .put("ended_at", operation.endedAtNanos() == 0 ? null : time(operation.endedAtNanos()))
                .put("actions_ended", ended)
                .put("actions", actions);
    }

    private static String time(long nanos) {
        return Instant.ofEpochSecond(0, nanos).toString();
    }

    private long nowNanos() {
        return Math.multiplyExact(clock.millis(), 1_000_000L);
    }
}
