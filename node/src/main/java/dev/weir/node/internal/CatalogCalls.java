package dev.weir.node.internal;

import dev.weir.partition.catalog.CatalogForwarder;
import dev.weir.partition.catalog.NodeRecord;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Carries proposals to the catalog's leader at another node. */
public final class CatalogCalls implements CatalogForwarder {
    /** Path of the call below {@code /internal/v1}. */
    public static final String PROPOSE = "/catalog/propose";

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(4);

    private final PeerClient peers;
    private final Function<String, Optional<NodeRecord>> nodes;

    /** @param nodes finds a node by id, in the catalog or among the initial members */
    public CatalogCalls(PeerClient peers, Function<String, Optional<NodeRecord>> nodes) {
        this.peers = peers;
        this.nodes = nodes;
    }

    @Override
    public CompletionStage<byte[]> forward(String nodeId, byte[] proposal) {
        NodeRecord node = nodes.apply(nodeId).orElse(null);
        if (node == null) {
            return CompletableFuture.failedFuture(new IllegalStateException("node " + nodeId + " is not known"));
        }
        return peers.post(node, PROPOSE, Buffer.buffer(proposal), CALL_TIMEOUT).thenApply(Buffer::getBytes);
    }
}
