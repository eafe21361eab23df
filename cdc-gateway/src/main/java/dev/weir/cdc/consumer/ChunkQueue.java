package dev.weir.cdc.consumer;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A response body, taken chunk by chunk; asks the network for more only when a chunk was taken, so a slow consumer slows its own connection. */
final class ChunkQueue implements HttpResponse.BodySubscriber<Object> {
    private static final int AHEAD = 8;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<List<ByteBuffer>> chunks = new ArrayDeque<>();
    private Flow.@Nullable Subscription subscription;
    private boolean ended;
    private @Nullable Throwable failure;

    /** Known at once: whoever asks for the body gets the queue while it fills. */
    @Override
    public CompletionStage<Object> getBody() {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        lock.lock();
        try {
            subscription = given;
        } finally {
            lock.unlock();
        }
        given.request(AHEAD);
    }

    @Override
    public void onNext(List<ByteBuffer> chunk) {
        lock.lock();
        try {
            chunks.add(chunk);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onError(Throwable cause) {
        end(cause);
    }

    @Override
    public void onComplete() {
        end(null);
    }

    /**
     * The next chunk; null when none came in time.
     *
     * @throws IOException the body has ended or failed
     */
    @Nullable
    List<ByteBuffer> take(long waitNanos) throws IOException, InterruptedException {
        Flow.Subscription source;
        List<ByteBuffer> chunk;
        lock.lockInterruptibly();
        try {
            long rest = waitNanos;
            while (chunks.isEmpty() && !ended && rest > 0) {
                rest = changed.awaitNanos(rest);
            }
            chunk = chunks.poll();
            if (chunk == null && ended) {
                throw new IOException("the stream ended", failure);
            }
            source = subscription;
        } finally {
            lock.unlock();
        }
        if (chunk != null && source != null) {
            source.request(1);
        }
        return chunk;
    }

    void cancel() {
        Flow.Subscription source;
        lock.lock();
        try {
            source = subscription;
            ended = true;
            chunks.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (source != null) {
            source.cancel();
        }
    }

    private void end(@Nullable Throwable cause) {
        lock.lock();
        try {
            ended = true;
            failure = cause;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
