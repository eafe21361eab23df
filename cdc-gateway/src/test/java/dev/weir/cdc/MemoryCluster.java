package dev.weir.cdc;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogFold;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.CatalogLimits;
import dev.weir.partition.catalog.CatalogReply;
import dev.weir.partition.catalog.FoldedImage;
import dev.weir.partition.catalog.LeaseRecord;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.feed.FeedDirectory;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.SeriesHash;
import dev.weir.partition.model.TableSchema;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Partitions in memory, with the directory and the catalog that a gateway sees of them. */
final class MemoryCluster implements FeedDirectory {
    final SortedMap<Integer, MemoryLog> logs = new ConcurrentSkipListMap<>();
    final SortedMap<Integer, MemoryFeed> feeds = new ConcurrentSkipListMap<>();
    private final SortedMap<Integer, PartitionRecord> records = new ConcurrentSkipListMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    /** Tables that the catalog knows, by name. */
    final Map<String, TableSchema> tables = new ConcurrentHashMap<>();

    final Map<String, LeaseRecord> leases = new ConcurrentHashMap<>();
    final AtomicInteger renewals = new AtomicInteger();

    /** What was asked of the catalog. */
    final List<CatalogCommand> proposals = new CopyOnWriteArrayList<>();

    /** Whether disks have room for more than the retention. */
    volatile boolean space = true;

    /** Whether the catalog can be changed. */
    volatile boolean quorum = true;

    /** What every proposal fails with, where there is one. */
    volatile @Nullable RuntimeException fault;

    /** What another node proposes just before the next proposal of this one. */
    volatile @Nullable CatalogCommand elsewhere;

    private volatile FoldedImage folded = born();
    /** What this node knows of it. */
    private volatile FoldedImage shown = folded;

    private final List<Consumer<CatalogImage>> imageListeners = new CopyOnWriteArrayList<>();

    final SortedSet<Integer> leaderless = Collections.synchronizedSortedSet(new TreeSet<>());

    static MemoryCluster of(int partitions) {
        MemoryCluster cluster = new MemoryCluster();
        for (int partition = 0; partition < partitions; partition++) {
            cluster.add(partition, 1, List.of());
        }
        return cluster;
    }

    MemoryLog add(int partition, long firstSeq, List<Integer> parents) {
        MemoryLog log = new MemoryLog(partition, firstSeq);
        records.put(partition, record(partition, List.of(new SlotRange(0, 1)), parents));
        logs.put(partition, log);
        feeds.put(partition, new MemoryFeed(log));
        changed();
        return log;
    }

    /** Ends a partition: it owns no slots any more, its history stays. */
    void end(int partition) {
        records.put(
                partition, record(partition, List.of(), records.get(partition).parents()));
        changed();
    }

    /** Another replica takes over; the old one closes. */
    MemoryFeed move(int partition) {
        MemoryFeed old = feeds.get(partition);
        MemoryFeed fresh = new MemoryFeed(logs.get(partition));
        feeds.put(partition, fresh);
        old.close();
        changed();
        return fresh;
    }

    void changed() {
        listeners.forEach(Runnable::run);
    }

    MemoryLog log(int partition) {
        return logs.get(partition);
    }

    private static PartitionRecord record(int partition, List<SlotRange> slots, List<Integer> parents) {
        return new PartitionRecord(partition, 1, slots, List.of("a"), parents);
    }

    @Override
    public SortedSet<Integer> partitions() {
        return new TreeSet<>(logs.keySet());
    }

    @Override
    public Optional<PartitionFeed> feed(int partition) {
        return Optional.ofNullable(feeds.get(partition));
    }

    @Override
    public CompletionStage<Long> committedNextSeq(int partition) {
        if (leaderless.contains(partition)) {
            return CompletableFuture.failedFuture(
                    new RefusedException(Refusal.of(ErrorCode.NO_LEADER, "no leader of partition " + partition)));
        }
        return CompletableFuture.completedFuture(logs.get(partition).nextSeq());
    }

    @Override
    public CompletionStage<Long> resolve(int partition, Duration age) {
        if (!leaderless.contains(partition)) {
            logs.get(partition).tick();
        }
        return committedNextSeq(partition).thenApply(seq -> logs.get(partition).lastCommitted());
    }

