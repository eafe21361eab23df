package dev.weir.node.server;

import dev.weir.node.ingest.HealthCheck;
import dev.weir.node.internal.PeerClient;
import dev.weir.node.letters.LetterBounds;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.catalog.SlotRange;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the cluster looks like now: this node's own view, and all nodes' views put together. Asks live; keeps nothing. */
final class Status {
    private static final Duration ASK_TIMEOUT = Duration.ofSeconds(2);

    private final String self;
    private final String version;
    private final String clusterName;
    private final Catalog catalog;
    private final PeerClient peers;
    private final Supplier<JsonObject> local;

    /** @param local this node's own view, as {@link #localView} shapes it */
    Status(
            String self,
            String version,
            String clusterName,
            Catalog catalog,
            PeerClient peers,
            Supplier<JsonObject> local) {
        this.self = self;
        this.version = version;
        this.clusterName = clusterName;
        this.catalog = catalog;
        this.peers = peers;
        this.local = local;
    }

    /**
     * The answer to {@code /internal/v1/status}.
     *
     * @param checks that fail
     * @param letters null where another node counts them
     */
    static JsonObject localView(
            String node,
            String version,
            long incarnation,
            List<String> notReady,
            List<HealthCheck> checks,
            @Nullable String catalogLeader,
            List<ReplicaView> replicas,
            LetterBounds.@Nullable Totals letters) {
        JsonArray views = new JsonArray();
        double rate = 0;
        for (ReplicaView replica : replicas) {
            views.add(replica.json());
            rate += replica.log().leads() ? replica.rowsPerSecond() : 0;
        }
        return new JsonObject()
                .put("node", node)
                .put("version", version)
                .put("incarnation", incarnation)
                .put("ready", notReady.isEmpty())
                .put("causes", new JsonArray(notReady))
                .put("checks", checks(checks))
                .put("catalog_leader", catalogLeader)
                .put("rows_per_second", Math.round(rate * 10) / 10.0)
                .put("replicas", views)
                .put(
                        "dead_letters",
                        letters == null
                                ? null
                                : new JsonObject().put("rows", letters.rows()).put("bytes", letters.bytes()));
    }

    private static JsonArray checks(List<HealthCheck> checks) {
        JsonArray array = new JsonArray();
        checks.forEach(
                check -> array.add(new JsonObject().put("name", check.name()).put("message", check.message())));
        return array;
    }

    Buffer localAnswer() {
        return local.get().toBuffer();
    }

