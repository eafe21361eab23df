package dev.weir.node.internal;

import dev.weir.node.tls.PeerTls;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.query.sql.route.RoutedStatement;
import dev.weir.query.sql.route.Routes;
import dev.weir.query.sql.route.StatementRouter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Gives statements to other nodes and their answers to clients. Its connections are its own: answers that slow clients hold up take none from writes.
 * Called on event loops.
 */
public final class StatementPasser implements StatementRouter, AutoCloseable {
    /** Answers under way from one node; more are made here. */
    private static final int CONNECTIONS_PER_NODE = 64;

    private final Vertx vertx;
    private final PeerTls tls;
    private final Routes routes;
    private final Function<String, Optional<NodeRecord>> nodes;
    private final PeerAuth auth;
    private final Duration silenceMax;
    private final HttpClient client;
    private final Counter passed;
    private final Counter retried;

    /**
     * @param nodes finds a node by its id
     * @param silenceMax how long a node may send nothing before it counts as dead: longer than any statement takes
     */
    public StatementPasser(
            Vertx vertx,
            PeerTls tls,
            Routes routes,
            Function<String, Optional<NodeRecord>> nodes,
            PeerAuth auth,
            Duration silenceMax,
            MeterRegistry meters) {
        this.vertx = vertx;
        this.tls = tls;
        this.routes = routes;
        this.nodes = nodes;
        this.auth = auth;
        this.silenceMax = silenceMax;
        this.client = tls.client(
                new HttpClientOptions().setTcpNoDelay(true).setKeepAlive(true).setKeepAliveTimeout(30),
                new PoolOptions().setHttp1MaxSize(CONNECTIONS_PER_NODE).setMaxWaitQueueSize(CONNECTIONS_PER_NODE));
        this.passed = Counter.builder("weir_sql_routed")
                .description("statements of this node's clients that another node was asked to answer")
                .register(meters);
        this.retried = Counter.builder("weir_sql_routed_retries")
                .description("of those, answered here after all, since the other node did not take them")
                .register(meters);
        Gauge.builder("weir_sql_routed_waiting", routes, Routes::sent)
                .description("of those, under way now")
                .strongReference(true)
                .register(meters);
    }

    @Override
    public Optional<String> target(String tenant) {
        return routes.target(tenant, System.nanoTime())
                .filter(node -> nodes.apply(node).isPresent());
    }

    @Override
    public void send(String node, RoutedStatement statement, HttpServerResponse response, Runnable otherwise) {
        NodeRecord record = nodes.apply(node).orElse(null);
        if (record == null) {
            otherwise.run();
            return;
        }
        passed.increment();
        routes.begin(node);
        PassedStatement passing = new PassedStatement(vertx, response, new PassedStatement.End() {
            @Override
            public void answered() {
                routes.end(node);
            }

            @Override
            public void notTaken(boolean distrust) {
                routes.end(node);
                if (distrust) {
                    routes.distrust(node);
                }
                retried.increment();
                otherwise.run();
            }
        });
        Future<HttpClientRequest> connecting = client.request(options(record))
                .onFailure(failure -> tls.reason(record.host() + ":" + record.httpPort(), failure));
        passing.begin(connecting, RouteMessages.encode(statement));
    }

    private RequestOptions options(NodeRecord node) {
        return new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setSsl(node.tls())
                .setHost(node.host())
                .setPort(node.httpPort())
                .setURI("/internal/v1" + RouteMessages.STATEMENT)
                .putHeader(PeerAuth.CLUSTER_HEADER, auth.cluster())
                .putHeader(PeerAuth.PROOF_HEADER, auth.proof())
                .setConnectTimeout(PassedStatement.TAKEN_MS_MAX)
                .setIdleTimeout(silenceMax.toMillis());
    }

    @Override
    public void close() {
        client.close();
    }
}
