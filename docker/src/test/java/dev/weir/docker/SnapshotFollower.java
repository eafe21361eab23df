package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cdc.consumer.Outcome;
import dev.weir.cdc.consumer.StreamOptions;
import dev.weir.cdc.consumer.WeirStream;
import dev.weir.partition.check.FoldedTable;
import dev.weir.partition.check.PointKey;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.SeriesKey;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots of the table, one after the other, in the middle of whatever happens and where a leader dies; crashes among the rows of each and goes on at another node. {@link #check} holds each against the
 * log: its rows are what the log came to before its cut, each with the seq of its last change, and the log goes on right behind it.
 */
final class SnapshotFollower implements AutoCloseable {
    private static final int ROWS_OF_A_LIFE = 300;
    private static final int EVENTS_AFTER = 50;
    private static final Duration PAUSE = Duration.ofSeconds(4);

    private final List<URI> nodes;
    private final IntSupplier acknowledged;
    private final Random random;
    private final Semaphore deaths = new Semaphore(0);
    private final List<Snapshot> snapshots = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;
    private volatile int connects;
    private int lives;
    private volatile int refusals;

    /** A row as it came. */
    private record Row(long seq, Map<String, Object> fields) {}

    /**
     * @param atADeath it was asked for since a leader had just been killed
     * @param resumed connections that were begun when some of its rows had come and others had not
     * @param acknowledgedBefore rows acknowledged before it was asked for
     * @param cut by partition the seq that it ends before
     * @param after the first events behind it
     */
    private record Snapshot(
            boolean atADeath,
            int resumed,
            int acknowledgedBefore,
            Map<PointKey, Row> rows,
            SortedMap<Integer, Long> cut,
            List<ChangeEvent> after) {}

    SnapshotFollower(List<URI> nodes, IntSupplier acknowledged, long seed) {
        this.nodes = nodes;
        this.acknowledged = acknowledged;
        this.random = new Random(seed);
        this.thread = Thread.ofPlatform().name("follower-snapshots").start(this::run);
    }

    private void run() {
        try {
            deaths.acquire();
            boolean atADeath = true;
            while (!closed) {
                take(atADeath);
                deaths.drainPermits();
                atADeath = deaths.tryAcquire(PAUSE.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (Exception | AssertionError e) {
            failure = e;
        }
    }

    /** A leader was killed just now: a snapshot begins, unless one is under way. The first waits for it. */
    void leaderKilled() {
        deaths.release();
    }

    private void take(boolean atADeath) throws IOException, InterruptedException {
        Map<PointKey, Row> rows = new HashMap<>();
        List<ChangeEvent> after = new ArrayList<>();
        SortedMap<Integer, Long> cut = null;
        int before = acknowledged.getAsInt();
        int resumed = 0;
        // There are as many rows as are acknowledged: the first life ends among them.
        int left = 1 + random.nextInt(Math.clamp(before - 1, 1, ROWS_OF_A_LIFE));
        String place = null;
        while (!closed && after.size() < EVENTS_AFTER) {
            resumed += place != null && cut == null && !rows.isEmpty() ? 1 : 0;
            try (WeirStream stream = WeirStream.open(options(place))) {
                while (!closed && after.size() < EVENTS_AFTER && left > 0) {
                    Outcome outcome = stream.receive(Duration.ofMillis(200));
                    switch (outcome) {
                        case null -> {}
                        case Outcome.Change change -> {
                            take(change, rows, after);
                            left--;
                        }
                        case Outcome.SnapshotEnd end -> cut = end.next();
                        case Outcome.Progress progress -> {}
                        case Outcome.Refused busy -> refusals++;
                        case Outcome other -> throw new AssertionError("expected a snapshot, found " + other);
                    }
                }
                place = stream.lastId() == null ? place : stream.lastId();
                connects += (int) stream.connects();
            }
            left = 1 + random.nextInt(ROWS_OF_A_LIFE);
        }
        if (cut != null) {
            snapshots.add(new Snapshot(atADeath, resumed, before, rows, cut, after));
        }
    }

    private StreamOptions options(@Nullable String place) {
        List<URI> order = new ArrayList<>(nodes);
        Collections.rotate(order, lives++);
        return StreamOptions.of(order.toArray(URI[]::new))
                .silenceMax(Duration.ofSeconds(20))
                .with("measurement", CounterWriter.MEASUREMENT)
                .from("snapshot")
                .after(place);
    }

    private static void take(Outcome.Change change, Map<PointKey, Row> rows, List<ChangeEvent> after)
            throws IOException {
        ChangeEvent row = StreamedEvents.parse("default", change.data());
        if (!change.head().isRow()) {
            after.add(row);
            return;
        }
        PointKey key = new PointKey(new SeriesKey(row.tenant(), row.measurement(), row.tags()), row.timestampNanos());
        Row earlier = rows.put(key, new Row(row.seq(), row.fields()));
        if (earlier != null) {
            throw new AssertionError("a row came twice: " + earlier + ", then " + change.data());
        }
    }

    /** A snapshot that began where a leader had been killed is whole. */
    void checkItHappened() {
        Throwable failed = failure;
        if (failed != null) {
            throw new AssertionError("the follower of snapshots failed: " + failed.getMessage(), failed);
        }
        assertThat(snapshots)
                .as("snapshots begun where a leader had been killed")
                .anyMatch(Snapshot::atADeath);
    }

    /** @param log all events that there are, in order within each partition */
    void check(List<ChangeEvent> log) {
        checkItHappened();
        for (Snapshot snapshot : snapshots) {
            assertThat(snapshot.resumed())
                    .as("times that a snapshot cut at %s was gone on with among its rows", snapshot.cut())
                    .isPositive();
            assertThat(snapshot.rows().size())
                    .as("rows of a snapshot that was asked for when so many were acknowledged")
                    .isGreaterThanOrEqualTo(snapshot.acknowledgedBefore());
            assertThat(snapshot.rows())
                    .as("a snapshot cut at %s", snapshot.cut())
                    .isEqualTo(tableAt(log, snapshot.cut()));
            checkSeam(snapshot);
        }
    }

    private static Map<PointKey, Row> tableAt(List<ChangeEvent> log, SortedMap<Integer, Long> cut) {
        FoldedTable table = new FoldedTable();
        Map<PointKey, Long> lastSeq = new HashMap<>();
        for (ChangeEvent event : log) {
            if (event.measurement().equals(CounterWriter.MEASUREMENT)
                    && event.seq() < cut.getOrDefault(event.partition(), 1L)) {
                table.event(event);
                SeriesKey series = new SeriesKey(event.tenant(), event.measurement(), event.tags());
                lastSeq.put(new PointKey(series, event.timestampNanos()), event.seq());
            }
        }
        Map<PointKey, Row> rows = new HashMap<>();
        table.points()
                .forEach((series, points) -> points.forEach((time, fields) -> {
                    PointKey key = new PointKey(series, time);
                    rows.put(key, new Row(lastSeq.getOrDefault(key, 0L), fields));
                }));
        return rows;
    }

    /** Dense, since no other table is written to. */
    private static void checkSeam(Snapshot snapshot) {
        Map<Integer, Long> next = new HashMap<>(snapshot.cut());
        for (ChangeEvent event : snapshot.after()) {
            assertThat(event.seq())
                    .as("the log behind the cut %s", snapshot.cut())
                    .isEqualTo(next.get(event.partition()));
            next.put(event.partition(), event.seq() + 1);
        }
    }

    String report() {
        return snapshots.size() + " snapshots ("
                + snapshots.stream().filter(Snapshot::atADeath).count() + " begun at a leader's death, gone on with "
                + snapshots.stream().mapToInt(Snapshot::resumed).sum() + " times among their rows) of "
                + snapshots.stream()
                        .mapToInt(snapshot -> snapshot.rows().size())
                        .sum() + " rows, " + connects
                + " connections, " + refusals + " refusals";
    }

    @Override
    public void close() {
        closed = true;
        deaths.release();
        try {
            thread.join(Duration.ofSeconds(30));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
