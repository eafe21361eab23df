package dev.weir.partition.engine;

import dev.weir.partition.entry.MovedSegment;
import dev.weir.partition.store.FileCache;
import dev.weir.partition.store.Pinned;
import dev.weir.partition.store.StoreException;
import dev.weir.wal.segment.SealedSegment;
import dev.weir.wal.segment.SegmentFile;
import dev.weir.wal.segment.SegmentRecord;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moved segments by way of this node's cache of files: fetched whole, once however many ask, and kept as long as the cache has room. Who reads waits for a fetch for a
 * while only, or not at all where it waits for others, then fails and finds it done, or still under way, the next time; so a store that is slow or away holds nobody up for longer than that.
 *
 * <p>Memory: a page of records a read, and a small index of each of the {@link #KNOWN_MAX} segments that were read last.
 */
public final class CachedSegments implements MovedSegments {
    /** Segments fetched at a time. */
    public static final int FETCHES_MAX = 4;

    /** A reader waits so long for a fetch, from its beginning on: those who come later fail at once. */
    public static final Duration WAIT = Duration.ofSeconds(5);

    private static final int KNOWN_MAX = 64;
    private static final Logger LOG = LoggerFactory.getLogger(CachedSegments.class);

    private final FileCache cache;
    private final Executor blocking;
    private final Duration wait;
    private final Semaphore places = new Semaphore(FETCHES_MAX);
    private final Map<String, Fetch> fetches = new ConcurrentHashMap<>();
    private final Map<String, SealedSegment> known = new LinkedHashMap<>(KNOWN_MAX, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, SealedSegment> eldest) {
            return size() > KNOWN_MAX;
        }
    };
    private final LongAdder reads = new LongAdder();
    private final LongAdder fetched = new LongAdder();
    private final LongAdder failures = new LongAdder();

    /** @param blocking runs fetches */
    public CachedSegments(FileCache cache, Executor blocking) {
        this(cache, blocking, WAIT);
    }

    CachedSegments(FileCache cache, Executor blocking, Duration wait) {
        this.cache = cache;
        this.blocking = blocking;
        this.wait = wait;
    }

    /** Keeps its file from being evicted until each reader that waits for it has a pin of its own. */
    private static final class Fetch {
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private final long begunNanos = System.nanoTime();
        private final boolean runs;
        private int users = 1;
        private @Nullable Pinned pinned;

        /** @param runs it has a place; else it waits for those before it */
        Fetch(boolean runs) {
            this.runs = runs;
        }

        /** False where it is over. */
        synchronized boolean enter() {
            users += users > 0 ? 1 : 0;
            return users > 0;
        }

        synchronized void pin(Pinned file) {
            pinned = file;
        }

        synchronized void leave() {
            users--;
            if (users == 0 && pinned != null) {
                pinned.close();
            }
        }
    }

    private interface Reading<T> {
        T of(SealedSegment segment) throws IOException;
    }

    /** Reads of moved segments since the process started, failed ones too. */
    public long reads() {
        return reads.sum();
    }

    /** Segments brought from the store to the cache. */
    public long fetched() {
        return fetched.sum();
    }

    /** Reads that failed. */
    public long failures() {
        return failures.sum();
    }

    /** Segments being fetched, {@link #FETCHES_MAX} at most. */
    public int fetching() {
        return FETCHES_MAX - places.availablePermits();
    }

    /** Segments whose fetch waits for others. */
    public int queued() {
        return places.getQueueLength();
    }

    @Override
    public List<SegmentRecord> read(MovedSegment segment, long fromSeq, int maxBytes) throws IOException {
        return with(segment, false, file -> file.read(fromSeq, maxBytes));
    }

    @Override
    public long seekTime(MovedSegment segment, long committedAtNanos) throws IOException {
        return with(segment, true, file -> file.seekTime(committedAtNanos));
    }

    /** @param patient waits, too, where the fetch waits for others: an answer is needed now */
    private <T> T with(MovedSegment segment, boolean patient, Reading<T> reading) throws IOException {
        reads.increment();
        boolean done = false;
        try (Pinned pinned = pin(segment, patient)) {
            T found = reading.of(open(segment, pinned.path()));
            done = true;
            return found;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("reading " + segment.key());
        } finally {
            if (!done) {
                failures.increment();
            }
        }
    }

    private Pinned pin(MovedSegment segment, boolean patient) throws IOException, InterruptedException {
        boolean here = cache.holds(segment.sha256())
                || cache.store().localPath(segment.key()).isPresent();
        if (here) {
            return cache.open(segment.key(), segment.bytes(), segment.sha256());
        }
        Fetch fetch = fetch(segment);
        try {
            await(segment, fetch, patient || fetch.runs ? wait : Duration.ZERO);
            return cache.open(segment.key(), segment.bytes(), segment.sha256());
        } finally {
            fetch.leave();
        }
    }

    private SealedSegment open(MovedSegment segment, Path path) {
        synchronized (known) {
            return known.computeIfAbsent(
                    segment.key(),
                    key -> new SealedSegment(
                            path,
                            new SegmentFile(
                                    key,
                                    segment.firstSeq(),
                                    segment.nextSeq(),
                                    segment.firstCommittedAtNanos(),
                                    segment.lastCommittedAtNanos(),
                                    segment.bytes(),
                                    0,
                                    true)));
        }
    }

    /** The one fetch of a segment that runs, begun if there is none; entered. */
    private Fetch fetch(MovedSegment segment) {
        while (true) {
            Fetch mine = new Fetch(hasPlace());
            Fetch known = fetches.putIfAbsent(segment.key(), mine);
            if (known == null) {
                return begun(segment, mine);
            }
            if (mine.runs) {
                places.release();
            }
            // Else it was over a moment ago, and is in the map no more.
            if (known.enter()) {
                return known;
            }
        }
    }

    /** Takes one where nobody waits for it. */
    private boolean hasPlace() {
        return !places.hasQueuedThreads() && places.tryAcquire();
    }

    private Fetch begun(MovedSegment segment, Fetch mine) {
        mine.enter();
        try {
            blocking.execute(() -> run(segment, mine));
        } catch (RejectedExecutionException e) {
            if (mine.runs) {
                places.release();
            }
            end(segment, mine, new IOException("segment " + segment.key() + ": this node is stopping", e));
        }
        return mine;
    }

    private void run(MovedSegment segment, Fetch fetch) {
        try {
            bring(segment, fetch);
            end(segment, fetch, null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end(segment, fetch, new InterruptedIOException("fetching " + segment.key()));
        } catch (IOException | RuntimeException e) {
            end(segment, fetch, e);
        } catch (Error e) {
            end(segment, fetch, e);
            throw e;
        }
    }

    private void bring(MovedSegment segment, Fetch fetch) throws IOException, InterruptedException {
        if (!fetch.runs) {
            places.acquire();
        }
        try {
            fetch.pin(cache.open(segment.key(), segment.bytes(), segment.sha256()));
            fetched.increment();
        } finally {
            places.release();
        }
    }

    /** However it went: who reads next begins anew, and who waits is told. */
    private void end(MovedSegment segment, Fetch fetch, @Nullable Throwable failure) {
        fetches.remove(segment.key(), fetch);
        if (failure == null) {
            fetch.done.complete(null);
        } else {
            LOG.warn("segment {} can't be fetched, readers come again: {}", segment.key(), failure.getMessage());
            fetch.done.completeExceptionally(failure);
        }
        fetch.leave();
    }

    private void await(MovedSegment segment, Fetch fetch, Duration atMost) throws IOException, InterruptedException {
        long left = atMost.toNanos() - (System.nanoTime() - fetch.begunNanos);
        try {
            fetch.done.get(Math.max(0, left), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new StoreException(
                    StoreException.Kind.UNAVAILABLE,
                    "segment " + segment.key() + " is still being fetched from "
                            + cache.store().url() + " after " + atMost.toMillis() + " ms",
                    e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreException refused) {
                throw new StoreException(refused.kind(), String.valueOf(refused.getMessage()), e);
            }
            throw new IOException("segment " + segment.key() + ": " + e.getCause(), e);
        }
    }
}
