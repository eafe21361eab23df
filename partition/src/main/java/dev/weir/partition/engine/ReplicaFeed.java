package dev.weir.partition.engine;

import dev.weir.partition.entry.Definitions;
import dev.weir.partition.entry.MovedSegment;
import dev.weir.partition.entry.RecordReader;
import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FeedPage;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.wal.segment.SegmentRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replica's change events, from its newest records in memory, its change segments, or what was moved of them to the store. One object for the replica's life; between {@link #close}
 * and the next {@link #open} it is closed.
 *
 * <p>Threading: as {@link PartitionFeed}; {@link #open}, {@link #advance} and {@link #close} are called by the owner of the replica's state.
 */
public final class ReplicaFeed implements PartitionFeed {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaFeed.class);

    private final int partition;
    private final RecentRecords recent;
    private final CopyOnWriteArrayList<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable Source source;
    private volatile Head head = new Head(1, 1, 0, 0);

    /** Where the events are. */
    private record Source(ReplicaHistory history, Definitions definitions) {}

    /**
     * How far the replica is.
     *
     * @param resolvedAtNanos no later event has a commit time up to this one
     */
    record Head(long firstSeq, long nextSeq, long lastCommittedAtNanos, long resolvedAtNanos) {}

    /** @param recentBytes of encoded records kept in memory */
    ReplicaFeed(int partition, int recentBytes) {
        this.partition = partition;
        this.recent = new RecentRecords(recentBytes);
    }

    /** The replica serves from here on. */
    void open(ReplicaHistory history, Definitions definitions, Head now) {
        recent.clear();
        head = now;
        source = new Source(history, definitions);
        signal();
    }

    /** An entry was applied; {@code record} holds its events, null where it caused none. */
    void advance(@Nullable SegmentRecord record, Head now) {
        if (record != null) {
            recent.add(record);
        }
        head = now;
        signal();
    }

    void close() {
        source = null;
        recent.clear();
        signal();
    }

    Head head() {
        return head;
    }

    @Override
    public int partition() {
        return partition;
    }

    @Override
    public long firstSeq() {
        return head.firstSeq();
    }

    @Override
    public long oldestSeq() {
        Source now = source;
        return now == null ? head.nextSeq() : now.history.oldestSeq();
    }

    @Override
    public long nextSeq() {
        return head.nextSeq();
    }

    @Override
    public long lastCommittedAtNanos() {
        return head.lastCommittedAtNanos();
    }

    @Override
    public long resolvedAtNanos() {
        return head.resolvedAtNanos();
    }

    @Override
    public FeedPage read(long fromSeq, int maxBytes) throws IOException {
        Source now = source();
        long headSeq = head.nextSeq();
        // A reader that comes from a replica which was ahead of this one waits here.
        if (fromSeq >= headSeq) {
            return new FeedPage(List.of(), fromSeq, headSeq);
        }
        List<RecentRecords.Recent> inMemory = recent.from(fromSeq, maxBytes);
        return inMemory == null || fromSeq < now.history.oldestSeq()
                ? readLog(now, fromSeq, maxBytes, headSeq)
                : readRecent(now, inMemory, fromSeq, headSeq);
    }

    @Override
    public Kept kept(long seq) throws IOException {
        MovedSegment segment = source().history.onlyInStore(seq);
        return segment == null
                ? PartitionFeed.super.kept(seq)
                : new Kept(head.nextSeq(), segment.firstCommittedAtNanos());
    }

    @Override
    public long seekTime(long committedAtNanos) throws IOException {
        return Math.min(source().history.seekTime(committedAtNanos), head.nextSeq());
    }

    @Override
    public long bytesFrom(long seq) throws IOException {
        return source().history.bytesFrom(seq);
    }

    @Override
    public AutoCloseable onAdvance(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    @Override
    public boolean closed() {
        return source == null;
    }

    private FeedPage readRecent(Source now, List<RecentRecords.Recent> records, long fromSeq, long headSeq) {
        List<ChangeBatch> batches = new ArrayList<>();
        long next = fromSeq;
        for (RecentRecords.Recent each : records) {
            SegmentRecord record = each.record();
            // A record is in memory a moment before the head covers it.
            if (record.nextSeq() <= headSeq) {
                batches.addAll(
                        fromSeq <= record.firstSeq()
                                ? each.batches(partition, now.definitions)
                                : RecordReader.read(partition, record, fromSeq, now.definitions));
                next = record.nextSeq();
            }
        }
        return new FeedPage(batches, next, headSeq);
    }

    private FeedPage readLog(Source now, long fromSeq, int maxBytes, long headSeq) throws IOException {
        List<ChangeBatch> batches = new ArrayList<>();
        long next = fromSeq;
        for (SegmentRecord record : now.history.read(fromSeq, maxBytes)) {
            if (record.nextSeq() <= headSeq) {
                batches.addAll(RecordReader.read(partition, record, fromSeq, now.definitions));
                next = record.nextSeq();
            }
        }
        return new FeedPage(batches, next, headSeq);
    }

    private Source source() throws IOException {
        Source now = source;
        if (now == null) {
            throw new IOException("partition " + partition + ": this replica is closed");
        }
        return now;
    }

    private void signal() {
        for (Runnable listener : listeners) {
            try {
                listener.run();
            } catch (RuntimeException e) {
                // A reader's fault must not stop the fold; the reader still polls.
                LOG.warn("partition {}: a reader could not be signalled", partition, e);
            }
        }
    }
}
