package dev.weir.ops.client;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What {@code GET /api/v1/admin/status} says: the cluster, its nodes, its partitions. Names that are unknown here are passed over. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ClusterStatus(Cluster cluster, List<Node> nodes, List<Partition> partitions, DeadLetters deadLetters) {
    private static final ObjectReader READER =
            Json.MAPPER.readerFor(ClusterStatus.class).without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    public ClusterStatus {
        cluster = cluster == null ? new Cluster("", "", 0, "", 0, 0, "") : cluster;
        nodes = nodes == null ? List.of() : List.copyOf(nodes);
        partitions = partitions == null ? List.of() : List.copyOf(partitions);
        deadLetters = deadLetters == null ? new DeadLetters(null, null) : deadLetters;
    }

    /** Refused rows of all tenants; null where nobody has counted them yet. */
    public record DeadLetters(@Nullable Long rows, @Nullable Long bytes) {}

    /** What all nodes agree on. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Cluster(
            String id,
            String name,
            long epoch,
            String catalogLeader,
            long catalogVersion,
            int replicationFactor,
            String version) {}

    /** One node. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Node(
            String id,
            String host,
            int httpPort,
            boolean up,
            boolean ready,
            long incarnation,
            double rowsPerSecond,
            List<Check> checks) {
        public Node {
            checks = checks == null ? List.of() : List.copyOf(checks);
        }
    }

    /** Something of a node that is not as it should be while it serves. */
    public record Check(String name, String message) {}

    /** One partition: its slots as ranges, who leads it, who holds it. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Partition(
            int partition,
            long generation,
            List<List<Integer>> slots,
            String leader,
            List<Replica> replicas,
            long nextSeq,
            long oldestSeq,
            long rows,
            long bytes,
            double rowsPerSecond) {
        public Partition {
            slots = slots == null ? List.of() : slots;
            replicas = replicas == null ? List.of() : replicas;
        }
    }

    /**
     * One copy of a partition.
     *
     * @param lag log entries that the leader has committed and this copy has not applied
     */
    public record Replica(String node, String role, long applied, long lag, String phase) {}

    public static ClusterStatus read(ClusterClient client) {
        String body = client.call(
                        "GET",
                        "/api/v1/admin/status",
                        java.net.http.HttpRequest.BodyPublishers.noBody(),
                        java.util.Map.of())
                .orFail()
                .body();
        return parse(body);
    }

    public static ClusterStatus parse(String body) {
        try {
            return READER.readValue(body);
        } catch (IOException e) {
            throw CommandFailedException.refused("expected the status of a cluster as JSON, found: " + e.getMessage());
        }
    }

    public Optional<Partition> partition(int id) {
        return partitions.stream().filter(p -> p.partition() == id).findFirst();
    }
}
