package dev.weir.cdc;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One merge of the newest events for all live subscribers of a filter. A virtual thread of its own reads, encodes and appends blocks to a ring;
 * members take them from there, each at its own pace. The ring is bounded in bytes: who falls out of it reads back by itself.
 *
 * <p>A subscriber joins at a block's border where it stands exactly where the run stood ({@link Target}); so the blocks' ids are true for it.
 * The run ends when its last member has left.
 */
final class SharedRun {
    private static final long TROUBLE_NANOS = Duration.ofMillis(200).toNanos();

    private final RunKey key;
    private final Lineage lineage;
    private final CdcConfig config;
    private final AtomicLong ringsBytes;
    private final FeedSet feeds;
    private final MergeReader<EncodedPage> reader;
    private final Signal signal;
    private final Map<Integer, Long> prev;
    private final CopyOnWriteArrayList<Signal> members = new CopyOnWriteArrayList<>();

    /** Guarded by {@code this}, as are all below: members and the run's thread meet here, for moments only. */
    private final BlockRing ring = new BlockRing();

    private Position position;
    private boolean ended;

    /** A border between two blocks, and where the run stood there. */
    record Target(SharedRun run, long index, Position position) {}

    SharedRun(
            RunKey key,
            Position start,
            Map<Integer, Long> prev,
            Lineage lineage,
            CdcConfig config,
            AtomicLong ringsBytes,
            FeedSet feeds,
            Signal signal) {
        this.key = key;
        this.position = start;
        this.prev = new HashMap<>(prev);
        this.lineage = lineage;
        this.config = config;
        this.ringsBytes = ringsBytes;
        this.feeds = feeds;
        this.reader = new MergeReader<>(feeds, new DirectPages(key, config.pageBytes()));
        this.signal = signal;
    }

    /** The newest border, if the subscriber is not past it in any partition; null otherwise. */
    synchronized @Nullable Target target(Position at) {
        return !ended && at.notAfter(position) ? new Target(this, ring.next(), position) : null;
    }

    /** False when the run has ended or the border has left the ring. */
    boolean join(long index, Signal member) {
        synchronized (this) {
            if (ended || index < ring.first()) {
                return false;
            }
            members.add(member);
        }
        member.raise();
        return true;
    }

    void leave(Signal member) {
        synchronized (this) {
            members.remove(member);
            if (members.isEmpty()) {
                end();
            }
        }
    }

    /** Blocks from an index on, empty when there is none yet; null when the index has left the ring or the run has ended. */
    synchronized @Nullable List<RunBlock> take(long index, int bytesMax) {
        return ended || index < ring.first() ? null : ring.from(index, bytesMax);
    }

    synchronized boolean holds(long index) {
        return !ended && index >= ring.first();
    }

    /** Where a member stands that has taken all before the index; null when there is more for it to take. */
    synchronized @Nullable Position positionAt(long index) {
        return !ended && index == ring.next() ? position : null;
    }

    /** What waits for a member that stands there. */
    synchronized long framesFrom(long index) {
        return ended ? 0 : ring.framesFrom(index);
    }

    /** The run's thread. */
    void drive() {
        try (feeds) {
            boolean waiting = true;
            while (!isEnded()) {
                if (feeds.takeChanged() || waiting) {
                    waiting = extend();
                }
                EncodedPage page = reader.nextPage(position, null);
                if (page != null) {
                    publish(page);
                    continue;
                }
                boolean trouble = feeds.takeMissing() || waiting;
                signal.await(System.nanoTime() + (trouble ? TROUBLE_NANOS : Long.MAX_VALUE / 2));
            }
        } catch (LostException e) {
            // Its members find out for themselves where they stand: each is lost or not by its own position.
        } finally {
            synchronized (this) {
                end();
            }
        }
    }

    private boolean extend() {
        Lineage.Extension extension = lineage.extend(position, key.filter());
        synchronized (this) {
            position = extension.position();
        }
        return extension.waiting();
    }

    /** In blocks; a run that ends among them stands still, and publishes no more. */
    private void publish(EncodedPage page) {
        int partition = page.partition();
        byte[] none = new byte[0];
        while (!isEnded() && position.next(partition) < page.nextSeq()) {
            byte[] base = page.frames() == 0
                    ? none
                    : position.encodeBytes(key.filter().tenant());
            Long before = prev.get(partition);
            EncodedPage.Slice slice =
                    page.slice(position.next(partition), Long.MAX_VALUE, config.sliceBytes(), base, before);
            Position after = position.with(partition, slice.nextSeq());
            Buffer buffer = slice.buffer();
            if (buffer == null) {
                synchronized (this) {
                    position = after;
                }
                continue;
            }
            prev.put(partition, slice.lastSeq());
            append(new RunBlock(
                    buffer,
                    slice.frames(),
                    partition,
                    slice.lastSeq(),
                    after,
                    before,
                    slice.prevAt(),
                    slice.prevLength(),
                    key.int64AsString()));
        }
    }

    private void append(RunBlock block) {
        synchronized (this) {
            if (ended) {
                return;
            }
            position = block.after();
            long before = ring.bytes();
            ring.add(block);
            ringsBytes.addAndGet(ring.bytes() - before);
            while (ring.size() > 1
                    && (ring.bytes() > config.ringBytesMax() || ringsBytes.get() > config.ringsBytesMax())) {
                long full = ring.bytes();
                ring.removeOldest();
                ringsBytes.addAndGet(ring.bytes() - full);
            }
        }
        members.forEach(Signal::raise);
    }

    private synchronized boolean isEnded() {
        return ended;
    }

    /** Called with the lock held. */
    private void end() {
        if (!ended) {
            ended = true;
            ringsBytes.addAndGet(-ring.bytes());
            ring.clear();
            signal.raise();
            members.forEach(Signal::raise);
        }
    }

    synchronized boolean hasEnded() {
        return ended;
    }
}
