package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.partition.check.AcknowledgedPresentCheck;
import dev.weir.partition.check.DenseSeqCheck;
import dev.weir.partition.check.FoldEqualsTableCheck;
import dev.weir.partition.check.FoldedTable;
import dev.weir.partition.check.SeriesOrderCheck;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.Tag;
import dev.weir.partition.read.SeriesRow;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writers through all nodes of a cluster, subscribers of three habits, and one at most once, while a test does to it what it likes; {@link #finish} checks the invariants
 * of DESIGN §10 on what they saw. One at a time on a cluster, and the first that writes to it.
 */
final class Workload implements AutoCloseable {
    private static final Duration CATCH_UP = Duration.ofSeconds(120);
    private static final int WRITERS = 3;
    private static final int PROGRESS_ROWS = 300;
    private static final int PROGRESS_ROWS_LEAST = 50;
    private static final int PARTITIONS = 8;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final LocalCluster cluster;
    private final List<Follower> followers = new ArrayList<>();
    private final List<LossyFollower> lossy = new ArrayList<>();
    private final List<CounterWriter> writers = new ArrayList<>();

    private final CountReader counts;
    private Optional<Readers> readers = Optional.empty();

    private final Absence absence;

    private Workload(LocalCluster cluster, long seed) {
        this.cluster = cluster;
        this.absence = Absence.overflowing(this::acknowledged, PARTITIONS, CarrierFollower.QUEUE_EVENTS);
        for (int i = 0; i < WRITERS; i++) {
            writers.add(new CounterWriter(cluster, i, seed + i));
        }
        this.counts = new CountReader(cluster, this::acknowledged, seed);
    }

    /** @param seed of what the writers draw */
    static Workload start(LocalCluster cluster, long seed) {
        Workload workload = new Workload(cluster, seed);
        List<URI> urls = cluster.urls().stream().map(URI::create).toList();
        for (Follower.Habit habit : Follower.Habit.values()) {
            workload.followers.add(new Follower(urls, habit));
        }
        workload.lossy.add(new LossyFollower(urls, workload.absence));
        return workload;
    }

    /** With readers by every carrier, in groups, and of snapshots. */
    static Workload startWithAllReaders(LocalCluster cluster, long seed) {
        Workload workload = start(cluster, seed);
        try {
            workload.readers = Optional.of(new Readers(cluster, workload::acknowledged, workload.absence, seed));
            return workload;
        } catch (RuntimeException | Error e) {
            workload.close();
            throw e;
        }
    }

    /** To be called while it is dead. */
    void leaderKilled() {
        readers.ifPresent(Readers::leaderKilled);
    }

    /** Rows acknowledged so far. */
    int acknowledged() {
        return writers.stream().mapToInt(CounterWriter::acknowledgedRows).sum();
    }

    /** Waits until some hundred more rows are acknowledged. */
    void awaitProgress(Duration patience) {
        awaitProgress(PROGRESS_ROWS, patience);
    }

    /** Waits until so many more rows are acknowledged. */
    void awaitProgress(int rows, Duration patience) {
        int before = acknowledged();
        await().atMost(patience).until(() -> acknowledged() > before + rows);
    }

    /** The longest that a writer had to wait for any answer so far, a refusal or a broken connection too. */
    Duration slowestAnswer() {
        return writers.stream()
                .map(CounterWriter::slowestAnswer)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Lets the writers stop and the subscribers catch up, then checks: dense seq, order of each series, stream = table, acknowledged = present. */
    void finish(String faults) throws IOException {
        await().atMost(CATCH_UP).untilAsserted(this::checkItHappened);
        if (readers.isPresent()) {
            readers.get().awaitItHappened(CATCH_UP);
            readers.get().stall();
            awaitProgress(PROGRESS_ROWS_LEAST, CATCH_UP);
        }
        writers.forEach(CounterWriter::close);
        counts.close();
        long committed = committed();
        await().atMost(CATCH_UP)
                .untilAsserted(() -> followers.forEach(
                        follower -> assertThat((long) follower.events().size())
                                .as("events that the %s follower has", follower.habit())
                                .isEqualTo(committed)));
        await().atMost(CATCH_UP)
                .untilAsserted(() -> lossy.forEach(follower -> assertThat(follower.accounted())
                        .as("came or named as missing")
                        .isEqualTo(committed)));
        readers.ifPresent(all -> all.catchUp(committed, CATCH_UP));
        followers.forEach(Follower::close);
        lossy.forEach(LossyFollower::close);
        readers.ifPresent(Readers::awaitNothingIsLeft);

        report(faults);
        checkBySql(followers.getFirst());
        List<ChangeEvent> first = inOrder(followers.getFirst());
        for (Follower follower : followers) {
            check(follower);
            assertThat(follower.resolvedFrames())
                    .as("resolved times that the %s follower was told", follower.habit())
                    .isPositive();
            assertThat(inOrder(follower))
                    .as("what the %s follower saw", follower.habit())
                    .isEqualTo(first);
        }
        readers.ifPresent(all -> all.check(first));
        AcknowledgedPresentCheck acknowledged = new AcknowledgedPresentCheck();
        writers.forEach(writer -> writer.acknowledged().forEach(acknowledged::acknowledged));
        followers.getFirst().events().forEach(acknowledged::event);
        assertThat(acknowledged.acknowledgedRows()).isPositive();
        assertThat(acknowledged.violations().first()).isEmpty();
        assertThat(counts.violation()).as("counts by SQL").isNull();
        assertThat(counts.answers()).as("counts by SQL").isPositive();
    }

    /** Those that crash did, and went on behind a gap or with events that came again. */
    private void checkItHappened() {
        lossy.forEach(follower -> assertThat(follower.missed())
                .as("events in gaps at most once, of %d", follower.accounted())
                .isPositive());
        followers.stream()
                .filter(follower -> follower.habit() == Follower.Habit.CRASHING)
                .forEach(follower -> assertThat(follower.duplicates())
                        .as("events that came twice to the one that crashes")
                        .isPositive());
    }

    /** Events committed in all partitions. */
    private long committed() throws IOException {
        long events = 0;
        for (JsonNode partition : cluster.partitions(1)) {
            events += partition.required("next_seq").longValue() - 1;
        }
        return events;
    }

    private void check(Follower follower) throws IOException {
        DenseSeqCheck dense = new DenseSeqCheck();
        SeriesOrderCheck order = new SeriesOrderCheck("n");
        FoldEqualsTableCheck fold = new FoldEqualsTableCheck();
        for (ChangeEvent event : follower.events()) {
            dense.event(event);
            order.event(event);
            fold.event(event);
        }
        for (int node = 1; node <= cluster.size(); node++) {
            fold.latest("default", CounterWriter.MEASUREMENT, latest(node));
        }
        assertThat(dense.violations().first()).isEmpty();
        assertThat(order.violations().first()).isEmpty();
        assertThat(fold.violations()).isEmpty();
    }

    /** Files and buffers by SQL are what the stream folds to, point by point. */
    private void checkBySql(Follower follower) throws IOException {
        FoldedTable folded = new FoldedTable();
        // A test may have written to other tables.
        follower.events().stream()
                .filter(event -> event.measurement().equals(CounterWriter.MEASUREMENT))
                .forEach(folded::event);
        Map<String, Long> expected = new TreeMap<>();
        folded.points()
                .forEach((series, points) -> points.forEach(
                        (time, fields) -> expected.put(series.tags() + " " + time, (Long) fields.get("n"))));
        for (int node = 1; node <= cluster.size(); node++) {
            JsonNode answer = JSON.readTree(cluster.get(
                            node, "/api/v1/sql?epoch=ns&q=SELECT%20k,w,time,n%20FROM%20" + CounterWriter.MEASUREMENT)
                    .body());
            Map<String, Long> found = new TreeMap<>();
            for (JsonNode row : answer.required("rows")) {
                List<Tag> tags = List.of(
                        new Tag("k", row.path(0).asText()),
                        new Tag("w", row.path(1).asText()));
                found.put(tags + " " + row.path(2).longValue(), row.path(3).longValue());
            }
            assertThat(answer.required("rows").size())
                    .as("rows at node %d", node)
                    .isEqualTo(expected.size());
            assertThat(found).as("table at node %d", node).isEqualTo(expected);
        }
    }

    private List<SeriesRow> latest(int node) throws IOException {
        JsonNode answer =
                JSON.readTree(cluster.get(node, "/api/v1/latest?epoch=ns&measurement=" + CounterWriter.MEASUREMENT)
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
        events.sort(Comparator.comparingInt(ChangeEvent::partition).thenComparingLong(ChangeEvent::seq));
        return events;
    }

    private void report(String faults) {
        System.out.println("faults: " + faults + "; " + acknowledged() + " rows acknowledged, "
                + writers.stream().mapToInt(CounterWriter::unknown).sum() + " unknown; slowest answer after "
                + slowestAnswer().toMillis() + " ms");
        writers.forEach(writer -> System.out.println("  answers " + writer.answers()));
        followers.forEach(follower -> System.out.println("  " + follower.habit() + ": " + follower.count() + " events, "
                + follower.connects() + " connections, " + follower.duplicates() + " came twice, "
                + follower.resolvedFrames() + " resolved times"));
        lossy.forEach(follower -> System.out.println(
                "  at most once: " + follower.accounted() + " events, of which " + follower.missed() + " in gaps"));
        readers.ifPresent(all -> all.report().forEach(line -> System.out.println("  " + line)));
        System.out.println("  counts by SQL: " + counts.answers() + " answers, " + counts.refusals() + " refusals");
        System.out.println(
                "  checked: dense seq, order per series, stream = table on every node, acknowledged = present, counts never fall"
                        + (readers.isPresent() ? ", bounds" : ""));
    }

    /** Ends writers and subscribers, whatever came of them. */
    @Override
    public void close() {
        writers.forEach(CounterWriter::abandon);
        counts.close();
        readers.ifPresent(Readers::close);
        followers.forEach(Follower::close);
        lossy.forEach(LossyFollower::close);
    }
}
