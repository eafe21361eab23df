package dev.weir.node.cluster;

import dev.weir.partition.catalog.NodeRecord;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Nodes that have asked to be added to the catalog's group and are not in the catalog yet. A node asks again until it is in, so this may be
 * lost at any time. Any thread.
 */
public final class Joiners {
    private static final int NODES_MAX = 100;

    private final Map<String, NodeRecord> waiting = new ConcurrentHashMap<>();
    private volatile Runnable listener = () -> {};

    /** Calls back when a node asks; the callback only signals. */
    void onChange(Runnable callback) {
        listener = callback;
    }

    void add(NodeRecord node) {
        if (waiting.size() < NODES_MAX || waiting.containsKey(node.id())) {
            waiting.put(node.id(), node);
            listener.run();
        }
    }

    void remove(Collection<String> nodeIds) {
        waiting.keySet().removeAll(nodeIds);
    }

    List<NodeRecord> waiting() {
        return List.copyOf(waiting.values());
    }
}
