package dev.weir.cdc;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.feed.FeedDirectory;
import dev.weir.partition.feed.PartitionFeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Which partitions belong to a stream, and when one may begin: a child starts where its parents ended, and never before their last event was
 * delivered. All knowledge of splits and merges that the stream has is here. Threading: any; may block on a leader's answer.
 */
final class Lineage {
    private final Catalog catalog;
    private final FeedDirectory directory;
    private final Duration timeout;
    /** One past the last event of partitions that have ended; such a number never changes. */
    private final Map<Integer, Long> ends = new ConcurrentHashMap<>();

    Lineage(Catalog catalog, FeedDirectory directory, Duration timeout) {
        this.catalog = catalog;
        this.directory = directory;
        this.timeout = timeout;
    }

    /**
     * A position with the partitions that may begin now.
     *
     * @param waiting others have to wait for their parents' last event, or for a replica
     */
    record Extension(Position position, boolean waiting) {}

    /** The partitions whose events the filter lets through, ended ones included. */
    NavigableSet<Integer> covered(StreamFilter filter) {
        NavigableSet<Integer> covered = new TreeSet<>();
        for (int partition : directory.partitions()) {
            if (covers(filter, partition)) {
                covered.add(partition);
            }
        }
        return covered;
    }

    /** Whether the filter names the partition or an ancestor of it. */
    boolean covers(StreamFilter filter, int partition) {
        return filter.hasPartition(partition)
                || (!filter.exact() && parents(partition).stream().anyMatch(parent -> covers(filter, parent)));
    }

    /** Whether the partition owns no slots any more. */
    boolean ended(int partition) {
        PartitionRecord known = catalog.image().partitions().get(partition);
        return known != null && known.slots().isEmpty();
    }

    /** Of some partitions, those that have no parent among them. */
    NavigableSet<Integer> roots(NavigableSet<Integer> partitions) {
        NavigableSet<Integer> roots = new TreeSet<>(partitions);
        roots.removeIf(partition -> parents(partition).stream().anyMatch(partitions::contains));
        return roots;
    }

    /** Live partitions of the stream that a cursor says nothing about, neither by themselves nor by their ancestors. */
    List<Integer> lacking(StreamFilter filter, Set<Integer> named) {
        List<Integer> lacking = new ArrayList<>();
        for (int partition : covered(filter)) {
            if (!ended(partition) && !spokenFor(partition, named)) {
                lacking.add(partition);
            }
        }
        return lacking;
    }

    /** Adds what appeared in the map and may begin. */
    Extension extend(Position position, StreamFilter filter) {
        Position extended = position;
        boolean waiting = false;
        for (int partition : covered(filter)) {
            if (extended.has(partition)) {
                continue;
            }
            Set<Integer> ancestors = ancestorsIn(partition, extended, new HashSet<>());
            if (ancestors.isEmpty() && ended(partition)) {
                continue;
            }
            Optional<PartitionFeed> feed = directory.feed(partition);
            Position now = extended;
            if (feed.isPresent() && parents(partition).stream().allMatch(parent -> delivered(parent, now, filter))) {
                extended = extended.with(partition, feed.get().firstSeq());
            } else {
                waiting = true;
            }
        }
        return new Extension(extended, waiting);
    }

    /** Whether the stream has delivered the last event that the partition will ever have. */
    boolean isOver(int partition, Position position) {
        return ended(partition) && position.has(partition) && position.next(partition) >= end(partition);
    }

    /** Whether no partition is still to begin. */
    boolean isWhole(Position position, StreamFilter filter) {
        for (int partition : covered(filter)) {
            boolean joins = !ended(partition)
                    || !ancestorsIn(partition, position, new HashSet<>()).isEmpty();
            if (joins && !position.has(partition)) {
                return false;
            }
        }
        return true;
    }

    /** Partitions of which a reader at the position may be given some: their parents are read to the end, they themselves are not. */
    NavigableSet<Integer> ready(Position position, StreamFilter filter) {
        Position extended = extend(position, filter).position();
        NavigableSet<Integer> ready = new TreeSet<>(extended.map().keySet());
        ready.removeIf(partition -> isOver(partition, extended));
        return ready;
    }

    private boolean delivered(int parent, Position position, StreamFilter filter) {
        if (!position.has(parent)) {
            // Not part of this stream, or over before it began; unless it has yet to join itself.
            return !directory.partitions().contains(parent)
                    || !covers(filter, parent)
                    || ancestorsIn(parent, position, new HashSet<>()).isEmpty();
        }
        return ended(parent) && position.next(parent) >= end(parent);
    }

    private long end(int partition) {
        Long known = ends.get(partition);
        if (known != null) {
            return known;
        }
        try {
            long end = directory
                    .committedNextSeq(partition)
                    .toCompletableFuture()
                    .get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            ends.put(partition, end);
            return end;
        } catch (ExecutionException | TimeoutException e) {
            return Long.MAX_VALUE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Long.MAX_VALUE;
        }
    }

    private Set<Integer> ancestorsIn(int partition, Position position, Set<Integer> found) {
        for (int parent : parents(partition)) {
            if (position.has(parent)) {
                found.add(parent);
            } else {
                ancestorsIn(parent, position, found);
            }
        }
        return found;
    }

    private boolean spokenFor(int partition, Set<Integer> named) {
        if (named.contains(partition)) {
            return true;
        }
        List<Integer> parents = parents(partition);
        return !parents.isEmpty() && parents.stream().allMatch(parent -> spokenFor(parent, named));
    }

    private List<Integer> parents(int partition) {
        PartitionRecord known = catalog.image().partitions().get(partition);
        return known == null ? List.of() : known.parents();
    }
}
