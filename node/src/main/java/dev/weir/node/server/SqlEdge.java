package dev.weir.node.server;

import dev.weir.node.config.NodeConfig;
import dev.weir.node.internal.InternalRoutes;
import dev.weir.node.internal.NoticeCalls;
import dev.weir.node.internal.PeerAuth;
import dev.weir.node.internal.PeerClient;
import dev.weir.node.internal.QueryCalls;
import dev.weir.node.internal.RouteMessages;
import dev.weir.node.internal.StatementPasser;
import dev.weir.node.route.NoticeRounds;
import dev.weir.node.route.OwnNotice;
import dev.weir.node.sql.AllQueries;
import dev.weir.node.tls.PeerTls;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.query.sql.SqlRoutes;
import dev.weir.query.sql.route.Routes;
import dev.weir.query.sql.run.LocalQueries;
import dev.weir.query.sql.run.SqlEngine;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** {@code /api/v1/sql}, the statements that other nodes give to this one, and what they ask of those that run here. */
final class SqlEdge implements AutoCloseable {
    /** A statement ends by itself at its time limit; its node may need a moment to say so. */
    private static final Duration ANSWER_GRACE = Duration.ofSeconds(5);

    private final StatementPasser passer;
    private final NoticeRounds rounds;

    private SqlEdge(StatementPasser passer, NoticeRounds rounds) {
        this.passer = passer;
        this.rounds = rounds;
    }

    /** What it is mounted on. */
    record Ports(
            String self,
            NodeConfig config,
            Vertx vertx,
            Router router,
            InternalRoutes internal,
            PeerTls tls,
            PeerAuth auth,
            PeerClient peers,
            MeterRegistry metrics) {}

    /** @param nodes finds a node by its id */
    static SqlEdge mount(
            Ports ports, SqlEngine sql, Function<String, Optional<NodeRecord>> nodes, OwnNotice.Sources sources) {
        Routes routes = new Routes(ports.self(), ports.config().sql().routing(), sql.queries()::size);
        StatementPasser passer = new StatementPasser(
                ports.vertx(),
                ports.tls(),
                routes,
                nodes,
                ports.auth(),
                sql.config().timeout().plus(ANSWER_GRACE),
                ports.metrics());
        SqlRoutes statements = new SqlRoutes(sql, new SqlAccess(), passer);
        statements.mount(ports.router());
        OwnNotice notice = new OwnNotice(ports.self(), sql.config().concurrentMax(), sql.queries()::size, sources);
        ports.internal().stream(
                RouteMessages.STATEMENT,
                (context, body) -> statements.answerRouted(context, RouteMessages.decodeStatement(body)));
        ports.internal()
                .on(
                        RouteMessages.NOTICE,
                        body -> CompletableFuture.completedFuture(RouteMessages.encode(notice.notice())));
        NoticeRounds rounds = new NoticeRounds(
                ports.self(),
                () -> sources.catalog().get().nodes().values(),
                notice,
                new NoticeCalls(ports.peers()),
                routes);
        rounds.start();
        return new SqlEdge(passer, rounds);
    }

    /** Answers what other nodes ask of the statements here; gives the view over all. */
    static AllQueries mountQueries(
            InternalRoutes internal, String self, Catalog catalog, PeerClient peers, LocalQueries here) {
        internal.on(
                QueryCalls.RUNNING,
                body -> here.running(QueryCalls.decodeTenant(body)).thenApply(QueryCalls::encode));
        internal.on(QueryCalls.KILL, body -> {
            QueryCalls.Named query = QueryCalls.decodeNamed(body);
            return here.kill(query.tenant(), query.id())
                    .thenApply(outcome -> QueryCalls.encodeKilled(outcome.killed()));
        });
        return new AllQueries(self, () -> catalog.image().nodes().values(), new QueryCalls(peers), here);
    }

    @Override
    public void close() {
        rounds.close();
        passer.close();
    }
}
