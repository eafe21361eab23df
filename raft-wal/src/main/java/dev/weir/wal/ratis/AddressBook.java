package dev.weir.wal.ratis;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where this node reaches others: node id → {@code host:port}. What a caller says replaces what a stored configuration says.
 *
 * <p>Threading: any thread.
 */
final class AddressBook {
    private final Map<String, String> addresses = new ConcurrentHashMap<>();
    private final CopyOnWriteArrayList<Consumer<String>> watchers = new CopyOnWriteArrayList<>();

    /** A caller says where a node is now. */
    void say(String nodeId, String address) {
        String previous = addresses.put(nodeId, address);
        if (!address.equals(previous)) {
            watchers.forEach(watcher -> watcher.accept(nodeId));
        }
    }

    /** A configuration says where a node was; believed only if nothing better is known. */
    void hint(String nodeId, String address) {
        addresses.putIfAbsent(nodeId, address);
    }

    String address(String nodeId, String otherwise) {
        return addresses.getOrDefault(nodeId, otherwise);
    }

    @Nullable
    String address(String nodeId) {
        return addresses.get(nodeId);
    }

    /** The watcher is told ids of nodes whose address has changed. */
    void watch(Consumer<String> watcher) {
        watchers.add(watcher);
    }

    void unwatch(Consumer<String> watcher) {
        watchers.remove(watcher);
    }
}
