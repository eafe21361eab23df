package dev.weir.node.server;

import dev.weir.cdc.CdcRoutes;
import dev.weir.cdc.FlightPort;
import dev.weir.cdc.HistorySource;
import dev.weir.cdc.SubscriptionRoutes;
import dev.weir.node.auth.Tickets;
import dev.weir.node.config.NodeConfig;
import dev.weir.node.tls.HttpTls;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.Scope;
import dev.weir.partition.engine.History;
import dev.weir.partition.feed.FeedDirectory;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/** {@code /api/v1/cdc}: the change stream, its subscriptions, and the tickets that open it; and the port of Arrow Flight. */
final class StreamEdge implements AutoCloseable {
    private static final long CLOSE_MS_MAX = 5_000;

    private final CdcRoutes streams;
    private final SubscriptionRoutes subscriptions;
    private final Optional<FlightPort> flight;
    private final Duration spread;

    private StreamEdge(
            CdcRoutes streams, SubscriptionRoutes subscriptions, Optional<FlightPort> flight, Duration spread) {
        this.streams = streams;
        this.subscriptions = subscriptions;
        this.flight = flight;
        this.spread = spread;
    }

    /**
     * What it is mounted on.
     *
     * @param tls what the port of HTTP speaks the one of Flight does
     * @param leadsCatalog this node looks after groups of subscriptions: one of the cluster does
     */
    record Ports(
            String self,
            NodeConfig config,
            Router router,
            HttpTls tls,
            Access access,
            Tickets tickets,
            Catalog catalog,
            BooleanSupplier leadsCatalog,
            MeterRegistry metrics) {}

    /** @param hasSpace a partition's replicas have room for more of its log than the retention keeps */
    static StreamEdge mount(Ports ports, FeedDirectory feeds, History history, IntPredicate hasSpace)
            throws IOException {
        NodeConfig config = ports.config();
        CdcRoutes streams = new CdcRoutes(
                feeds,
                ports.catalog(),
                StreamAccess.callers(ports.access()),
                ModuleConfigs.cdc(config),
                new HistorySource(history, ModuleConfigs.history(config)),
                ports.metrics());
        ports.router().route("/api/v1/cdc/*").handler(new StreamAccess(ports.access(), ports.tickets()));
        streams.mount(ports.router());
        SubscriptionRoutes subscriptions = new SubscriptionRoutes(
                ports.self(),
                streams,
                ports.catalog(),
                context -> Access.caller(context).tenant(),
                ports.leadsCatalog(),
                ModuleConfigs.subscriptions(config, hasSpace),
                ports.metrics());
        subscriptions.mount(ports.router());
        new TicketRoute(ports.tickets(), streams::fault).mount(ports.router());
        Optional<FlightPort> flight =
                config.flight().enabled() ? Optional.of(flight(ports, streams)) : Optional.empty();
        return new StreamEdge(streams, subscriptions, flight, config.cdc().stopSpread());
    }

    private static FlightPort flight(Ports ports, CdcRoutes streams) throws IOException {
        NodeConfig config = ports.config();
        return FlightPort.open(
                new FlightPort.Address(
                        config.http().host(),
                        config.flight().port(),
                        ports.tls().keys()),
                streams,
                ports.catalog(),
                authorization ->
                        ports.access().check(Scope.CDC, authorization, null).tenant());
    }

    @Override
    public void close() throws Exception {
        try {
            streams.close(spread).toCompletableFuture().get(spread.toMillis() + CLOSE_MS_MAX, TimeUnit.MILLISECONDS);
        } finally {
            flight.ifPresent(FlightPort::close);
            subscriptions.close();
        }
    }
}
