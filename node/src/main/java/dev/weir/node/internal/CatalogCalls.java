package dev.weir.node.internal;

import dev.weir.node.cluster.JoinClient;
import dev.weir.partition.catalog.CatalogForwarder;
import dev.weir.partition.catalog.CatalogSnapshotSource;
import dev.weir.partition.catalog.NodeRecord;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** What a node asks others about the catalog: to take a proposal, to send a snapshot, to let it join. Any thread. */
public final class CatalogCalls implements CatalogForwarder, CatalogSnapshotSource, JoinClient {
    /** Paths below {@code /internal/v1}. */
    public static final String PROPOSE = "/catalog/propose";

    public static final String SNAPSHOT = "/catalog/snapshot";
    public static final String JOIN = "/join";

    private static final Duration PROPOSE_TIMEOUT = Duration.ofSeconds(4);
    private static final Duration SNAPSHOT_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(3);

    private final PeerClient peers;
    private volatile Function<String, Optional<NodeRecord>> nodes = id -> Optional.empty();

    public CatalogCalls(PeerClient peers) {
        this.peers = peers;
    }

    /** How to find a node by its id; before this is said, no node is found. */
    public void locate(Function<String, Optional<NodeRecord>> finder) {
        nodes = finder;
    }

    @Override
    public CompletionStage<byte[]> forward(String nodeId, byte[] proposal) {
        return post(nodeId, PROPOSE, Buffer.buffer(proposal), PROPOSE_TIMEOUT);
    }

    @Override
    public CompletionStage<byte[]> fetch(String nodeId) {
        return post(nodeId, SNAPSHOT, Buffer.buffer(), SNAPSHOT_TIMEOUT);
    }

    @Override
    public CompletionStage<byte[]> ask(String httpUrl, byte[] request) {
        return peers.post(httpUrl, JOIN, Buffer.buffer(request), JOIN_TIMEOUT).thenApply(Buffer::getBytes);
    }

    private CompletionStage<byte[]> post(String nodeId, String path, Buffer body, Duration timeout) {
        NodeRecord node = nodes.apply(nodeId).orElse(null);
        if (node == null) {
            return CompletableFuture.failedFuture(new IllegalStateException("node " + nodeId + " is not known"));
        }
        return peers.post(node, path, body, timeout).thenApply(Buffer::getBytes);
    }
}
