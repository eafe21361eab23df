package dev.weir.cdc;

import dev.weir.partition.feed.FeedPage;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.store.StoreException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One replica's view of a log; may lag behind it, close, or fail. */
final class MemoryFeed implements PartitionFeed {
    private final MemoryLog log;
    final AtomicLong reads = new AtomicLong();
    /** How often somebody looked whether there is more. */
    final AtomicLong looks = new AtomicLong();

    volatile boolean closed;
    volatile boolean failing;
    /** All events are in an object store that does not answer. */
    volatile boolean storeAway;

    volatile long below = Long.MAX_VALUE;

    MemoryFeed(MemoryLog log) {
        this.log = log;
    }

    /** Where it was known to stand, as of a feed at another node; null: it is here. */
    private volatile @Nullable Standing known;

    private record Standing(long oldestSeq, long nextSeq) {}

    /** From now on it is known where it stands as of the last read. */
    void moveAway() {
        known = new Standing(log.oldestSeq(), log.nextSeq());
    }

    void lagAt(long seq) {
        below = seq;
    }

    void catchUp() {
        below = Long.MAX_VALUE;
        log.signal();
    }

    void close() {
        closed = true;
        log.signal();
    }

    @Override
    public int partition() {
        return log.partition;
    }

    @Override
    public long firstSeq() {
        return log.firstSeq;
    }

    @Override
    public long oldestSeq() {
        Standing standing = known;
        if (standing != null) {
            return standing.oldestSeq;
        }
        // As a real replica: once closed it has nothing.
        return closed ? nextSeq() : log.oldestSeq();
    }

    @Override
    public boolean isHere() {
        return known == null;
    }

    @Override
    public long nextSeq() {
        looks.incrementAndGet();
        Standing standing = known;
        return standing == null ? Math.min(log.nextSeq(), below) : standing.nextSeq;
    }

    @Override
    public long lastCommittedAtNanos() {
        return log.lastCommitted();
    }

    @Override
    public long resolvedAtNanos() {
        return log.resolvedAt(below);
    }

    @Override
    public FeedPage read(long fromSeq, int maxBytes) throws IOException {
        reads.incrementAndGet();
        if (closed || failing) {
            throw new IOException("replica of partition " + log.partition + " is gone");
        }
        if (storeAway) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "the store is away");
        }
        if (known != null) {
            moveAway();
        }
        return log.read(fromSeq, maxBytes, below);
    }

    @Override
    public Kept kept(long seq) throws IOException {
        if (!storeAway) {
            return PartitionFeed.super.kept(seq);
        }
        FeedPage page = log.read(seq, 1, below);
        return new Kept(page.head(), page.batches().getFirst().committedAtNanos());
    }

    @Override
    public long seekTime(long committedAtNanos) {
        return Math.min(nextSeq(), log.seekTime(committedAtNanos));
    }

    @Override
    public long bytesFrom(long seq) {
        return 100 * (nextSeq() - Math.max(seq, oldestSeq()));
    }

    @Override
    public AutoCloseable onAdvance(Runnable listener) {
        return log.onAdvance(listener);
    }

    @Override
    public boolean closed() {
        return closed;
    }
}
