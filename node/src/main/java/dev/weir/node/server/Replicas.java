package dev.weir.node.server;

import dev.weir.node.image.PartitionImages;
import dev.weir.node.internal.LocalPartition;
import dev.weir.node.internal.LocalPartitions;
import dev.weir.node.lead.HeldLog;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.engine.BufferBudget;
import dev.weir.partition.engine.FilePlace;
import dev.weir.partition.engine.FilePolicy;
import dev.weir.partition.engine.LogHold;
import dev.weir.partition.engine.MovedSegments;
import dev.weir.partition.engine.PartitionFence;
import dev.weir.partition.engine.PartitionFlusher;
import dev.weir.partition.engine.PartitionReplica;
import dev.weir.partition.engine.PartitionWriter;
import dev.weir.partition.engine.ReplicaSettings;
import dev.weir.partition.engine.ReplicaSource;
import dev.weir.partition.engine.TableSize;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.write.TenantSeriesQuota;
import dev.weir.partition.write.WriterConfig;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogHost;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPeer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiPredicate;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicas of this node: opens what the catalog's image says it holds and sets aside what it no longer says, one step at a time on a thread
 * of its own. Starts when the node has passed its fence ({@link #start}).
 */
final class Replicas implements LocalPartitions, AutoCloseable {
    /** So long a replica is waited for that may lead no more. */
    private static final long SIZES_MS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(Replicas.class);
    private static final long RECONCILE_SECONDS = 2;
    private static final long RETENTION_SECONDS = 30;
    private static final Duration OPEN_PATIENCE = Duration.ofSeconds(60);
    /** So long a replica that was asked in waits for the map; who asks it in does so again while that takes. */
    private static final Duration JOIN_PATIENCE = Duration.ofMinutes(5);

    /**
     * What all replicas of the node share.
     *
     * @param writers builds entries and completes results
     * @param blocking runs what blocks on the disk
     * @param holds by partition what of its log stays beyond retention
     */
    record Shared(
            ReplicaSettings settings,
            BufferBudget budget,
            WriterConfig writer,
            ReplicaSource source,
            Executor writers,
            ExecutorService blocking,
            Files files,
            IntFunction<LogHold> holds,
            PartitionMetrics metrics) {}

    /**
     * How replicas make files, and images of them.
     *
     * @param segments of histories, in the store
     */
    record Files(FilePlace place, FilePolicy policy, MovedSegments segments, PartitionImages images) {}

    /** A replica on its way into the host, which keeps it however long that takes. */
    private record Opening(
            LogGroupId group, PartitionReplica replica, PartitionWriter writer, CompletableFuture<Void> done) {}

    private final String self;
    private final LogHost host;
    private final Catalog catalog;
    private final Shared shared;
    private final Rates rates = new Rates();
    private final SeriesWarning seriesWarning;
    private final Map<Integer, HeldPartition> held = new ConcurrentSkipListMap<>();
    /** By partition, those that are not over. Added to by the worker. */
    private final Map<Integer, Opening> openings = new ConcurrentHashMap<>();

    /** By partition, when this node was last asked to hold it, until the map says that it does. The worker's. */
    private final Map<Integer, Long> askedIn = new HashMap<>();

    private final Duration openPatience;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("weir-replicas").daemon().factory());
    private volatile TenantSeriesQuota quota = TenantSeriesQuota.NONE;
    private volatile @Nullable SubscriptionHolds holds;
    private volatile String clusterId = "";
    private volatile boolean started;
    private volatile boolean closing;
    private @Nullable Map<Integer, Boolean> leadsSeen;

    Replicas(String self, LogHost host, Catalog catalog, Shared shared) {
        this(self, host, catalog, shared, OPEN_PATIENCE);
    }

    /** @param openPatience so long one step waits for a replica to open */
    Replicas(String self, LogHost host, Catalog catalog, Shared shared, Duration openPatience) {
        this.openPatience = openPatience;
        this.self = self;
        this.host = host;
        this.catalog = catalog;
        this.shared = shared;
        this.seriesWarning = new SeriesWarning(shared.writer().seriesMax());
    }

    /** What tenants may have, for the replicas opened from now on. */
    void limitSeries(TenantSeriesQuota perTenant) {
        quota = perTenant;
    }

    /** What subscriptions hold of the logs, from now on. */
    void hold(SubscriptionHolds subscriptions) {
        holds = subscriptions;
    }

    /** Series of tenants in the replicas here: partition → tenant → series. */
    Map<Integer, Map<String, Integer>> seriesByTenant() {
        Map<Integer, Map<String, Integer>> counts = new TreeMap<>();
        held.values()
                .forEach(each -> counts.put(each.partition(), each.replica().seriesByTenant()));
        return counts;
    }

    /** Sizes of tables in the partitions that this node leads; a table occurs once a partition. */
    List<TableSize> ledTables() {
        return held.values().stream()
                .filter(HeldPartition::leads)
                .flatMap(each -> each.replica().tableSizes().stream())
                .toList();
    }

    /** What tables have in each partition of which a replica here knows that it leads. */
    CompletionStage<Map<Integer, List<TableSize>>> tableSizes() {
        Map<Integer, List<TableSize>> all = new ConcurrentHashMap<>();
        CompletableFuture<?>[] asked = held.values().stream()
                .filter(HeldPartition::leads)
                .map(each -> each.tableSizes()
                        .thenAccept(sizes -> all.put(each.partition(), sizes))
                        .toCompletableFuture()
                        .completeOnTimeout(null, SIZES_MS, TimeUnit.MILLISECONDS)
                        .exceptionally(lost -> null))
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(asked).thenApply(done -> Map.copyOf(all));
    }

    /** Begins to open replicas: the node has passed its fence. */
    void start(String ofCluster) {
        clusterId = ofCluster;
        started = true;
        catalog.onChange(image -> signal());
        worker.scheduleWithFixedDelay(this::step, 0, RECONCILE_SECONDS, TimeUnit.SECONDS);
        worker.scheduleWithFixedDelay(this::watch, 200, 200, TimeUnit.MILLISECONDS);
        worker.scheduleWithFixedDelay(this::keepRetention, RETENTION_SECONDS, RETENTION_SECONDS, TimeUnit.SECONDS);
    }

    private void signal() {
        if (!closing) {
            worker.execute(this::step);
        }
    }

    @Override
    public Optional<LocalPartition> find(int partition) {
        return Optional.ofNullable(held.get(partition));
    }

    @Override
    public AutoCloseable onChange(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    List<ReplicaView> views() {
        List<ReplicaView> views = new ArrayList<>();
        held.values().forEach(each -> each.view(rates).ifPresent(views::add));
        return views;
    }

    List<HeldPartition> held() {
        return List.copyOf(held.values());
    }

    /** The logs of the replicas that are open, with the leaders that the map prefers. */
    List<HeldLog> logs() {
        CatalogImage image = catalog.image();
        List<HeldLog> logs = new ArrayList<>();
        for (HeldPartition each : held.values()) {
            PartitionRecord record = image.partitions().get(each.partition());
            String preferred = record == null || record.replicas().isEmpty()
                    ? null
                    : record.replicas().getFirst();
            host.status(each.group())
                    .ifPresent(status -> logs.add(new HeldLog(
                            "partition " + each.partition(), each.group(), preferred, status, each::admission)));
        }
        return logs;
    }

    /** The partition whose log a group is, as a metric's label; {@code catalog} for any other group. */
    String labelOf(LogGroupId group) {
        for (PartitionRecord record : catalog.image().partitions().values()) {
            if (GroupNames.partition(clusterId, record.id(), record.generation())
                    .equals(group)) {
                return Integer.toString(record.id());
            }
        }
        return "catalog";
    }

    /** Why this node does not serve all that it should, for its health; empty when it does. */
    List<String> lacks() {
        List<String> causes = new ArrayList<>();
        if (!started) {
            causes.add("replicas are not open yet");
            return causes;
        }
        for (PartitionRecord record : catalog.image().partitions().values()) {
            if (!record.replicas().contains(self)) {
                continue;
            }
            HeldPartition here = held.get(record.id());
            if (here == null) {
                causes.add("partition " + record.id() + ": its replica is not open yet");
            } else if (!here.leads() && here.leader() == null) {
                causes.add("partition " + record.id() + ": no leader is known");
            }
        }
        return causes;
    }

    @Override
    public CompletionStage<Void> join(int partition, int generation) {
        if (!started) {
            // A log is found by the cluster's id, too.
            return CompletableFuture.failedFuture(new RefusedException(
                    Refusal.of(ErrorCode.STARTING, "node " + self + " has not found its cluster yet")));
        }
        return CompletableFuture.runAsync(
                () -> {
                    HeldPartition here = held.get(partition);
                    askedIn.put(partition, System.nanoTime());
                    if (here == null || here.generation() != generation) {
                        open(partition, generation, LogMembers.joining()).join();
                    }
                },
                worker);
    }

    private void step() {
        if (closing) {
            return;
        }
        CatalogImage image = catalog.image();
        List<CompletableFuture<Void>> opening = new ArrayList<>();
        for (PartitionRecord record : image.partitions().values()) {
            HeldPartition here = held.get(record.id());
            boolean mine = record.replicas().contains(self);
            if (here != null && here.generation() < record.generation()) {
                retire(here);
                here = null;
            }
            if (mine) {
                askedIn.remove(record.id());
            }
            if (mine && here == null) {
                opening.add(open(record.id(), record.generation(), members(image, record)));
            } else if (!mine && here != null && isRemoved(here) && !isComing(record.id())) {
                retire(here);
            }
        }
        opening.forEach(CompletableFuture::join);
    }

    /** The partition's own log no longer has this node: only then is its replica set aside. */
    private boolean isRemoved(HeldPartition here) {
        return host.status(here.group())
                .map(status -> !status.members().voters().isEmpty()
                        && Stream.concat(status.members().voters().stream(), status.members().listeners().stream())
                                .noneMatch(peer -> peer.nodeId().equals(self)))
                .orElse(false);
    }

    /**
     * It was asked in a while ago at most, and the map does not say yet that it belongs there. What its log says counts not: it is sent the entries of old
     * first, and with them who belonged there then.
     */
    private boolean isComing(int partition) {
        Long askedAt = askedIn.get(partition);
        return askedAt != null && System.nanoTime() - askedAt < JOIN_PATIENCE.toNanos();
    }

    private static LogMembers members(CatalogImage image, PartitionRecord record) {
        List<LogPeer> peers = new ArrayList<>();
        for (String id : record.replicas()) {
            NodeRecord node = image.nodes().get(id);
            if (node != null) {
                peers.add(new LogPeer(id, node.raftAddress()));
            }
        }
        return LogMembers.voters(peers);
    }

    /** Completes, never exceptionally, when the replica is open or could not be opened in time; the next step tries again. */
    private CompletableFuture<Void> open(int partition, int generation, LogMembers members) {
        Opening opening = opening(partition, generation, members);
        return opening.done()
                .copy()
                .orTimeout(openPatience.toMillis(), TimeUnit.MILLISECONDS)
                .handle((opened, failure) -> {
                    if (failure instanceof TimeoutException) {
                        LOG.warn("partition {}: its replica is not open yet, waiting on", partition);
                    } else {
                        openings.remove(partition);
                        ended(opening, failure);
                    }
                    return null;
                });
    }

    /** The one under way, if any: the host would not take another replica for the same log. */
    private Opening opening(int partition, int generation, LogMembers members) {
        Opening underWay = openings.get(partition);
        if (underWay != null && underWay.replica().generation() >= generation) {
            return underWay;
        }
        if (underWay != null) {
            giveUp(underWay);
        }
        Opening begun = begin(partition, generation, members);
        openings.put(partition, begun);
        return begun;
    }

    private void giveUp(Opening opening) {
        int partition = opening.replica().partition();
        opening.writer().close();
        host.retire(opening.group()).whenComplete((done, failure) -> {
            if (failure != null) {
                LOG.warn(
                        "partition {}: a replica that was not open yet can't be set aside: {}",
                        partition,
                        failure.getMessage());
            }
        });
    }

    private Opening begin(int partition, int generation, LogMembers members) {
        LogGroupId group = GroupNames.partition(clusterId, partition, generation);
        PartitionReplica replica = new PartitionReplica(
                partition,
                generation,
                shared.settings(),
                shared.budget(),
                shared.source(),
                shared.files().segments(),
                shared.blocking());
        PartitionWriter writer = new PartitionWriter(
                host, group, replica, shared.budget(), shared.writer(), () -> fence(partition), shared.writers());
        writer.limitSeries(quota);
        return new Opening(
                group, replica, writer, host.open(group, members, replica).toCompletableFuture());
    }

    private void ended(Opening opening, @Nullable Throwable failure) {
        PartitionReplica replica = opening.replica();
        int partition = replica.partition();
        if (failure != null) {
            LOG.warn("partition {}: its replica can't be opened, trying again", partition, failure);
            opening.writer().close();
            return;
        }
        HeldPartition here = new HeldPartition(
                host,
                opening.group(),
                new HeldPartition.Engine(replica, opening.writer(), flusher(replica, opening.writer())),
                shared.files().images(),
                shared.blocking());
        held.put(partition, here);
        shared.metrics().opened(partition, PartitionMetrics.Source.of(here));
        LOG.info("partition {} generation {}: replica open", partition, replica.generation());
        changed();
    }

    private PartitionFlusher flusher(PartitionReplica replica, PartitionWriter writer) {
        Files files = shared.files();
        return new PartitionFlusher(
                replica, writer, files.place(), files.policy(), this::newest, Replicas::wallClockNanos);
    }

    /** A table's newest schema, which the partition's log knows only once rows used it. */
    private TableSchema newest(TableSchema here) {
        return catalog.image()
                .table(here.tenant(), here.name())
                .filter(table -> table.tableId() == here.tableId() && table.version() > here.version())
                .orElse(here);
    }

    private static long wallClockNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    private @Nullable PartitionFence fence(int partition) {
        CatalogImage image = catalog.image();
        PartitionRecord record = image.partitions().get(partition);
        return record == null ? null : new PartitionFence(record.slots(), image.epoch(), record.generation());
    }

    /** A look at this node's disk: whether something of a partition, in a generation, is there. */
    BiPredicate<Integer, Integer> onDisk() {
        Set<LogGroupId> groups = started ? host.onDisk() : Set.of();
        return (partition, generation) -> groups.contains(GroupNames.partition(clusterId, partition, generation));
    }

    /** Its leader says that this node does not vote. */
    void setAside(int partition, int generation) {
        if (closing) {
            return;
        }
        worker.execute(() -> {
            PartitionRecord record = catalog.image().partitions().get(partition);
            HeldPartition here = held.get(partition);
            boolean wanted = record == null || record.replicas().contains(self) || isComing(partition);
            if (wanted || openings.containsKey(partition) || !onDisk().test(partition, generation)) {
                return;
            }
            if (here != null) {
                retire(here);
            } else {
                setAside(partition, generation, GroupNames.partition(clusterId, partition, generation));
            }
        });
    }

    private void retire(HeldPartition here) {
        held.remove(here.partition());
        shared.metrics().closed(here.partition());
        here.writer().close();
        changed();
        setAside(here.partition(), here.generation(), here.group());
    }

    private void setAside(int partition, int generation, LogGroupId group) {
        try {
            host.retire(group).toCompletableFuture().get(openPatience.toMillis(), TimeUnit.MILLISECONDS);
            LOG.info("partition {} generation {}: replica set aside", partition, generation);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LOG.warn("partition {}: its replica can't be set aside: {}", partition, e.getMessage(), e);
        }
    }

    /** Partitions that this node leads now. */
    List<Integer> led() {
        List<Integer> led = new ArrayList<>();
        held.values().stream().filter(HeldPartition::leads).forEach(each -> led.add(each.partition()));
        return led;
    }

    /** Samples rates, trims where the disk no longer has room for holds, and tells listeners when this node has begun or ceased to lead. */
    private void watch() {
        long now = System.nanoTime();
        Map<Integer, Boolean> leads = new TreeMap<>();
        for (HeldPartition each : held.values()) {
            rates.sample(
                    each.partition(),
                    each.replica().stats().inserted() + each.replica().stats().updated(),
                    now);
            leads.put(each.partition(), each.leads());
            SubscriptionHolds holding = holds;
            if (holding != null && holding.mustGo(each.partition(), each.leads())) {
                keepRetention(each);
            }
        }
        if (!leads.equals(leadsSeen)) {
            leadsSeen = leads;
            changed();
        }
    }

    private void keepRetention() {
        for (HeldPartition each : held.values()) {
            seriesWarning.check(each.replica());
            if (each.leads()) {
                keepRetention(each);
            }
        }
    }

    private void keepRetention(HeldPartition partition) {
        shared.blocking().execute(() -> trim(partition));
    }

    private void trim(HeldPartition partition) {
        try {
            if (!partition.trims().isUnderWay()) {
                letGo(partition);
            }
            partition
                    .writer()
                    .expire(wallClockNanos())
                    .whenComplete((done, failure) -> logDelay(partition, "expiry", failure));
        } catch (IOException | RuntimeException e) {
            LOG.warn("partition {}: retention can't be kept: {}", partition.partition(), e.getMessage());
        }
    }

    /** Lets history go that may by now; returns before which seq that is, whether or not the log took it. Blocks on disk and log. */
    long letGo(HeldPartition partition) throws IOException {
        SubscriptionHolds holding = holds;
        return partition.trims().letGo(() -> planTrim(partition, wallClockNanos()), (oldest, seq, failure) -> {
            logDelay(partition, "trim", failure);
            if (failure == null && holding != null) {
                holding.trimmed(partition.feed(), oldest, seq);
            }
        });
    }

    private long planTrim(HeldPartition partition, long nowNanos) throws IOException {
        SubscriptionHolds holding = holds;
        List<LogHold> held = new ArrayList<>(holding == null ? List.of() : holding.of(partition.feed(), nowNanos));
        held.add(shared.holds().apply(partition.partition()));
        return partition.writer().planTrim(nowNanos, held);
    }

    private static void logDelay(HeldPartition partition, String what, @Nullable Throwable failure) {
        if (failure != null) {
            LOG.info("partition {}: {} waits: {}", partition.partition(), what, failure.getMessage());
        }
    }

    private void changed() {
        listeners.forEach(Runnable::run);
    }

    /** Stops opening; the host closes the logs. */
    @Override
    public void close() {
        closing = true;
        worker.shutdown();
        held.values().forEach(each -> each.writer().close());
    }
}
