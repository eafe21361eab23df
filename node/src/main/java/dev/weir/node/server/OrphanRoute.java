package dev.weir.node.server;

import dev.weir.node.internal.PeerClient;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.NodeRecord;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** {@code GET /api/v1/admin/orphans}: what sweeps will remove from the store, asked of all nodes. */
final class OrphanRoute {
    static final String ORPHANS = "/orphans";

    private static final Duration ASK_TIMEOUT = Duration.ofSeconds(5);

    private final String self;
    private final Catalog catalog;
    private final PeerClient peers;
    private final OrphanList here;

    OrphanRoute(String self, Catalog catalog, PeerClient peers, OrphanList here) {
        this.self = self;
        this.catalog = catalog;
        this.peers = peers;
        this.here = here;
    }

    /** Asks for scope admin already, as all below {@code /api/v1/admin}. */
    void mount(Router router) {
        router.get("/api/v1/admin/orphans").handler(context -> Answers.when(context, all(), context::json));
    }

    private CompletableFuture<JsonObject> all() {
        List<String> silent = new ArrayList<>();
        List<CompletableFuture<@Nullable JsonObject>> asked = new ArrayList<>();
        List<NodeRecord> nodes = List.copyOf(catalog.image().nodes().values());
        nodes.forEach(node -> asked.add(ask(node)));
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).thenApply(done -> {
            JsonArray orphans = new JsonArray();
            long files = 0;
            long bytes = 0;
            for (int i = 0; i < asked.size(); i++) {
                JsonObject answer = asked.get(i).join();
                if (answer == null) {
                    silent.add(nodes.get(i).id());
                    continue;
                }
                orphans.addAll(answer.getJsonArray("orphans"));
                files += answer.getLong("files");
                bytes += answer.getLong("bytes");
            }
            return new JsonObject()
                    .put("orphans", orphans)
                    .put("files", files)
                    .put("bytes", bytes)
                    .put("silent_nodes", new JsonArray(silent));
        });
    }

    private CompletableFuture<@Nullable JsonObject> ask(NodeRecord node) {
        if (node.id().equals(self)) {
            return CompletableFuture.completedFuture(here.json());
        }
        return peers.post(node, ORPHANS, Buffer.buffer(), ASK_TIMEOUT)
                .handle((bytes, failure) -> failure == null ? new JsonObject(bytes) : null)
                .toCompletableFuture();
    }
}
