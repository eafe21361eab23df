package dev.weir.node.internal;

import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.feed.FeedPage;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.store.StoreException;
import dev.weir.wal.segment.SeqTrimmedException;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A partition's feed at a node that holds a replica, for a node that holds none. A page is one call; while somebody listens, one long poll is
 * under way. Closes for good when its node does not answer: the directory then offers another.
 */
final class RemoteFeed implements PartitionFeed {
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(15);
    static final long PAUSE_MS = 200;
    private static final int NOT_FOUND = 404;
    private static final String NOW = "wait?from=-1";

    private final int partition;
    private final NodeRecord node;
    private final PeerClient peers;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile FeedMessages.Place place;
    /** All events up to it lie before {@link #place}: of both the latest that was seen is true. */
    private volatile long resolvedAt;

    private volatile boolean closed;
    private boolean polling;
    private boolean refreshing;

    private RemoteFeed(int partition, NodeRecord node, PeerClient peers, WireReader standing) {
        this.partition = partition;
        this.node = node;
        this.peers = peers;
        this.place = FeedMessages.readPlace(standing);
        this.resolvedAt = FeedMessages.readResolved(standing);
    }

    /** Asks the node where its feed stands. */
    static CompletionStage<RemoteFeed> open(int partition, NodeRecord node, PeerClient peers) {
        return peers.post(node, path(partition, NOW), Buffer.buffer(), CALL_TIMEOUT)
                .thenApply(bytes -> new RemoteFeed(partition, node, peers, new WireReader(bytes)));
    }

    NodeRecord node() {
        return node;
    }

    @Override
    public int partition() {
        return partition;
    }

    @Override
    public long firstSeq() {
        return place.firstSeq();
    }

    @Override
    public boolean isHere() {
        return false;
    }

    @Override
    public long oldestSeq() {
        return place.oldestSeq();
    }

    @Override
    public long nextSeq() {
        return place.nextSeq();
    }

    @Override
    public long lastCommittedAtNanos() {
        return place.lastCommittedAtNanos();
    }

    @Override
    public long resolvedAtNanos() {
        return resolvedAt;
    }

    /** Asks where the feed stands now; its resolved time moves though no event comes, of which nobody tells. */
    void refresh() {
        synchronized (this) { // one question at a time
            if (refreshing || closed) {
                return;
            }
            refreshing = true;
        }
        peers.post(node, path(partition, NOW), Buffer.buffer(), CALL_TIMEOUT).whenComplete((bytes, failure) -> {
            synchronized (this) {
                refreshing = false;
            }
            if (failure != null) {
                close();
            } else if (moveTo(new WireReader(bytes))) {
                listeners.forEach(Runnable::run);
            }
        });
    }

    @Override
    public FeedPage read(long fromSeq, int maxBytes) throws IOException {
        return FeedMessages.readPage(from(fromSeq, "feed?from=" + fromSeq + "&bytes=" + maxBytes));
    }

    @Override
    public Kept kept(long seq) throws IOException {
        try {
            return FeedMessages.readKept(from(seq, "kept?from=" + seq));
        } catch (UnknownCallException e) {
            return PartitionFeed.super.kept(seq);
        }
    }

    /** The answer to a question about an event, behind the place. */
    private WireReader from(long seq, String what) throws IOException {
        WireReader in = new WireReader(call(what));
        FeedMessages.Place now = FeedMessages.readPlace(in);
        moveTo(now);
        if (now.trimmed()) {
            throw new SeqTrimmedException(seq, now.oldestSeq());
        }
        return in;
    }

    @Override
    public long seekTime(long committedAtNanos) throws IOException {
        return new WireReader(call("seek?time=" + committedAtNanos)).readLong();
    }

    @Override
    public long bytesFrom(long seq) throws IOException {
        return new WireReader(call("bytes?from=" + seq)).readLong();
    }

    private Buffer call(String what) throws IOException {
        if (closed) {
            throw new IOException("the feed of partition " + partition + " at node " + node.id() + " is closed");
        }
        try {
            return peers.post(node, path(partition, what), Buffer.buffer(), CALL_TIMEOUT)
                    .toCompletableFuture()
                    .get(CALL_TIMEOUT.toMillis() + 1000, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while reading partition " + partition, e);
        } catch (ExecutionException | TimeoutException e) {
            throw failed(e);
        }
    }

    /** A node of an older version knows fewer calls, and one whose store is away can't read what is there: the feed goes on. */
    private IOException failed(Exception failure) {
        String what = "node " + node.id() + " can't serve partition " + partition + ": " + failure.getMessage();
        return switch (failure.getCause() instanceof PeerException refused ? refused.status() : 0) {
            case NOT_FOUND -> new UnknownCallException(what, failure);
            case InternalRoutes.STORE_WAITS -> new StoreException(StoreException.Kind.UNAVAILABLE, what, failure);
            default -> {
                close();
                yield new IOException(what, failure);
            }
        };
    }

    private static final class UnknownCallException extends IOException {
        private static final long serialVersionUID = 1L;

        UnknownCallException(String message, Exception cause) {
            super(message, cause);
        }
    }

    @Override
    public AutoCloseable onAdvance(Runnable listener) {
        listeners.add(listener);
        poll();
        return () -> listeners.remove(listener);
    }

    private void poll() {
        synchronized (this) { // one poll at a time
            if (polling || closed || listeners.isEmpty()) {
                return;
            }
            polling = true;
        }
        long from = place.nextSeq();
        long askedAt = System.nanoTime();
        peers.poll(node, path(partition, "wait?from=" + from), CALL_TIMEOUT)
                .thenApply(bytes -> {
                    moveTo(new WireReader(bytes));
                    return place.nextSeq() > from;
                })
                .whenComplete((advanced, failure) -> {
                    if (failure != null) {
                        close();
                    } else if (advanced) {
                        listeners.forEach(Runnable::run);
                        pollAgain();
                    } else if (System.nanoTime() - askedAt >= TimeUnit.MILLISECONDS.toNanos(PAUSE_MS)) {
                        pollAgain();
                    } else { // the node did not wait: asked at once, it would be asked without end
                        CompletableFuture.delayedExecutor(PAUSE_MS, TimeUnit.MILLISECONDS)
                                .execute(this::pollAgain);
                    }
                });
    }

    private void pollAgain() {
        synchronized (this) {
            polling = false;
        }
        poll();
    }

    private boolean moveTo(WireReader standing) {
        boolean advanced = moveTo(FeedMessages.readPlace(standing));
        resolvedTo(FeedMessages.readResolved(standing));
        return advanced;
    }

    private synchronized void resolvedTo(long nanos) {
        resolvedAt = Math.max(resolvedAt, nanos);
    }

    private synchronized boolean moveTo(FeedMessages.Place now) {
        if (now.nextSeq() < place.nextSeq()) {
            return false;
        }
        boolean advanced = now.nextSeq() > place.nextSeq();
        place = now;
        return advanced;
    }

    @Override
    public boolean closed() {
        return closed;
    }

    void close() {
        if (!closed) {
            closed = true;
            listeners.forEach(Runnable::run);
        }
    }

    private static String path(int partition, String what) {
        return "/partitions/" + partition + "/" + what;
    }
}
