package dev.weir.ops.local;

import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.Trust;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Asks a node how it is. One whose settings say TLS may have been started before they did: it is asked without, too. */
final class NodeProbe implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    /** The first handshake of a JVM takes seconds where a machine is busy. */
    private static final Duration HANDSHAKE_PATIENCE = Duration.ofSeconds(10);

    private final List<ClusterClient> clients;

    private NodeProbe(List<ClusterClient> clients) {
        this.clients = clients;
    }

    static NodeProbe of(LocalNode node, Trust trust) {
        Stream<URI> urls =
                node.tls() ? Stream.of(node.url(), node.withTls(false).url()) : Stream.of(node.url());
        Duration patience = node.tls() ? HANDSHAKE_PATIENCE : PATIENCE;
        return new NodeProbe(urls.map(url -> new ClusterClient(List.of(url), Optional.empty(), patience, trust))
                .toList());
    }

    Health ask() {
        Health first = Health.ask(clients.getFirst());
        if (first.url().isPresent() || clients.size() == 1) {
            return first;
        }
        Health second = Health.ask(clients.getLast());
        return second.url().isPresent() ? second : first;
    }

    @Override
    public void close() {
        clients.forEach(ClusterClient::close);
    }
}
