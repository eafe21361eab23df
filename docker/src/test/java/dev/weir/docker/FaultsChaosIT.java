package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.partition.check.AcknowledgedPresentCheck;
import dev.weir.partition.check.DenseSeqCheck;
import dev.weir.partition.check.FoldEqualsTableCheck;
import dev.weir.partition.check.SeriesOrderCheck;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.read.SeriesRow;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Workload × faults: writers through all nodes and subscribers of three habits, while nodes are killed with -9, paused and restarted; afterwards the
 * invariants of DESIGN §10 are checked. Short by default, ten minutes with {@code -Pchaos}; {@code -Dweir.seed} repeats a run.
 */
final class FaultsChaosIT {
    @RegisterExtension
    static final LocalCluster CLUSTER = LocalCluster.of(3);

    private static final boolean LONG = "long".equals(System.getProperty("weir.chaos"));
    private static final Duration DURATION = LONG ? Duration.ofMinutes(10) : Duration.ofSeconds(35);
    private static final Duration CATCH_UP = Duration.ofSeconds(120);
    private static final int WRITERS = 3;
    private static final long SEED = Long.getLong("weir.seed", System.nanoTime());
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void faultsLoseNothingDoubleNothingAndReorderNothing() throws IOException {
        System.out.println("faults: seed " + SEED + " (repeat with -Dweir.seed=" + SEED + ")");
        List<URI> urls = CLUSTER.urls().stream().map(URI::create).toList();
        List<Follower> followers = new ArrayList<>();
        List<CounterWriter> writers = new ArrayList<>();
        Map<String, Integer> faults;
        try {
            for (Follower.Habit habit : Follower.Habit.values()) {
                followers.add(new Follower(urls, habit));
            }
            for (int i = 0; i < WRITERS; i++) {
                writers.add(new CounterWriter(CLUSTER, i, SEED + i));
            }
            faults = inflict(new Random(SEED));
        } finally {
            writers.forEach(CounterWriter::close);
        }
        AcknowledgedPresentCheck acknowledged = new AcknowledgedPresentCheck();
        writers.forEach(writer -> writer.acknowledged().forEach(acknowledged::acknowledged));
        Set<AcknowledgedPresentCheck.Row> rows = writers.stream()
                .flatMap(writer -> writer.acknowledged().stream())
                .collect(Collectors.toSet());

        long committed = committed();
        await().atMost(CATCH_UP)
                .untilAsserted(() -> followers.forEach(follower -> assertThat((long) follower.count())
                        .as("events that the %s follower has", follower.habit())
                        .isEqualTo(committed)));
        followers.forEach(Follower::close);

        report(faults, writers, followers, rows.size());
        List<ChangeEvent> first = inOrder(followers.getFirst());
        for (Follower follower : followers) {
            check(follower);
            assertThat(inOrder(follower))
                    .as("what the %s follower saw", follower.habit())
                    .isEqualTo(first);
        }
        followers.getFirst().events().forEach(acknowledged::event);
        assertThat(acknowledged.acknowledgedRows()).isPositive();
        assertThat(acknowledged.violations().first()).isEmpty();
    }

    private Map<String, Integer> inflict(Random random) {
        Map<String, Integer> faults = new TreeMap<>();
        long end = System.nanoTime() + DURATION.toNanos();
        while (System.nanoTime() - end < 0) {
            int node = random.nextInt(CLUSTER.size()) + 1;
            if (random.nextBoolean()) {
                CLUSTER.kill(node);
                pause(1500 + random.nextInt(2500));
                CLUSTER.restart(node);
                faults.merge("kill -9", 1, Integer::sum);
            } else {
                CLUSTER.pause(node);
                pause(500 + random.nextInt(4000));
                CLUSTER.resume(node);
                faults.merge("pause", 1, Integer::sum);
            }
            pause(1000 + random.nextInt(2000));
        }
        return faults;
    }

    private static void pause(long ms) {
        LockSupport.parkNanos(ms * 1_000_000);
    }

    /** Events committed in all partitions. */
    private static long committed() throws IOException {
        JsonNode partitions =
                JSON.readTree(CLUSTER.get(1, "/api/v1/admin/partitions").body()).path("partitions");
        long events = 0;
        for (JsonNode partition : partitions) {
            events += partition.required("next_seq").longValue() - 1;
        }
        return events;
    }

    private static void check(Follower follower) throws IOException {
        DenseSeqCheck dense = new DenseSeqCheck();
        SeriesOrderCheck order = new SeriesOrderCheck("n");
        FoldEqualsTableCheck fold = new FoldEqualsTableCheck();
        for (ChangeEvent event : follower.events()) {
            dense.event(event);
            order.event(event);
            fold.event(event);
        }
        for (int node = 1; node <= CLUSTER.size(); node++) {
            fold.latest("default", CounterWriter.MEASUREMENT, latest(node));
        }
        assertThat(dense.violations().first()).isEmpty();
        assertThat(order.violations().first()).isEmpty();
        assertThat(fold.violations()).isEmpty();
    }

    private static List<SeriesRow> latest(int node) throws IOException {
        JsonNode answer =
                JSON.readTree(CLUSTER.get(node, "/api/v1/latest?epoch=ns&measurement=" + CounterWriter.MEASUREMENT)
                        .body());
        List<SeriesRow> rows = new ArrayList<>();
        for (JsonNode row : answer.required("rows")) {
            long time = 0;
            Map<String, String> tags = new TreeMap<>();
            Map<String, Object> fields = new LinkedHashMap<>();
            for (int i = 0; i < answer.path("columns").size(); i++) {
                String name = answer.path("columns").path(i).path("name").asText();
                JsonNode cell = row.path(i);
                if (name.equals("time")) {
                    time = cell.longValue();
                } else if (name.equals("n")) {
                    fields.put(name, StreamedEvents.value(cell));
                } else {
                    tags.put(name, cell.asText());
                }
            }
            rows.add(new SeriesRow(StreamedEvents.tags(JSON.valueToTree(tags)), 0, time, fields));
        }
        return rows;
    }

    /** By partition and seq: what every subscriber must agree on. */
    private static List<ChangeEvent> inOrder(Follower follower) {
        List<ChangeEvent> events = new ArrayList<>(follower.events());
        events.sort(java.util.Comparator.comparingInt(ChangeEvent::partition).thenComparingLong(ChangeEvent::seq));
        return events;
    }

    private static void report(
            Map<String, Integer> faults, List<CounterWriter> writers, List<Follower> followers, int rows) {
        System.out.println("faults: " + faults + "; " + rows + " rows acknowledged, "
                + writers.stream().mapToInt(CounterWriter::unknown).sum() + " unknown");
        writers.forEach(writer -> System.out.println("  answers " + writer.answers()));
        followers.forEach(follower -> System.out.println("  " + follower.habit() + ": " + follower.count() + " events, "
                + follower.connects() + " connections, " + follower.duplicates() + " came twice"));
        System.out.println(
                "  checked: dense seq, order per series, stream = table on every node, acknowledged = present");
    }
}
