package dev.weir.cdc;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.LeaseRecord;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.RefusedException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/cdc/leases}: which snapshots are held for the caller's tenant, and giving one up (see ops/docs/HTTP.md). On event loops, which never block here. */
final class LeaseRoutes {
    private static final String PATH = "/api/v1/cdc/leases";

    private final Catalog catalog;
    private final CallerTenant caller;
    private final HistoryDesk desk;

    LeaseRoutes(Catalog catalog, CallerTenant caller, HistoryDesk desk) {
        this.catalog = catalog;
        this.caller = caller;
        this.desk = desk;
    }

    void mount(Router router) {
        router.get(PATH).handler(this::list);
        router.delete(PATH + "/:id").handler(this::end);
    }

    private void list(RoutingContext request) {
        String tenant = caller.of(request);
        JsonArray leases = new JsonArray();
        desk.live().stream()
                .filter(lease -> lease.tenant().equals(tenant))
                .map(LeaseRoutes::json)
                .forEach(leases::add);
        request.response()
                .putHeader("Content-Type", "application/json")
                .end(new JsonObject().put("leases", leases).encode() + "\n");
    }

    private static JsonObject json(LeaseRecord lease) {
        JsonObject partitions = new JsonObject();
        lease.held()
                .forEach(held -> partitions.put(
                        Integer.toString(held.partition()),
                        new JsonObject().put("from_seq", held.fromSeq()).put("cut_seq", held.cutSeq())));
        return new JsonObject()
                .put("id", lease.id())
                .put("measurements", new JsonArray(lease.tables()))
                .put("partitions", partitions)
                .put("created_at", time(lease.createdAtNanos()))
                .put("expires_at", time(lease.expiresAtNanos()));
    }

    private static String time(long nanos) {
        return Clocks.instant(nanos).toString();
    }

    /** A lease of another tenant is as one that is not there. */
    private void end(RoutingContext request) {
        String id = request.pathParam("id");
        String tenant = caller.of(request);
        boolean known = desk.live().stream()
                .anyMatch(lease -> lease.id().equals(id) && lease.tenant().equals(tenant));
        if (!known) {
            RefusalAnswer.send(request.response(), RequestRefused.of(ErrorCode.NOT_FOUND, "no lease has the id " + id));
            return;
        }
        catalog.propose(new CatalogCommand.EndLease(id))
                .whenComplete((done, failure) ->
                        request.vertx().getOrCreateContext().runOnContext(nothing -> ended(request, failure)));
    }

    private static void ended(RoutingContext request, @Nullable Throwable failure) {
        if (failure == null) {
            request.response().setStatusCode(204).end();
            return;
        }
        Throwable cause = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
        RefusalAnswer.send(
                request.response(),
                cause instanceof RefusedException refused
                        ? RequestRefused.of(refused.refusal())
                        : RequestRefused.of(ErrorCode.INTERNAL, "the lease could not be given up: " + cause));
    }
}
