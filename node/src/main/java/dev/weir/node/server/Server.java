package dev.weir.node.server;

import dev.weir.cdc.CdcRoutes;
import dev.weir.node.auth.Authenticator;
import dev.weir.node.auth.Caller;
import dev.weir.node.auth.Tickets;
import dev.weir.node.cluster.Boot;
import dev.weir.node.cluster.BootParts;
import dev.weir.node.cluster.Booted;
import dev.weir.node.cluster.Controller;
import dev.weir.node.cluster.GroupAdmin;
import dev.weir.node.cluster.Identity;
import dev.weir.node.cluster.JoinDesk;
import dev.weir.node.cluster.Joiners;
import dev.weir.node.cluster.Membership;
import dev.weir.node.cluster.MembershipStarter;
import dev.weir.node.cluster.NodeAddresses;
import dev.weir.node.cluster.OperationDriver;
import dev.weir.node.config.NodeConfig;
import dev.weir.node.ingest.IngestPorts;
import dev.weir.node.ingest.IngestRoutes;
import dev.weir.node.ingest.TableDrops;
import dev.weir.node.ingest.TenantOf;
import dev.weir.node.internal.CatalogCalls;
import dev.weir.node.internal.FeedLocator;
import dev.weir.node.internal.ImageDesk;
import dev.weir.node.internal.ImageRouter;
import dev.weir.node.internal.InternalRoutes;
import dev.weir.node.internal.LeaderTable;
import dev.weir.node.internal.PeerAuth;
import dev.weir.node.internal.PeerClient;
import dev.weir.node.internal.PeerGroupAdmin;
import dev.weir.node.internal.PulseCalls;
import dev.weir.node.internal.ReadRouter;
import dev.weir.node.internal.ReplicaTransfers;
import dev.weir.node.internal.SeriesCountCalls;
import dev.weir.node.internal.TableSizeCalls;
import dev.weir.node.internal.WriteRouter;
import dev.weir.node.lead.HeldLog;
import dev.weir.node.lead.LeadKeeper;
import dev.weir.node.letters.LetterBounds;
import dev.weir.node.letters.Letters;
import dev.weir.node.publish.PublishMeters;
import dev.weir.node.publish.Publisher;
import dev.weir.node.quota.TenantSeriesCensus;
import dev.weir.node.route.OwnNotice;
import dev.weir.node.sql.AllTables;
import dev.weir.node.sql.NodeStatements;
import dev.weir.node.tls.HttpTls;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.CatalogState;
import dev.weir.partition.catalog.GroupCatalog;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.catalog.Scope;
import dev.weir.partition.engine.BufferBudget;
import dev.weir.query.ReadConfig;
import dev.weir.query.ReadRoutes;
import dev.weir.query.sql.run.LocalQueries;
import dev.weir.query.sql.run.SqlEngine;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogHost;
import dev.weir.wal.LogStatus;
import dev.weir.wal.ratis.FaultHandler;
import dev.weir.wal.ratis.RatisLogHost;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.dns.AddressResolverOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node, put together: the one class that makes the parts of other modules. Read {@link #start} from top to bottom for the architecture.
 *
 * <p>The HTTP port opens first, so that health answers and other nodes can ask while this one starts; what needs the catalog is mounted when the
 * boot has passed its fence.
 */
public final class Server implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);
    private static final String VERSION = "0.1.0";
    private static final Duration READ_DEADLINE = Duration.ofSeconds(5);
    private static final Duration LEADER_WAIT = Duration.ofSeconds(6);
    private static final int NAMES_KEPT_SECONDS = 3;
    private static final long CLOSE_SECONDS_MAX = 10;
    private static final int REQUEST_LINE_BYTES_MAX = 16 << 10;
    private static final int HEADER_BYTES_MAX = 32 << 10;
    private static final int LAST = 1_000_000;

    private final NodeConfig config;
    private final Deque<AutoCloseable> closing = new ArrayDeque<>();
    private final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Readiness readiness = new Readiness();
    private volatile @Nullable Replicas replicas;
    private volatile @Nullable LetterBounds letters;
    private boolean closed;

    public Server(NodeConfig config) {
        this.config = config;
    }

    /** Starts the node; returns when it serves. Blocks, for as long as the cluster has no quorum. */
    public void start() throws Exception {
        long startNanos = System.nanoTime();
        Clock clock = Clock.systemUTC();
        opened(JvmMetrics.register(metrics));

        // Who this node is.
        Identity identity = opened(Identity.open(
                config.dataDir(),
                config.nodeId(),
                () -> "n-" + UUID.randomUUID().toString().substring(0, 8)));
        String self = identity.nodeId();
        NodeRecord record = new NodeRecord(
                self,
                config.advertisedHost(),
                config.http().port(),
                config.raft().port(),
                config.hazelcast().port(),
                0,
                config.http().tls().isOn());

        // Threads, and the way to other nodes.
        Vertx vertx = Vertx.vertx(new VertxOptions().setAddressResolverOptions(freshNames()));
        closing.push(
                () -> vertx.close().toCompletionStage().toCompletableFuture().get(CLOSE_SECONDS_MAX, TimeUnit.SECONDS));
        ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
        closing.push(blocking::shutdownNow);
        ExecutorService writers = Executors.newFixedThreadPool(
                Runtime.getRuntime().availableProcessors(),
                Thread.ofPlatform().name("weir-writer-", 0).daemon().factory());
        closing.push(writers::shutdownNow);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("weir-timer").daemon().factory());
        closing.push(timer::shutdownNow);
        PeerAuth peerAuth = new PeerAuth(config.cluster().name(), innerSecret());
        HttpTls tls = opened(HttpTls.open(vertx, config.http().tls(), clock, blocking, metrics));
        PeerClient peers = opened(new PeerClient(tls.peers(), peerAuth));

        // The replicated logs, and the catalog in one of them.
        RatisLogHost logs = opened(RatisLogHost.start(
                ModuleConfigs.log(config, record),
                clock,
                new LogMetrics(metrics, this::groupLabel),
                FaultHandler.halting()));
        CatalogCalls catalogCalls = new CatalogCalls(peers);
        CatalogState state = new CatalogState(catalogCalls);
        NodeAddresses addresses = new NodeAddresses(state::image);
        catalogCalls.locate(addresses::find);
        addresses.tell(logs::locate);
        GroupCatalog catalog = new GroupCatalog(
                logs,
                state,
                catalogCalls,
                timer,
                ModuleConfigs.catalog(config, self),
                () -> Optional.ofNullable(state.leadership().leader()));

        catalog.onChange(image -> addresses.changed());

        // This node's replicas, and the routes to those of others.
        TableFiles files = opened(TableFiles.open(config, blocking));
        files.meter(metrics);
        BufferBudget budget = new BufferBudget(config.storage().bufferRows(), BufferBudget.BYTES_MAX);
        HeldByLeases leases = new HeldByLeases(catalog, clock);
        long leaseLogBytes = config.cdc().leases().logBytes();
        NodeMetrics.registerLeaseLog(metrics, leaseLogBytes);
        NodeMetrics.registerOperations(metrics, catalog::image);
        Replicas held = opened(new Replicas(
                self,
                logs,
                catalog,
                new Replicas.Shared(
                        ModuleConfigs.replica(config),
                        budget,
                        ModuleConfigs.writer(config),
                        new ReplicaTransfers(catalog, peers),
                        writers,
                        blocking,
                        files.forReplicas(catalog),
                        partition -> leases.log(partition, leaseLogBytes),
                        new PartitionMetrics(metrics, ModuleConfigs.writer(config), budget))));
        replicas = held;
        readiness.holds(held::lacks);
        TenantSeriesCensus census = opened(new TenantSeriesCensus(
                self,
                config.ingest().seriesPerTenant(),
                catalog::image,
                held::seriesByTenant,
                new SeriesCountCalls(peers)));
        held.limitSeries(census);
        NodeMetrics.register(metrics, census);
        Membership membership = opened(MembershipStarter.start(config, record, addresses, catalog, metrics));
        held.onChange(addresses::changed);
        held.onChange(() -> held.led().forEach(membership::announceLeader));
        LeaderTable leaders = new LeaderTable(self, held, membership::leader);
        WriteRouter writes = new WriteRouter(
                self,
                vertx,
                catalog,
                held,
                leaders,
                peers,
                new WriteRouter.Limits(
                        LEADER_WAIT,
                        config.raft().appendTimeout(),
                        config.storage().writerBytesMax()));
        ReadRouter reads = new ReadRouter(self, vertx, catalog, held, leaders, peers, READ_DEADLINE);
        FeedLocator feeds = new FeedLocator(vertx, catalog, held, peers, reads);

        // What answers before the node is in its cluster: health, and other nodes.
        Router router = Router.router(vertx);
        router.route().order(LAST).handler(readiness::otherwise);
        router.route()
                .handler(new Cors(config.http().corsOrigins(), config.auth().enabled()));
        HealthRoutes health = new HealthRoutes(readiness::causes, metrics);
        health.mountHealth(router);
        Joiners joiners = new Joiners();
        JoinDesk desk = new JoinDesk(config.cluster().name(), logs, catalog, joiners);
        InternalRoutes internal = new InternalRoutes(vertx, router, peerAuth, held, blocking);
        internal.mount();
        internal.on(
                CatalogCalls.PROPOSE, body -> catalog.answer(body.getBytes()).thenApply(Buffer::buffer));
        internal.on(CatalogCalls.JOIN, body -> desk.answer(body.getBytes()).thenApply(Buffer::buffer));
        internal.on(
                CatalogCalls.SNAPSHOT,
                body -> CompletableFuture.supplyAsync(
                        () -> Buffer.buffer(state.newestSnapshot().orElse(new byte[0])), blocking));
        ImageDesk imageDesk = new ImageDesk(held);
        internal.on(ImageRouter.IMAGES, imageDesk::answer);
        tls.watch(listen(vertx, tls, router), HttpTls.LOOK);

        // Into the cluster; past the fence partitions may open.
        Boot boot = new Boot(
                new BootParts(identity, config.cluster(), record, logs, state, catalog, catalogCalls, desk, addresses),
                status -> {});
        readiness.boots(boot::status);
        Booted booted = boot.run();
        held.start(booted.clusterId());
        BatchCounter batches = new BatchCounter(self, booted.incarnation());
        TableDrops drops = new TableDrops(catalog, writes, batches);
        GroupAdmin groups = new PeerGroupAdmin(reads, peers, addresses::find);
        Controller controller = opened(new Controller(
                booted.catalogGroup(),
                logs,
                catalog,
                joiners,
                drop -> CompletableFuture.runAsync(() -> drops.finish(drop), blocking),
                groups));
        membership.onChange(controller::wake);
        controller.start();
        opened(new OperationDriver(catalog, groups, () -> leadsCatalog(logs, booted), clock))
                .start();
        new Leftovers(
                        self,
                        catalog,
                        held::onDisk,
                        partition -> reads.configuration(partition).thenApply(PeerGroupAdmin.Members::ids),
                        held::setAside)
                .start(timer, blocking);

        // Who leads what, and what tenants have.
        LeadKeeper leadership = opened(new LeadKeeper(
                new LeadKeeper.Node(self, clock, logs::aboveReserve, logs::farAboveReserve, logs::stalls),
                new LeadKeeper.Cluster(
                        logs,
                        () -> ledLogs(held, booted, logs),
                        () -> catalog.image().nodes().values(),
                        new PulseCalls(peers)),
                config.placement().leaderBalance()));
        NodeMetrics.register(metrics, leadership);
        internal.on(PulseCalls.PULSE, body -> CompletableFuture.completedFuture(PulseCalls.encode(leadership.pulse())));
        readiness.leads(leadership::causes);
        // Where history is moved off the disks, holds need not give way to them.
        boolean isMoved = config.storage().localBytes() > 0;
        IntPredicate hasSpace =
                partition -> logs.farAboveReserve() && replicasHaveSpace(catalog.image(), leadership, partition);
        held.hold(new SubscriptionHolds(
                catalog::image,
                config.storage().retentionBytes(),
                config.subscriptions().heldBytesMax(),
                partition -> isMoved || hasSpace.test(partition),
                metrics));
        leadership.start();
        internal.on(
                SeriesCountCalls.COUNTS,
                body -> CompletableFuture.completedFuture(SeriesCountCalls.encode(held.seriesByTenant())));
        census.start();
        Flushes flushes = opened(new Flushes(
                held::held,
                blocking,
                budget,
                new Flushes.Moves(config.storage().localBytes(), held::letGo, hasSpace),
                config.files().policy().orphanAge()));
        flushes.start();
        StoreMeters.register(metrics, flushes, new FlushLag(held::held, clock));
        OrphanList orphans = new OrphanList(held::held);
        StoreMeters.register(metrics, orphans);
        internal.on(
                OrphanRoute.ORPHANS,
                body -> CompletableFuture.completedFuture(orphans.json().toBuffer()));
        new TableRetention(
                        held::held,
                        catalog,
                        batches,
                        config.files().retention(),
                        clock,
                        () -> leadership.causes().isEmpty(),
                        blocking)
                .start(timer);
        Publisher publisher = opened(files.publisher(() -> leadsCatalog(logs, booted), catalog, reads));
        publisher.start();
        PublishMeters.register(metrics, publisher);
        NodeChecks checks = new NodeChecks(files, held::held, leadership, publisher, tls);

        // The edges.
        Authenticator authenticator = new Authenticator(config.auth().adminToken(), catalog::image);
        Access access = new Access(authenticator, catalog, metrics);
        Status status = new Status(
                self,
                VERSION,
                config.cluster().name(),
                catalog,
                peers,
                () -> Status.localView(
                        self,
                        VERSION,
                        booted.incarnation(),
                        readiness.causes(),
                        checks.failing(),
                        state.leadership().leader(),
                        held.views(),
                        letterTotals()));
        internal.on("/status", body -> CompletableFuture.completedFuture(status.localAnswer()));
        new AdminRoutes(access, catalog, status, new SecureRandom(), clock).mount(router);
        new OperationRoutes(catalog, clock).mount(router);
        new OrphanRoute(self, catalog, peers, orphans).mount(router);
        router.route("/metrics").handler(access.require(Scope.ADMIN));
        health.mountMetrics(router);
        router.route("/api/v1/latest").handler(access.require(Scope.READ));
        router.route("/api/v1/series").handler(access.require(Scope.READ));
        new ReadRoutes(catalog, reads, context -> Access.caller(context).tenant(), ReadConfig.defaults()).mount(router);
        IngestRoutes ingest =
                mountIngest(router, access, new IngestPorts(catalog, writes, batches, clock, metrics, checks::failing));
        internal.on(TableSizeCalls.SIZES, body -> held.tableSizes().thenApply(TableSizeCalls::encode));
        AllTables tables =
                new AllTables(self, catalog, held::tableSizes, new TableSizeCalls(peers)::ask, READ_DEADLINE, blocking);
        ImageRouter images =
                new ImageRouter(self, catalog, imageDesk, leaders, peers, reads, READ_DEADLINE.dividedBy(2));
        SqlEngine sql = opened(files.sql(
                catalog,
                reads,
                images,
                new NodeStatements(catalog, reads, writes, ingest, batches, tables, files::location, clock, blocking),
                registry ->
                        SqlEdge.mountQueries(internal, self, catalog, peers, new LocalQueries(self, registry, clock)),
                self,
                metrics));
        router.route("/api/v1/sql").handler(access.require(Scope.READ));
        opened(SqlEdge.mount(
                new SqlEdge.Ports(self, config, vertx, router, internal, tls.peers(), peerAuth, peers, metrics),
                sql,
                addresses::find,
                new OwnNotice.Sources(catalog::image, files::heldBytes, held::ledTables)));
        letters = mountLetters(
                router,
                access,
                new Letters.Ports(
                        catalog,
                        writes,
                        batches,
                        sql,
                        images,
                        ingest.replay(),
                        ingest.letterWriter(),
                        clock,
                        blocking,
                        metrics),
                () -> self.equals(state.leadership().leader()));
        opened(StreamEdge.mount(
                new StreamEdge.Ports(
                        self,
                        config,
                        router,
                        tls,
                        access,
                        new Tickets(authenticator, catalog::image, clock),
                        catalog,
                        () -> self.equals(state.leadership().leader()),
                        metrics),
                feeds,
                files.history(reads),
                partition -> isMoved || replicasHaveSpace(catalog.image(), leadership, partition)));
        readiness.serves();
        LOG.info(
                "node {} serves at {} after {} ms",
                self,
                record.httpUrl(),
                (System.nanoTime() - startNanos) / 1_000_000);
    }

    /** The disks of a partition's replicas have room for more of its log than the retention keeps. */
    private static boolean replicasHaveSpace(CatalogImage image, LeadKeeper leadership, int partition) {
        PartitionRecord record = image.partitions().get(partition);
        return record == null || leadership.farAboveReserve(record.replicas());
    }

    private static List<HeldLog> ledLogs(Replicas held, Booted booted, LogHost logs) {
        List<HeldLog> all = new ArrayList<>(held.logs());
        logs.status(booted.catalogGroup())
                .ifPresent(status -> all.add(new HeldLog("catalog", booted.catalogGroup(), null, status, why -> {})));
        return all;
    }

    /** With authentication on, inner calls are never open: where no secret is set, the admin token is it. */
    private String innerSecret() {
        String secret = config.cluster().secret();
        return secret.isEmpty() ? config.auth().adminToken().orElse("") : secret;
    }

    private IngestRoutes mountIngest(Router router, Access access, IngestPorts ports) {
        for (String path : List.of("/api/v1/write", "/api/v2/write", "/write", "/api/v1/delete", "/query")) {
            router.route(path).handler(access.require(Scope.WRITE));
        }
        IngestRoutes routes = new IngestRoutes(ports, ModuleConfigs.ingest(config), context -> {
            Caller caller = Access.caller(context);
            return new TenantOf.Caller(caller.tenant(), caller.authenticated());
        });
        routes.mount(router);
        return routes;
    }

    /** @param bounds whether this node holds tables of letters within their bound */
    private LetterBounds mountLetters(Router router, Access access, Letters.Ports ports, BooleanSupplier bounds) {
        Letters made = Letters.of(ports, config.deadLetters().bytesMax(), bounds);
        opened(made.bounds()).start();
        new LetterRoutes(access, made, ports.blocking()).mount(router);
        return made.bounds();
    }

    private HttpServer listen(Vertx vertx, HttpTls tls, Router router) throws Exception {
        HttpServer server = vertx.createHttpServer(tls.prepare(CdcRoutes.prepare(new HttpServerOptions()))
                .setHost(config.http().host())
                .setPort(config.http().port())
                .setTcpNoDelay(true)
                .setHandle100ContinueAutomatically(true)
                .setMaxInitialLineLength(REQUEST_LINE_BYTES_MAX)
                .setMaxHeaderSize(HEADER_BYTES_MAX));
        return server.requestHandler(router)
                .listen()
                .toCompletionStage()
                .toCompletableFuture()
                .get(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
    }

    /** By itself Vert.x would keep names for as long as DNS says and the hosts file for ever: who comes back elsewhere must be found in seconds. */
    private static AddressResolverOptions freshNames() {
        return new AddressResolverOptions()
                .setCacheMaxTimeToLive(NAMES_KEPT_SECONDS)
                .setCacheNegativeTimeToLive(0)
                .setHostsRefreshPeriod(1000 * NAMES_KEPT_SECONDS);
    }

    private LetterBounds.@Nullable Totals letterTotals() {
        LetterBounds bounds = letters;
        return bounds == null ? null : bounds.totals();
    }

    private String groupLabel(LogGroupId group) {
        Replicas held = replicas;
        return held == null ? "catalog" : held.labelOf(group);
    }

    private <T extends AutoCloseable> T opened(T part) {
        closing.push(part);
        return part;
    }

    private static boolean leadsCatalog(LogHost logs, Booted booted) {
        return logs.status(booted.catalogGroup()).map(LogStatus::leads).orElse(false);
    }

    /** Closes everything in the opposite order of its start: streams, routes, replicas, logs, threads, the data folder. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        readiness.stops();
        LOG.info("the node stops");
        while (!closing.isEmpty()) {
            AutoCloseable part = closing.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.warn("{} did not close: {}", part.getClass().getSimpleName(), e.toString());
            }
        }
    }
}