    CompletionStage<JsonObject> cluster() {
        CatalogImage image = catalog.image();
        Map<String, CompletableFuture<@Nullable JsonObject>> asked = new TreeMap<>();
        for (NodeRecord node : image.nodes().values()) {
            asked.put(node.id(), ask(node));
        }
        return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    Map<String, JsonObject> views = new TreeMap<>();
                    asked.forEach((id, answer) -> {
                        JsonObject view = answer.join();
                        if (view != null) {
                            views.put(id, view);
                        }
                    });
                    return together(image, views);
                });
    }

    private CompletableFuture<@Nullable JsonObject> ask(NodeRecord node) {
        if (node.id().equals(self)) {
            return CompletableFuture.completedFuture(local.get());
        }
        return peers.post(node, "/status", Buffer.buffer(), ASK_TIMEOUT)
                .handle((bytes, failure) -> failure == null ? new JsonObject(bytes) : null)
                .toCompletableFuture();
    }

    private JsonObject together(CatalogImage image, Map<String, JsonObject> views) {
        JsonArray nodes = new JsonArray();
        image.nodes().values().forEach(node -> nodes.add(node(node, views.get(node.id()))));
        JsonArray partitions = new JsonArray();
        image.partitions().values().forEach(record -> partitions.add(partition(record, views)));
        String catalogLeader = null;
        JsonObject letters = new JsonObject().put("rows", null).put("bytes", null);
        for (JsonObject view : views.values()) {
            JsonObject counted = view.getJsonObject("dead_letters");
            letters = counted == null ? letters : counted;
            String named = view.getString("catalog_leader");
            catalogLeader = named == null ? catalogLeader : named;
        }
        return new JsonObject()
                .put(
                        "cluster",
                        new JsonObject()
                                .put("id", image.clusterId())
                                .put("name", clusterName)
                                .put("epoch", image.epoch())
                                .put("catalog_leader", catalogLeader)
                                .put("catalog_version", image.version())
                                .put("replication_factor", image.replicationFactor())
                                .put("version", version))
                .put("nodes", nodes)
                .put("partitions", partitions)
                .put("dead_letters", letters);
    }

    private static JsonObject node(NodeRecord node, @Nullable JsonObject view) {
        JsonObject json = new JsonObject()
                .put("id", node.id())
                .put("host", node.host())
                .put("http_port", node.httpPort())
                .put("tls", node.tls())
                .put("up", view != null)
                .put("incarnation", node.incarnation());
        if (view != null) {
            json.put("ready", view.getBoolean("ready"))
                    .put("causes", view.getJsonArray("causes"))
                    .put("checks", view.getJsonArray("checks"))
                    .put("version", view.getString("version"))
                    .put("rows_per_second", view.getDouble("rows_per_second"));
        } else {
            json.put("ready", false)
                    .put("causes", new JsonArray().add("does not answer"))
                    .put("checks", new JsonArray())
                    .put("rows_per_second", 0.0);
        }
        return json;
    }

    private static JsonObject partition(PartitionRecord record, Map<String, JsonObject> views) {
        JsonArray slots = new JsonArray();
        for (SlotRange range : record.slots()) {
            slots.add(new JsonArray().add(range.from()).add(range.to()));
        }
        List<JsonObject> held = new ArrayList<>();
        JsonObject leader = leader(record.id(), views);
        for (String id : record.replicas()) {
            JsonObject replica = replicaOf(views.get(id), record.id());
            held.add((replica == null ? new JsonObject().put("phase", "unreachable") : replica).put("node", id));
        }
        long head = 0;
        for (JsonObject replica : held) {
            head = Math.max(head, replica.getLong("committed", 0L));
        }
        JsonArray replicas = new JsonArray();
        for (JsonObject replica : held) {
            replicas.add(new JsonObject()
                    .put("node", replica.getString("node"))
                    .put("role", replica.getString("role"))
                    .put("applied", replica.getLong("applied"))
                    .put("lag", replica.getLong("applied") == null ? null : head - replica.getLong("applied"))
                    .put("phase", replica.getString("phase"))
                    .put("leader_changes", replica.getLong("leader_changes"))
                    .put("snapshot_installs", replica.getLong("snapshot_installs")));
        }
        JsonObject numbers = leader != null ? leader : freshest(held);
        return new JsonObject()
                .put("partition", record.id())
                .put("generation", record.generation())
                .put("slots", slots)
                .put("leader", leader == null ? null : leader.getString("node"))
                .put("replicas", replicas)
                .put("next_seq", numbers.getLong("next_seq"))
                .put("oldest_seq", numbers.getLong("oldest_seq"))
                .put("rows", numbers.getLong("rows"))
                .put("series", numbers.getLong("series"))
                .put("bytes", numbers.getLong("bytes"))
                .put("rows_per_second", numbers.getDouble("rows_per_second"))
                .put("buffered_bytes", numbers.getLong("buffered_bytes"))
                .put("flush_lag_seconds", numbers.getDouble("flush_lag_seconds"))
                .put("flush_failure", leader == null ? null : leader.getString("flush_failure"));
    }

    private static JsonObject freshest(List<JsonObject> held) {
        JsonObject best = new JsonObject();
        for (JsonObject replica : held) {
            if (replica.getLong("applied", -1L) > best.getLong("applied", -1L)) {
                best = replica;
            }
        }
        return best;
    }

    /** Of those that think they lead, the one of the newest term; while a partition moves it may be none that the map names. */
    private static @Nullable JsonObject leader(int partition, Map<String, JsonObject> views) {
        JsonObject leader = null;
        for (Map.Entry<String, JsonObject> view : views.entrySet()) {
            JsonObject replica = replicaOf(view.getValue(), partition);
            if (replica != null
                    && replica.getBoolean("leads", false)
                    && (leader == null || leader.getLong("term") < replica.getLong("term"))) {
                leader = replica.put("node", view.getKey());
            }
        }
        return leader;
    }

    private static @Nullable JsonObject replicaOf(@Nullable JsonObject view, int partition) {
        if (view == null) {
            return null;
        }
        for (Object each : view.getJsonArray("replicas")) {
            JsonObject replica = (JsonObject) each;
            if (replica.getInteger("partition") == partition) {
                return replica;
            }
        }
        return null;
    }
}
