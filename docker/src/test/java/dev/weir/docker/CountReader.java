package dev.weir.docker;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the rows of the table by SQL, again and again, at a node drawn anew each time: the count never falls and is never below what was acknowledged
 * before the question.
 */
final class CountReader implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long PAUSE_NANOS = 200_000_000;

    private final LocalCluster cluster;
    private final IntSupplier acknowledged;
    private final Random random;
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable String violation;
    private volatile int answers;
    private volatile int refusals;
    private long last;

    CountReader(LocalCluster cluster, IntSupplier acknowledged, long seed) {
        this.cluster = cluster;
        this.acknowledged = acknowledged;
        this.random = new Random(seed);
        this.thread = Thread.ofPlatform().name("count-reader").start(this::run);
    }

    /** What went wrong first; null where nothing did. */
    @Nullable
    String violation() {
        return violation;
    }

    int answers() {
        return answers;
    }

    int refusals() {
        return refusals;
    }

    private void run() {
        while (!closed && violation == null) {
            int before = acknowledged.getAsInt();
            int node = 1 + random.nextInt(cluster.size());
            try {
                HttpResponse<String> answer =
                        cluster.get(node, "/api/v1/sql?q=SELECT%20count(*)%20FROM%20" + CounterWriter.MEASUREMENT);
                if (answer.statusCode() == 200) {
                    check(JSON.readTree(answer.body()).at("/rows/0/0").longValue(), before, node);
                    answers++;
                } else {
                    refusals++;
                }
            } catch (IOException e) {
                refusals++;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void check(long count, int before, int node) {
        if (count < last || count < before) {
            violation = "node " + node + " counted " + count + " rows; before it were counted " + last
                    + ", and acknowledged " + before;
        }
        last = count;
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
