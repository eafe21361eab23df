package dev.weir.node.internal;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.feed.FeedDirectory;
import dev.weir.partition.feed.PartitionFeed;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Finds a partition's feed: the local replica's, else one at another node, opened in the background. */
public final class FeedLocator implements FeedDirectory {
    static final long RETRY_MS = 300;

    private final Vertx vertx;
    private final Catalog catalog;
    private final LocalPartitions local;
    private final PeerClient peers;
    private final ReadRouter reads;
    private final Map<Integer, RemoteFeed> remote = new ConcurrentHashMap<>();
    private final Set<Integer> opening = ConcurrentHashMap.newKeySet();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private volatile @Nullable CatalogImage placed;

    public FeedLocator(Vertx vertx, Catalog catalog, LocalPartitions local, PeerClient peers, ReadRouter reads) {
        this.vertx = vertx;
        this.catalog = catalog;
        this.local = local;
        this.peers = peers;
        this.reads = reads;
        local.onChange(this::changed);
        catalog.onChange(this::imageChanged);
    }

    /** Where replicas are may have changed; most images are of other things, such as acknowledgements, and need not wake every stream. */
    private void imageChanged(CatalogImage image) {
        CatalogImage before = placed;
        placed = image;
        if (before == null || before.epoch() != image.epoch() || !before.nodes().equals(image.nodes())) {
            changed();
        }
    }

    @Override
    public SortedSet<Integer> partitions() {
        return Collections.unmodifiableSortedSet(
                new TreeSet<>(catalog.image().partitions().keySet()));
    }

    @Override
    public Optional<PartitionFeed> feed(int partition) {
        Optional<LocalPartition> here = local.find(partition);
        if (here.isPresent()) {
            RemoteFeed unused = remote.remove(partition);
            if (unused != null) {
                unused.close();
            }
            return here.map(LocalPartition::feed);
        }
        RemoteFeed known = remote.get(partition);
        if (known != null && !known.closed()) {
            return Optional.of(known);
        }
        openRemote(partition);
        return Optional.empty();
    }

    private void openRemote(int partition) {
        CatalogImage image = catalog.image();
        PartitionRecord record = image.partitions().get(partition);
        if (record == null || record.replicas().isEmpty() || !opening.add(partition)) {
            return;
        }
        String id = record.replicas()
                .get(Math.floorMod(turn.getAndIncrement(), record.replicas().size()));
        NodeRecord node = image.nodes().get(id);
        if (node == null) {
            opening.remove(partition);
            return;
        }
        RemoteFeed.open(partition, node, peers).whenComplete((feed, failure) -> {
            if (failure == null) {
                remote.put(partition, feed);
                openingEnded(partition);
            } else { // its place is kept, so that nobody tries again before
                vertx.setTimer(RETRY_MS, timer -> openingEnded(partition));
            }
        });
    }

    private void openingEnded(int partition) {
        opening.remove(partition);
        changed();
    }

    @Override
    public CompletionStage<Long> committedNextSeq(int partition) {
        return reads.head(partition);
    }

    @Override
    public CompletionStage<Long> resolve(int partition, Duration age) {
        RemoteFeed elsewhere = remote.get(partition);
        return reads.resolve(partition, age).thenApply(resolved -> {
            if (elsewhere != null) {
                elsewhere.refresh();
            }
            return resolved;
        });
    }

    @Override
    public AutoCloseable onChange(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    private void changed() {
        listeners.forEach(Runnable::run);
    }
}
