package dev.weir.node.internal;

import dev.weir.node.internal.ImageMessages.Asked;
import dev.weir.node.internal.ImageMessages.Part;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.read.Consistency;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Brings images of partitions to this node, by one message to each node that is thought to lead any of them. A partition that a node does not give is
 * asked for alone, as {@link ReadRouter} does, until its leader answers or the deadline has passed. Any thread.
 */
public final class ImageRouter {
    /** Below {@code /internal/v1}. */
    public static final String IMAGES = "/images";

    private final String self;
    private final Catalog catalog;
    private final ImageDesk desk;
    private final LeaderTable leaders;
    private final PeerClient peers;
    private final ReadRouter reads;
    private final Duration patience;

    /**
     * @param reads asks for a partition alone
     * @param patience with one node, before its partitions are asked for alone
     */
    public ImageRouter(
            String self,
            Catalog catalog,
            ImageDesk desk,
            LeaderTable leaders,
            PeerClient peers,
            ReadRouter reads,
            Duration patience) {
        this.self = self;
        this.catalog = catalog;
        this.desk = desk;
        this.leaders = leaders;
        this.peers = peers;
        this.reads = reads;
        this.patience = patience;
    }

    /** Tables of each partition, each of one cut: at its leader as of now, or of any replica; in the order of the partitions. */
    public Map<Integer, CompletableFuture<PartitionTables>> images(
            Collection<Integer> partitions, ImageQuery query, Consistency consistency) {
        CatalogImage image = catalog.image();
        Map<Integer, CompletableFuture<PartitionTables>> results = new TreeMap<>();
        Map<String, List<Integer>> byNode = new TreeMap<>();
        for (int partition : partitions) {
            results.put(partition, new CompletableFuture<>());
            byNode.computeIfAbsent(target(image, partition, consistency), node -> new ArrayList<>())
                    .add(partition);
        }
        byNode.forEach((node, asked) -> {
            Question question = new Question(new Asked(consistency, asked, query), node, results);
            NodeRecord record = image.nodes().get(node);
            if (node.equals(self)) {
                question.here();
            } else if (record == null) {
                question.alone(asked);
            } else {
                question.there(record);
            }
        });
        return results;
    }

    /** Empty where the partition is not in the map. */
    private String target(CatalogImage image, int partition, Consistency consistency) {
        PartitionRecord record = image.partitions().get(partition);
        if (record == null || record.replicas().isEmpty()) {
            return "";
        }
        boolean near = consistency == Consistency.ANY && record.replicas().contains(self);
        return near ? self : leaders.target(record, 0);
    }

    /** Some partitions at one node. */
    private final class Question {
        private final Asked asked;
        private final String node;
        private final Map<Integer, CompletableFuture<PartitionTables>> results;

        Question(Asked asked, String node, Map<Integer, CompletableFuture<PartitionTables>> results) {
            this.asked = asked;
            this.node = node;
            this.results = results;
        }

        void here() {
            for (int partition : asked.partitions()) {
                desk.take(partition, asked.query(), asked.consistency()).thenAccept(this::settle);
            }
        }

        void there(NodeRecord record) {
            Buffer message = ImageMessages.encode(asked);
            peers.post(record, IMAGES, message, patience)
                    .thenApply(ImageMessages::decodeParts)
                    .whenComplete((parts, failure) -> {
                        if (failure == null) {
                            parts.forEach(this::settle);
                            alone(unsettled(parts));
                        } else {
                            asked.partitions().forEach(partition -> leaders.unlearn(partition, node));
                            alone(asked.partitions());
                        }
                    });
        }

        /** What the node has not spoken of: the rest did not fit in one message. */
        private List<Integer> unsettled(List<Part> parts) {
            List<Integer> left = new ArrayList<>(asked.partitions());
            parts.forEach(part -> left.removeIf(partition -> partition == part.partition()));
            return left;
        }

        private void settle(Part part) {
            CompletableFuture<PartitionTables> result = results.get(part.partition());
            if (result == null) {
                return;
            }
            switch (part) {
                case Part.Taken taken -> {
                    if (asked.consistency() == Consistency.LEADER && !node.equals(self)) {
                        leaders.learn(part.partition(), node);
                    }
                    result.complete(taken.tables());
                }
                case Part.Refused refused -> {
                    leaders.unlearn(part.partition(), node);
                    leaders.learn(part.partition(), refused.refusal().leader());
                    Refusal refusal = refused.refusal().refusal();
                    if (refusal.code().status() == 503) {
                        alone(List.of(part.partition()));
                    } else {
                        result.completeExceptionally(new RefusedException(refusal));
                    }
                }
            }
        }

        void alone(List<Integer> partitions) {
            for (int partition : partitions) {
                CompletableFuture<PartitionTables> result = results.get(partition);
                if (result == null || result.isDone()) {
                    continue;
                }
                reads.image(partition, asked.query(), asked.consistency()).whenComplete((tables, failure) -> {
                    if (failure == null) {
                        result.complete(tables);
                    } else {
                        result.completeExceptionally(failure);
                    }
                });
            }
        }
    }
}
