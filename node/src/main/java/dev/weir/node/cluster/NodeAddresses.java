package dev.weir.node.cluster;

import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.wal.LogPeer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Where nodes are reached. In this order: what a node has said of itself since its last start that the catalog knows of; what the catalog's
 * local image says; what configuration or other nodes have said. Any thread.
 */
public final class NodeAddresses {
    private final Supplier<CatalogImage> images;
    private final Map<String, NodeRecord> said = new ConcurrentHashMap<>();
    private final Map<String, NodeRecord> heard = new ConcurrentHashMap<>();
    private volatile Consumer<LogPeer> locator = peer -> {};

    public NodeAddresses(Supplier<CatalogImage> images) {
        this.images = images;
    }

    /** Tells the log's host where nodes are, now and whenever that changes here; call {@link #changed} with each new image. */
    public void tell(Consumer<LogPeer> logHost) {
        locator = logHost;
        changed();
    }

    /** The catalog has a new image. Cheap; may be called from its apply thread. */
    public void changed() {
        all().forEach(node -> locator.accept(new LogPeer(node.id(), node.raftAddress())));
    }

    public Optional<NodeRecord> find(String nodeId) {
        NodeRecord agreed = images.get().nodes().get(nodeId);
        NodeRecord own = said.get(nodeId);
        if (own != null && (agreed == null || agreed.incarnation() <= own.incarnation())) {
            return Optional.of(own);
        }
        return Optional.ofNullable(agreed != null ? agreed : heard.get(nodeId));
    }

    /** Every node that is known here in any way. */
    public Collection<NodeRecord> all() {
        Map<String, NodeRecord> all = new LinkedHashMap<>(heard);
        all.putAll(said);
        all.putAll(images.get().nodes());
        all.replaceAll((id, node) -> find(id).orElse(node));
        return all.values();
    }

    /** Nodes that were heard of; what the catalog says wins. */
    void learn(Collection<NodeRecord> nodes) {
        nodes.forEach(node -> heard.put(node.id(), node));
        changed();
    }

    /** A node has said where it is: newer than what the catalog says, until the catalog knows of a later start. */
    void said(NodeRecord node) {
        NodeRecord agreed = images.get().nodes().get(node.id());
        long incarnation = agreed == null ? 0 : agreed.incarnation();
        said.put(node.id(), node.withIncarnation(incarnation));
        changed();
    }
}
