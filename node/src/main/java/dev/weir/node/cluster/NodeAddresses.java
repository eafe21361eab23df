package dev.weir.node.cluster;

import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.NodeRecord;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Where nodes are reached: by the catalog's local image, and for those that it does not have (yet) by what configuration or other nodes
 * have said. Any thread.
 */
public final class NodeAddresses {
    private final Supplier<CatalogImage> images;
    private final Map<String, NodeRecord> heard = new ConcurrentHashMap<>();

    public NodeAddresses(Supplier<CatalogImage> images) {
        this.images = images;
    }

    public Optional<NodeRecord> find(String nodeId) {
        NodeRecord agreed = images.get().nodes().get(nodeId);
        return Optional.ofNullable(agreed != null ? agreed : heard.get(nodeId));
    }

    /** Every node that is known here in any way. */
    public Collection<NodeRecord> all() {
        Map<String, NodeRecord> all = new LinkedHashMap<>(heard);
        all.putAll(images.get().nodes());
        return all.values();
    }

    /** Nodes that were heard of; what the catalog says wins. */
    public void learn(Collection<NodeRecord> nodes) {
        nodes.forEach(node -> heard.put(node.id(), node));
    }
}
