package dev.weir.node.cluster;

import java.util.concurrent.CompletionStage;

/** Asks a node by its HTTP address, before this node knows the cluster. */
@FunctionalInterface
public interface JoinClient {
    /**
     * Hands the bytes to {@link JoinDesk#answer} there. Must end within a few seconds; any failure means that the node was not reached.
     *
     * @param httpUrl {@code http://host:port} or {@code https://host:port}
     */
    CompletionStage<byte[]> ask(String httpUrl, byte[] request);
}
