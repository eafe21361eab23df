package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the metrics of all nodes again and again: whatever has a limit is within it, also where readers take nothing; and when all clients have gone, the nodes
 * keep nothing for them.
 */
final class BoundsReader implements AutoCloseable {
    /** {@code cdc.subscriber-bytes-max}: the least that it may be, so that it is reached. */
    static final int SUBSCRIBER_BYTES_MAX = 64 << 10;

    static final String PENDING = "weir_cdc_pending_bytes";

    private static final String SUBSCRIBERS = "weir_cdc_subscribers";
    private static final String RING = "weir_cdc_ring_bytes";
    private static final String RUNS = "weir_cdc_runs";
    /** Each run keeps its newest block, however much the others have. */
    private static final int BLOCK_BYTES_MAX = 128 << 10;

    private static final long PAUSE_NANOS = 2_000_000_000L;
    private static final Duration DRAINED_WITHIN = Duration.ofSeconds(60);

    private static final Map<String, String> LIMITS = Map.ofEntries(
            Map.entry(SUBSCRIBERS, "weir_cdc_subscribers_limit"),
            Map.entry("weir_cdc_page_bytes", "weir_cdc_page_limit_bytes"),
            Map.entry("weir_cdc_arrow_page_bytes", "weir_cdc_arrow_page_limit_bytes"),
            Map.entry("weir_cdc_arrow_memory_bytes", "weir_cdc_arrow_memory_limit_bytes"),
            Map.entry("weir_cdc_history_readers", "weir_cdc_history_readers_limit"),
            Map.entry("weir_cdc_leases", "weir_cdc_leases_limit"),
            Map.entry("weir_cdc_subscription_acks_waiting", "weir_cdc_subscription_acks_limit"),
            Map.entry("weir_ingest_in_flight_bytes", "weir_ingest_in_flight_bytes_max"),
            Map.entry("weir_buffer_rows", "weir_buffer_rows_limit"),
            Map.entry("weir_buffer_bytes", "weir_buffer_bytes_limit"),
            Map.entry("weir_partition_writer_bytes", "weir_partition_writer_bytes_limit"),
            Map.entry("weir_partition_writer_in_flight_entries", "weir_partition_writer_in_flight_entries_limit"),
            Map.entry("weir_cache_bytes", "weir_cache_bytes_limit"));

    /** With limits of another kind. */
    private static final List<String> OF_STREAMS =
            List.of(PENDING, "weir_cdc_pending_stream_limit_bytes", RING, "weir_cdc_ring_limit_bytes", RUNS);

    /** What nodes have for clients alone. */
    private static final List<String> OF_CLIENTS = List.of(
            SUBSCRIBERS,
            "weir_cdc_flight_subscribers",
            PENDING,
            "weir_cdc_queue_events",
            "weir_cdc_arrow_memory_bytes",
            "weir_cdc_history_readers",
            "weir_cdc_subscription_streams",
            "weir_cdc_subscription_member_streams",
            "weir_cdc_subscription_acks_waiting",
            "weir_cdc_subscription_ends_waiting",
            "weir_ingest_in_flight_bytes",
            "weir_ingest_in_flight_requests",
            "weir_partition_writer_bytes",
            "weir_partition_writer_waiting_requests",
            "weir_partition_writer_in_flight_entries");

    private final LocalCluster cluster;
    private final Map<String, Double> most = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable String violation;
    private volatile @Nullable Throwable failure;
    private volatile int looks;

    BoundsReader(LocalCluster cluster) {
        this.cluster = cluster;
        this.thread = Thread.ofPlatform().name("bounds-reader").start(this::run);
    }

    private void run() {
        try {
            while (!closed && violation == null) {
                for (int node = 1; node <= cluster.size(); node++) {
                    look(node);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (RuntimeException | AssertionError e) {
            failure = e;
        }
    }

    private void look(int node) {
        Map<String, Double> metrics;
        try {
            metrics = metrics(node);
        } catch (IOException e) {
            return; // killed, or starting
        }
        if (!metrics.keySet().containsAll(LIMITS.keySet())
                || !metrics.keySet().containsAll(LIMITS.values())
                || !metrics.keySet().containsAll(OF_STREAMS)) {
            return; // starting
        }
        LIMITS.forEach((name, limit) -> check(node, name, value(metrics, name), value(metrics, limit)));
        double newestBlocks = value(metrics, RUNS) * BLOCK_BYTES_MAX;
        check(node, RING, value(metrics, RING), value(metrics, "weir_cdc_ring_limit_bytes") + newestBlocks);
        // What passes the limit of a stream is a write, which is no larger than that.
        double ofStream = 2 * value(metrics, "weir_cdc_pending_stream_limit_bytes");
        check(node, PENDING, value(metrics, PENDING), value(metrics, SUBSCRIBERS) * ofStream);
        looks++;
    }

    private void check(int node, String name, double found, double limit) {
        most.merge(name, found, Math::max);
        if (found > limit) {
            violation = "node " + node + " has " + name + " " + found + ", over its limit " + limit;
        }
    }

    private static double value(Map<String, Double> metrics, String name) {
        Double found = metrics.get(name);
        if (found == null) {
            throw new AssertionError("expected a metric " + name + ", found " + metrics.keySet());
        }
        return found;
    }

    /** Each summed over its labels. */
    private Map<String, Double> metrics(int node) throws IOException {
        HttpResponse<String> answer = cluster.get(node, "/metrics");
        if (answer.statusCode() != 200) {
            throw new IOException(answer.body()); // starting
        }
        Map<String, Double> sums = new TreeMap<>();
        answer.body().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            String name = line.substring(0, line.indexOf(line.contains("{") ? '{' : ' '));
            String value = line.substring(line.lastIndexOf(' ') + 1);
            sums.merge(name, Double.valueOf(value.replace("Inf", "Infinity")), Double::sum);
        });
        return sums;
    }

    /** When all clients have gone. */
    void awaitNothingIsLeft() {
        await().atMost(DRAINED_WITHIN).untilAsserted(() -> {
            for (int node = 1; node <= cluster.size(); node++) {
                Map<String, Double> metrics = metrics(node);
                for (String name : OF_CLIENTS) {
                    assertThat(value(metrics, name))
                            .as("%s of node %d", name, node)
                            .isZero();
                }
            }
        });
    }

    void check() {
        Throwable failed = failure;
        if (failed != null) {
            throw new AssertionError("the reader of metrics failed: " + failed.getMessage(), failed);
        }
        assertThat(violation).as("what has a limit").isNull();
        assertThat(looks).as("looks at all metrics of a node").isPositive();
        assertThat(most.get(PENDING)).as(PENDING).isGreaterThan((double) SUBSCRIBER_BYTES_MAX);
    }

    String report() {
        return "bounds: " + looks + " looks at metrics; the most that was found: " + new TreeMap<>(most);
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(Duration.ofSeconds(90));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
