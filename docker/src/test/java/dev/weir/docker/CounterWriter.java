package dev.weir.docker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.partition.check.AcknowledgedPresentCheck.Row;
import dev.weir.partition.check.PointKey;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.Tag;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One writer: counts up in a few series of its own, a body at a time, through a node drawn anew for each try, each body again under its key until its
 * outcome is known or it gives up. Knows of each row whether it was acknowledged, refused, or is unknown.
 */
final class CounterWriter implements AutoCloseable {
    static final String MEASUREMENT = "chaos";
    private static final int SERIES = 7;
    private static final int ROWS = 5;
    private static final int TRIES = 40;
    private static final long PAUSE_NANOS = 5_000_000;
    private static final long RETRY_NANOS = 100_000_000;
    private static final long EPOCH = 1_767_225_600_000_000_000L;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final LocalCluster cluster;
    private final int number;
    private final Random random;
    private final Set<Row> acknowledged = new HashSet<>();
    private final Map<String, Integer> answers = new HashMap<>();
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean abandoned;
    private volatile @Nullable Throwable failure;
    private int next;
    private volatile int acknowledgedRows;
    private volatile long slowestNanos;
    private int unknown;

    CounterWriter(LocalCluster cluster, int number, long seed) {
        this.cluster = cluster;
        this.number = number;
        this.random = new Random(seed);
        this.thread = Thread.ofPlatform().name("writer-" + number).start(this::run);
    }

    private void run() {
        try {
            while (!closed) {
                write();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (IOException | RuntimeException | AssertionError e) {
            failure = e;
        }
    }

    private void write() throws IOException {
        List<Row> rows = new ArrayList<>();
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < ROWS; i++, next++) {
            rows.add(row(next));
            body.append(
                    MEASUREMENT + ",k=" + next % SERIES + ",w=" + number + " n=" + next + "i " + (EPOCH + next) + "\n");
        }
        String key = UUID.randomUUID().toString();
        for (int attempt = 0; attempt < TRIES && !abandoned; attempt++) {
            int status = send(body.toString(), key);
            if (status == 204) {
                acknowledged.addAll(rows);
                acknowledgedRows = acknowledged.size();
                return;
            }
            if (status >= 400 && status < 500 && status != 429) {
                throw new AssertionError("good rows were refused with " + status + ": " + answers);
            }
            LockSupport.parkNanos(RETRY_NANOS);
        }
        unknown += rows.size();
    }

    private int send(String body, String key) {
        int node = random.nextInt(cluster.size()) + 1;
        String outcome;
        int status = 0;
        long start = System.nanoTime();
        try {
            HttpResponse<String> answer =
                    cluster.send(HttpRequest.newBuilder(URI.create(cluster.url(node) + "/api/v2/write?precision=ns"))
                            .header("Idempotency-Key", key)
                            .POST(BodyPublishers.ofString(body)));
            status = answer.statusCode();
            outcome = status == 204 ? "204" : status + " " + code(answer.body());
        } catch (IOException e) {
            outcome = "no answer";
        }
        slowestNanos = Math.max(slowestNanos, System.nanoTime() - start);
        answers.merge(outcome, 1, Integer::sum);
        return status;
    }

    private static String code(String body) throws IOException {
        JsonNode json = JSON.readTree(body);
        return json.path("code").asText("(no code)");
    }

    private Row row(int n) {
        List<Tag> tags = List.of(new Tag("k", Integer.toString(n % SERIES)), new Tag("w", Integer.toString(number)));
        return new Row(new PointKey(new SeriesKey("default", MEASUREMENT, tags), EPOCH + n), Map.of("n", (long) n));
    }

    Set<Row> acknowledged() {
        return acknowledged;
    }

    int acknowledgedRows() {
        return acknowledgedRows;
    }

    /** The longest that any answer took, a refusal or a broken connection too. */
    Duration slowestAnswer() {
        return Duration.ofNanos(slowestNanos);
    }

    /** How often which answer came. */
    Map<String, Integer> answers() {
        return answers;
    }

    int unknown() {
        return unknown;
    }

    /** Stops writing; a body under way is finished. */
    @Override
    public void close() {
        closed = true;
        join();
        Throwable failed = failure;
        if (failed != null) {
            throw new AssertionError("writer " + number + " failed: " + failed.getMessage(), failed);
        }
    }

    /** Stops without finishing the body under way. */
    void abandon() {
        closed = true;
        abandoned = true;
        join();
    }

    private void join() {
        try {
            thread.join(Duration.ofSeconds(90));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
