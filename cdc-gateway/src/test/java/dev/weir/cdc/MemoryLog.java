package dev.weir.cdc;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FeedPage;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.wal.segment.SeqTrimmedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The log of one partition in memory: the truth that replicas ({@link MemoryFeed}) show. Thread-safe. */
final class MemoryLog {
    final int partition;
    final long firstSeq;
    private final List<MemoryBatch> batches = new ArrayList<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private long oldestSeq;
    private long nextSeq;
    private int ticks;
    private long lastCommitted = 1_790_000_000_000_000_000L;

    MemoryLog(int partition, long firstSeq) {
        this.partition = partition;
        this.firstSeq = firstSeq;
        this.oldestSeq = firstSeq;
        this.nextSeq = firstSeq;
    }

    /** Commits a batch at the next seq; its commit time, which it gives, rises by at least 1 ns. */
    long append(MemoryBatch batch) {
        long committedAt;
        synchronized (this) {
            lastCommitted = Math.max(lastCommitted + 1, batch.committedAtNanos());
            batches.add(batch.placed(partition, nextSeq, lastCommitted));
            nextSeq += batch.count();
            committedAt = lastCommitted;
        }
        listeners.forEach(Runnable::run);
        return committedAt;
    }

    /** Lets the resolved time move on though nothing is written. */
    void tick() {
        synchronized (this) {
            ticks++;
            lastCommitted++;
        }
        listeners.forEach(Runnable::run);
    }

    synchronized int ticks() {
        return ticks;
    }

    /** @param below what a lagging replica has not applied */
    synchronized long resolvedAt(long below) {
        if (below >= nextSeq) {
            return lastCommitted;
        }
        int index = indexOf(below);
        return index == batches.size() ? 0 : batches.get(index).committedAtNanos() - 1;
    }

    void trim(long oldest) {
        synchronized (this) {
            oldestSeq = oldest;
            batches.removeIf(batch -> batch.firstSeq() + batch.count() <= oldest);
        }
        listeners.forEach(Runnable::run);
    }

    synchronized long oldestSeq() {
        return oldestSeq;
    }

    synchronized long nextSeq() {
        return nextSeq;
    }

    synchronized long lastCommitted() {
        return lastCommitted;
    }

    /** @param below what a lagging replica has not applied */
    synchronized FeedPage read(long from, int maxBytes, long below) throws SeqTrimmedException {
        if (from < oldestSeq) {
            throw new SeqTrimmedException(from, oldestSeq);
        }
        long head = Math.min(nextSeq, below);
        List<ChangeBatch> page = new ArrayList<>();
        long next = from;
        int size = 0;
        for (int i = indexOf(from); i < batches.size() && next < head && (page.isEmpty() || size < maxBytes); i++) {
            MemoryBatch batch = batches.get(i);
            MemoryBatch part = batch.between(next, head);
            page.add(part);
            next = part.firstSeq() + part.count();
            size += part.count() * 50;
        }
        return new FeedPage(page, next, head);
    }

    private int indexOf(long seq) {
        int low = 0;
        int high = batches.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            MemoryBatch batch = batches.get(middle);
            if (batch.firstSeq() + batch.count() <= seq) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    synchronized long seekTime(long nanos) {
        for (MemoryBatch batch : batches) {
            if (batch.committedAtNanos() >= nanos) {
                return Math.max(oldestSeq, batch.firstSeq());
            }
        }
        return nextSeq;
    }

    /** All events kept, for expectations. */
    synchronized List<ChangeEvent> events() {
        List<ChangeEvent> events = new ArrayList<>();
        for (MemoryBatch batch : batches) {
            for (int row = 0; row < batch.count(); row++) {
                if (batch.firstSeq() + row >= oldestSeq) {
                    events.add(batch.event(row));
                }
            }
        }
        return events;
    }

    AutoCloseable onAdvance(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    void signal() {
        listeners.forEach(Runnable::run);
    }

    int listeners() {
        return listeners.size();
    }
}