    @Override
    public AutoCloseable onChange(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    int listeners() {
        int count = listeners.size();
        for (MemoryLog log : logs.values()) {
            count += log.listeners();
        }
        return count;
    }

    /** Commands about subscriptions alone. */
    synchronized CatalogReply fold(CatalogCommand command) {
        proposals.add(command);
        CatalogFold.Step step = CatalogFold.step(folded, folded.version() + 1, CatalogLimits.DEFAULTS, command);
        folded = step.image();
        shown = folded;
        imageListeners.forEach(listener -> listener.accept(catalog().image()));
        return step.reply();
    }

    /** As {@link #fold}, by another node: this one hears of it when it asks the others, or proposes something. */
    synchronized void elsewhere(CatalogCommand command) {
        folded = CatalogFold.step(folded, folded.version() + 1, CatalogLimits.DEFAULTS, command)
                .image();
    }

    /** In one step, or this node would see a version again that it had left behind. */
    private synchronized void show() {
        shown = folded;
    }

    private static FoldedImage born() {
        PartitionRecord whole =
                new PartitionRecord(0, 1, List.of(new SlotRange(0, SeriesHash.SLOTS)), List.of("a"), List.of());
        CatalogCommand birth = new CatalogCommand.Birth(
                "c", 1, List.of(new NodeRecord("a", "localhost", 7070, 7071, 7072, 0)), List.of(whole));
        return CatalogFold.step(FoldedImage.empty(), 1, CatalogLimits.DEFAULTS, birth)
                .image();
    }

    Catalog catalog() {
        return new Catalog() {
            @Override
            public CatalogImage image() {
                return MemoryCluster.image(new TreeMap<>(records), tables, leases, shown);
            }

            @Override
            public CompletionStage<CatalogReply> propose(CatalogCommand command) {
                if (!quorum) {
                    return CompletableFuture.failedFuture(
                            new RefusedException(Refusal.of(ErrorCode.NO_QUORUM, "no quorum")));
                }
                if (fault != null) {
                    return CompletableFuture.failedFuture(fault);
                }
                if (elsewhere != null) {
                    elsewhere(elsewhere);
                    elsewhere = null;
                }
                switch (command) {
                    case CatalogCommand.TakeLease take ->
                        leases.put(take.lease().id(), take.lease());
                    case CatalogCommand.RenewLease renew -> {
                        renewals.incrementAndGet();
                        LeaseRecord lease = leases.get(renew.leaseId());
                        if (lease == null || !lease.isLive(renew.nowNanos())) {
                            return CompletableFuture.failedFuture(
                                    new RefusedException(Refusal.of(ErrorCode.CURSOR_TOO_OLD, "lapsed")));
                        }
                        leases.put(
                                lease.id(),
                                new LeaseRecord(
                                        lease.id(),
                                        lease.tenant(),
                                        lease.tables(),
                                        lease.held(),
                                        lease.createdAtNanos(),
                                        renew.expiresAtNanos()));
                    }
                    case CatalogCommand.EndLease end -> leases.remove(end.leaseId());
                    default -> {
                        CatalogReply reply = fold(command);
                        return reply instanceof CatalogReply.Refused refused
                                ? CompletableFuture.failedFuture(new RefusedException(refused.refusal()))
                                : CompletableFuture.completedFuture(reply);
                    }
                }
                return CompletableFuture.completedFuture(new CatalogReply.Done(1));
            }

            @Override
            public CompletionStage<Void> linearize() {
                if (!quorum) {
                    return CompletableFuture.failedFuture(
                            new RefusedException(Refusal.of(ErrorCode.NO_QUORUM, "no quorum")));
                }
                show();
                return CompletableFuture.completedFuture(null);
            }

            @Override
            public AutoCloseable onChange(Consumer<CatalogImage> listener) {
                imageListeners.add(listener);
                return () -> imageListeners.remove(listener);
            }
        };
    }

    /** An image that knows the partition map, tables, leases and subscriptions alone. */
    private static CatalogImage image(
            SortedMap<Integer, PartitionRecord> partitions,
            Map<String, TableSchema> tables,
            Map<String, LeaseRecord> leases,
            FoldedImage folded) {
        return (CatalogImage) Proxy.newProxyInstance(
                CatalogImage.class.getClassLoader(),
                new Class<?>[] {CatalogImage.class},
                (image, method, arguments) -> {
                    if (method.getName().equals("partitions")) {
                        return partitions;
                    }
                    if (method.getName().equals("table")) {
                        return Optional.ofNullable(tables.get((String) arguments[1]));
                    }
                    if (method.getName().equals("tables")) {
                        return tables.values();
                    }
                    if (method.getName().equals("leases")) {
                        return leases.values();
                    }
                    if (method.getName().equals("lease")) {
                        return Optional.ofNullable(leases.get((String) arguments[0]));
                    }
                    if (method.getName().equals("subscription")) {
                        return folded.subscription((String) arguments[0], (String) arguments[1]);
                    }
                    if (method.getName().equals("subscriptions")) {
                        return folded.subscriptions((String) arguments[0]);
                    }
                    if (method.getName().equals("memberLeases")) {
                        return folded.memberLeases();
                    }
                    if (method.getName().equals("allSubscriptions")) {
                        return folded.allSubscriptions();
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }
}
