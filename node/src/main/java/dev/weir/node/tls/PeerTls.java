package dev.weir.node.tls;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.ClientSSLOptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the HTTP clients that ask other nodes. Each request says whether the node's port speaks TLS; a certificate must be of one whom this node trusts, and name the host that was asked.
 * Any thread.
 */
public final class PeerTls {
    private static final Logger LOG = LoggerFactory.getLogger(PeerTls.class);
    /** Nodes whose last failure is remembered, so that it is said once. */
    private static final int NODES_MAX = 1_000;

    private final Vertx vertx;
    private final Counter failures;
    private final List<HttpClientAgent> clients = new CopyOnWriteArrayList<>();
    private final Map<String, String> told = new ConcurrentHashMap<>();
    private volatile ClientSSLOptions options;

    PeerTls(Vertx vertx, ClientSSLOptions options, MeterRegistry metrics) {
        this.vertx = vertx;
        this.options = options;
        this.failures = Counter.builder("weir.http.tls.peer.failures")
                .description("connections to other nodes that came to no TLS")
                .register(metrics);
    }

    /** Without files: takes any certificate. */
    public static PeerTls unchecked(Vertx vertx, MeterRegistry metrics) {
        return new PeerTls(vertx, TrustedCertificates.any(), metrics);
    }

    /** A client of whoever closes it. */
    public synchronized HttpClientAgent client(HttpClientOptions clientOptions, PoolOptions pool) {
        HttpClientAgent client = vertx.createHttpClient(clientOptions, pool);
        client.updateSSLOptions(options);
        clients.add(client);
        return client;
    }

    /** Connections from now on; those that are open go on. */
    synchronized void trust(ClientSSLOptions newOptions) {
        options = newOptions;
        told.clear();
        clients.forEach(client -> client.updateSSLOptions(newOptions));
    }

    /**
     * Why a connection could not be made, in words. What is wrong with TLS is wrong until a person mends it, so it is also logged, once for each node and reason.
     *
     * @param where the node's address
     */
    public String reason(String where, Throwable failure) {
        SSLException tls = tlsFailure(failure);
        if (tls == null) {
            return String.valueOf(failure.getMessage());
        }
        failures.increment();
        String reason = "no TLS with it: " + deepest(tls) + " (http.tls.ca names whom this node trusts)";
        if (told.size() < NODES_MAX && !reason.equals(told.put(where, reason))) {
            LOG.warn("node at {}: {}", where, reason);
        }
        return reason;
    }

    private static @Nullable SSLException tlsFailure(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException tls) {
                return tls;
            }
        }
        return null;
    }

    private static String deepest(Throwable failure) {
        Throwable last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return String.valueOf(last.getMessage());
    }
}
