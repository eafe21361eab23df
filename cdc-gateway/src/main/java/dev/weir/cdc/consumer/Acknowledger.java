package dev.weir.cdc.consumer;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says to the cluster what is done, on a thread of its own: one call at a time, each with the newest place, so that many acknowledgements become few calls (a node
 * answers at most once a second). A call that fails is made again at the next node, for as long as it takes; what waits is one place a partition.
 *
 * <p>Threading: any. The lock guards a handful of fields; nobody waits for the network under it.
 */
final class Acknowledger implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int COMMITTED = 204;
    private static final int CONFLICT = 409;
    private static final long NONE = -1;

    private final HttpClient client;
    private final StreamOptions options;
    private final String path;
    private final @Nullable String member;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final SortedMap<Integer, Long> committed = new TreeMap<>();
    private @Nullable Wish waiting;
    private @Nullable Wish underWay;
    private long waitingSince;
    private long staleGeneration = NONE;
    private long generation = NONE;
    private @Nullable IOException failure;
    private boolean closed;
    private int node;

    /** @param next by partition, the seq before which all is done */
    private record Wish(SortedMap<Integer, Long> next, long generation) {
        /** {@code <partition>:<seq>,…}, each meaning: after that seq. */
        String cursor() {
            return next.entrySet().stream()
                    .map(place -> place.getKey() + ":" + (place.getValue() - 1))
                    .collect(Collectors.joining(","));
        }
    }

    Acknowledger(HttpClient client, StreamOptions options, String subscription, @Nullable String member) {
        this.client = client;
        this.options = options;
        this.path = StreamPath.acknowledge(subscription);
        this.member = member;
    }

    void start() {
        Thread.ofVirtual().name("weir-acknowledger").start(this::run);
    }

    /** Replaces what waits, of an older generation too. */
    void put(SortedMap<Integer, Long> next, long generation) {
        lock.lock();
        try {
            if (waiting == null && underWay == null) {
                waitingSince = System.nanoTime();
            }
            waiting = new Wish(Collections.unmodifiableSortedMap(new TreeMap<>(next)), generation);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** What waits is of a stream that has ended: it is not said. */
    void forget() {
        lock.lock();
        try {
            waiting = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * A stream has begun. What is answered later to an acknowledgement of another generation says no more what is committed.
     *
     * @param start by partition, the seq before which all is committed
     * @return the same as it was known before: by what was acknowledged here, and by where the streams before began
     */
    SortedMap<Integer, Long> begun(long newest, SortedMap<Integer, Long> start) {
        lock.lock();
        try {
            SortedMap<Integer, Long> before = new TreeMap<>(committed);
            generation = newest;
            committed.putAll(start);
            return before;
        } finally {
            lock.unlock();
        }
    }

    /** A call was answered: this generation is over. */
    boolean isStale(long generation) {
        lock.lock();
        try {
            return generation != NONE && staleGeneration == generation;
        } finally {
            lock.unlock();
        }
    }

    /**
     * @throws StreamRefusedException acknowledging was refused for good
     * @throws IOException it has ended by a failure of its own
     */
    void check() throws IOException {
        lock.lock();
        try {
            if (failure != null) {
                throw failure;
            }
        } finally {
            lock.unlock();
        }
    }

    /** How long the oldest that is not committed yet has waited; zero where all is. */
    Duration waitingFor() {
        lock.lock();
        try {
            return isIdle() ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - waitingSince);
        } finally {
            lock.unlock();
        }
    }

    /** Until nothing waits; false where it took too long, was refused or has failed. */
    boolean awaitIdle(Duration timeout) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = timeout.toNanos();
            while (!isIdle() && failure == null && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            return isIdle() && failure == null;
        } finally {
            lock.unlock();
        }
    }

    private boolean isIdle() {
        return waiting == null && underWay == null;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        client.shutdownNow();
    }

    private void run() {
        try {
            for (Wish wish = take(); wish != null; wish = take()) {
                say(wish);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            fail(new IOException("acknowledging has ended: " + e, e));
        }
    }

    private void fail(IOException with) {
        lock.lock();
        try {
            failure = with;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Null when closed. */
    private @Nullable Wish take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (waiting == null && !closed) {
                changed.await();
            }
            underWay = closed ? null : waiting;
            waiting = null;
            return underWay;
        } finally {
            lock.unlock();
        }
    }

    private void say(Wish wish) throws InterruptedException {
        try {
            HttpResponse<String> answer = client.send(request(wish), BodyHandlers.ofString());
            if (WeirStream.isTransient(answer.statusCode())) {
                again(wish, WeirStream.retryAfterMs(answer));
            } else {
                settle(wish, answer.statusCode(), answer.body());
            }
        } catch (IOException e) {
            again(wish, node + 1 < options.nodes().size() ? 0 : 1_000);
        }
    }

    private HttpRequest request(Wish wish) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        StreamOptions.at(options.nodes().get(node), path))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body(wish)));
        if (!options.token().isEmpty()) {
            request.header("Authorization", "Bearer " + options.token());
        }
        return request.build();
    }

    private String body(Wish wish) {
        String who = member == null ? "" : ",\"member\":\"" + member + "\"";
        return "{\"cursor\":\"" + wish.cursor() + "\"" + who + ",\"generation\":" + wish.generation() + "}";
    }

    private void settle(Wish wish, int status, String body) {
        lock.lock();
        try {
            underWay = null;
            if (status == COMMITTED) {
                // Of an earlier one it may be from before a seek.
                if (wish.generation() == generation) {
                    wish.next().forEach((partition, next) -> committed.merge(partition, next, Math::max));
                }
                waitingSince = System.nanoTime();
            } else if (status == CONFLICT && code(body).equals("stale_generation")) {
                staleGeneration = wish.generation();
                // What was acknowledged meanwhile is of the same stream, unless a newer one has begun.
                if (waiting != null && waiting.generation() == wish.generation()) {
                    waiting = null;
                }
            } else {
                failure = new StreamRefusedException(status, body);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static String code(String body) {
        try {
            return ControlJson.text(ControlJson.object(body), "code");
        } catch (IllegalArgumentException e) {
            // An answer that is not Weir's; it is shown as it came.
            return "";
        }
    }

    /** At the next node, with what is newest then. */
    private void again(Wish wish, long waitMs) throws InterruptedException {
        node = (node + 1) % options.nodes().size();
        lock.lockInterruptibly();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(
                    waitMs / 2 + ThreadLocalRandom.current().nextLong(waitMs / 2 + 1));
            while (left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
            underWay = null;
            if (waiting == null) {
                waiting = wish;
            }
        } finally {
            lock.unlock();
        }
    }
}
