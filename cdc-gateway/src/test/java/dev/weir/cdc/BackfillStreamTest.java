package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.StreamOptions;
import dev.weir.cdc.consumer.WeirStream;
import dev.weir.partition.catalog.LeaseRecord;
import dev.weir.partition.model.ChangeEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code on_gap=backfill}: what survived of events that the log no longer has, gaps for the rest, then the log. */
final class BackfillStreamTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long COMMIT = 1_790_000_000_000_000_000L;

    /** Of {@link #history()}, from its first seq on. */
    private static final String[] TOLD = {
        "2 backfill", "4 backfill", "3 backfill", "gap 0:1-1", "checkpoint 5", "5 log", "6 log"
    };

    @TempDir
    private Path folder;

    private final MemoryCluster cluster = MemoryCluster.of(2);
    private Gateway one;
    private Gateway two;
    private FileHistory history;

    @BeforeEach
    void open() throws Exception {
        history = new FileHistory(cluster, folder);
        HistorySource source = new HistorySource(history, HistoryConfig.DEFAULTS);
        one = new Gateway(cluster, cluster, CdcConfig.defaults(), source);
        two = new Gateway(cluster, cluster, CdcConfig.defaults(), source);
    }

    @AfterEach
    void close() throws Exception {
        one.close();
        two.close();
    }

    private void write(int partition, String host, long time) {
        cluster.log(partition).append(MemoryBatch.point("cpu", host, time, (double) time));
    }

    /** Seq 1 is overwritten by 2; 1 to 4 are in a file and gone from the log, 5 and 6 are in the log. */
    private void history() throws IOException {
        write(0, "a", 1);
        write(0, "a", 1);
        write(0, "b", 1);
        write(0, "a", 2);
        history.flush(0, 1);
        write(0, "c", 1);
        write(0, "a", 3);
        cluster.log(0).trim(5);
    }

    /** As {@link #history()}, but with a second day, and a second partition of which the log has nothing. */
    private void twoDaysOfTwoPartitions() throws IOException {
        write(0, "a", 1);
        write(0, "a", 1);
        write(0, "b", 1);
        write(0, "a", FileHistory.DAY);
        history.flush(0, 1);
        write(1, "a", 1);
        write(1, "b", FileHistory.DAY);
        write(1, "b", FileHistory.DAY);
        write(1, "a", FileHistory.DAY + 1);
        history.flush(1, 1);
        write(0, "c", 1);
        write(0, "a", 3);
        write(0, "a", 4);
        cluster.log(0).trim(5);
        cluster.log(1).trim(5);
    }

    @Test
    void rowsThatSurvivedThenGapsThenTheLog() throws Exception {
        history();

        assertThat(told(one, from("0:0,1:0"), 5)).containsExactly(TOLD);
        assertThat(told(one, from("0:2,1:0"), 4))
                .containsExactly("4 backfill", "3 backfill", "checkpoint 5", "5 log", "6 log");
        assertThat(told(one, from("earliest"), 5)).containsExactly(TOLD);
        Instant time = Instant.ofEpochSecond(0, COMMIT + 1);
        assertThat(told(one, from(time.toString()), 5)).containsExactly(TOLD);
    }

    @Test
    void aFilterLeavesGapsWhereItTakesNothing() throws Exception {
        history();

        assertThat(told(one, from("0:0,1:0").with("event_type", "series_deleted"), 0))
                .containsExactly("gap 0:1-4", "checkpoint 5");
        assertThat(told(one, from("0:0,1:0").with("tag.host", "b"), 1))
                .as("survivors that the filter leaves out are no gap")
                .containsExactly("3 backfill", "gap 0:1-1", "checkpoint 5");
    }

    @Test
    void aDayThatCanNeverBeReadEndsTheStreamAtOnceAndSaysWhy() throws Exception {
        history();
        history.roomy = false;
        try (RawStream stream = new RawStream(one.port(), "?from=snapshot&measurement=cpu", null)) {
            assertThat(stream.readUntil("event: lost\ndata: ", "\n\n"))
                    .contains("1970-01-01")
                    .contains("cache.bytes-max");
        }
        assertThat(one.metric("weir.cdc.history.retries")).isZero();
    }

    @Test
    void withoutItAnOldCursorIsRefusedAndAYoungOneNeedsNone() throws Exception {
        history();

        assertThat(one.get("?from=0:0,1:0").statusCode()).isEqualTo(410);
        assertThat(one.get("?from=0:0,1:0&on_gap=refuse").statusCode()).isEqualTo(410);
        assertThat(one.get("?from=0:0&on_gap=backfill").statusCode()).isEqualTo(400);
        assertThat(told(one, from("0:4,1:0"), 2)).containsExactly("5 log", "6 log");
        assertThat(cluster.leases).isEmpty();
    }

    /** Where one partition is too old, what the cursor says of the others is looked at all the same. */
    @Test
    void aCursorThatNoEventEverHadIsRefusedThoughOneOfItsPartitionsIsTooOld() throws Exception {
        history();
        write(1, "a", 1);

        assertThat(one.get("?from=0:0,1:1&on_gap=refuse").statusCode()).isEqualTo(410);
        for (String cursor : List.of("0:0,1:2", "0:0,1:0,7:0", "0:0,7:0")) {
            HttpResponse<String> refused = one.get("?on_gap=backfill&from=" + cursor);

            assertThat(refused.statusCode()).as(cursor).isEqualTo(400);
            assertThat(refused.body())
                    .as(cursor)
                    .contains("bad_cursor")
                    .contains(cursor.contains("7") ? "partition 7" : "partition 1");
        }
        assertThat(one.get("?from=0:0,7:0").body())
                .as("unknown comes before too old")
                .contains("bad_cursor");
        assertThat(history.cuts).hasValue(0);
        assertThat(told(one, from("0:0,1:1"), 5)).containsExactly(TOLD);
    }

    @Test
    void onlyPartitionsWhoseLogDoesNotReachBackAreCutAndTheLogIsHeldFromWhereItIsRead() throws Exception {
        history();
        write(1, "a", 1);
        write(1, "a", 2);

        assertThat(told(one, from("0:0,1:2"), 5)).containsExactly(TOLD);
        assertThat(history.cuts).hasValue(1);
        assertThat(cluster.leases.values().iterator().next().held())
                .containsExactly(new LeaseRecord.Held(0, 5, 5, 1), new LeaseRecord.Held(1, 3, 3, 3));
    }

    @Test
    void whereTheLogIsTrimmedBeyondTheCutNothingThatNewerFilesHaveIsToldAsGone() throws Exception {
        history();
        history.afterCut.set(() -> {
            try {
                history.flush(0, 5);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            cluster.log(0).trim(7);
            write(0, "d", 1);
        });

        assertThat(told(one, from("0:0,1:0"), 6))
                .containsExactly(
                        "2 backfill",
                        "4 backfill",
                        "6 backfill",
                        "3 backfill",
                        "5 backfill",
                        "gap 0:1-1",
                        "checkpoint 7",
                        "7 log");
        assertThat(history.cuts).hasValue(2);
    }

    /** Nothing holds it before the lease is taken, and cutting takes a while. */
    @Test
    void aPartitionWhoseLogIsTrimmedWhileAnotherIsCutIsCutToo() throws Exception {
        history();
        write(1, "a", 1);
        write(1, "b", 1);
        write(1, "a", 2);
        history.afterCut.set(() -> {
            try {
                history.flush(1, 1);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            cluster.log(1).trim(4);
        });

        assertThat(told(one, from("0:0,1:1"), 7))
                .containsExactly(
                        "2 backfill",
                        "4 backfill",
                        "3 backfill",
                        "gap 0:1-1",
                        "3 backfill",
                        "2 backfill",
                        "checkpoint 5",
                        "5 log",
                        "6 log");
        assertThat(history.cuts).hasValue(2);
        assertThat(cluster.leases.values().iterator().next().held())
                .containsExactly(new LeaseRecord.Held(0, 5, 5, 1), new LeaseRecord.Held(1, 4, 4, 2));
    }

    @Test
    void filesAreReadWhereTheReplicaHereIsBehindTheCut() throws Exception {
        history();
        cluster.feeds.get(0).lagAt(6);

        assertThat(told(one, from("0:0,1:0"), 4)).containsExactly(Arrays.copyOf(TOLD, TOLD.length - 1));
    }

    @Test
    void readingAgainWhatWasTakenRenewsTheLease() throws Exception {
        int days = 4;
        for (int day = 0; day < days; day++) {
            write(0, "a", day * FileHistory.DAY);
        }
        history.flush(0, 1);
        write(0, "a", 1);
        cluster.log(0).trim(days + 1);
        HistoryConfig bounds = new HistoryConfig(Duration.ofMillis(1_200), Duration.ofHours(1), 64, 8);
        try (Gateway gateway =
                new Gateway(cluster, cluster, CdcConfig.defaults(), new HistorySource(history, bounds))) {
            List<SseFrame> all = frames(gateway, from("0:0,1:0"), days + 1);
            history.onOpen = number -> {
                int before = cluster.renewals.get();
                await().atMost(Gateway.PATIENCE).until(() -> cluster.renewals.get() > before);
            };

            assertThat(tell(frames(gateway, options().after(all.get(days - 1).id()), 1)))
                    .containsExactly("checkpoint " + (days + 1), (days + 1) + " log");
        }
    }

    @Test
    void recordBatchesHaveTheSameRowsAndGapsAndGoOnWithTheLog() throws Exception {
        history();
        for (String layout : List.of("full", "fixed")) {
            List<String> told = new ArrayList<>();
            String query = "?on_gap=backfill&from=0:0,1:0&measurement=cpu&layout=" + layout;
            try (ArrowClient client = ArrowClient.open(one, query)) {
                for (int rows = 0; rows < 5; ) {
                    ArrowClient.Batch batch = client.next();
                    String source = batch.metadata().getOrDefault("weir.source", "log");
                    batch.column("seq").forEach(seq -> told.add(seq + " " + source));
                    String gap = batch.metadata().get("weir.gap");
                    if (gap != null) {
                        told.add(gap(JSON.readTree(gap)));
                    }
                    rows += batch.rows();
                }
            }
            assertThat(told)
                    .as(layout)
                    .containsExactly("2 backfill", "4 backfill", "3 backfill", "gap 0:1-1", "5 log", "6 log");
        }
    }

    @Test
    void goesOnBehindEachFrameOnAnotherNode() throws Exception {
        twoDaysOfTwoPartitions();
        List<SseFrame> all = frames(one, from("0:0,1:0"), 9);
        assertThat(tell(all))
                .containsExactly(
                        "2 backfill",
                        "3 backfill",
                        "4 backfill",
                        "gap 0:1-1",
                        "1 backfill",
                        "4 backfill",
                        "3 backfill",
                        "gap 1:2-2",
                        "checkpoint 5",
                        "5 log",
                        "6 log",
                        "7 log");
        for (int at = 0; at < all.size() - 1; at++) {
            StreamOptions rest = options().after(all.get(at).id());
            int changes =
                    (int) all.stream().skip(at + 1).filter(SseFrame::isChange).count();

            assertThat(tell(frames(two, rest, changes))).isEqualTo(tell(all.subList(at + 1, all.size())));
        }
    }

    /** What was delivered and the gaps are all that was committed, and no seq is both. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void deliveredAndGapsAreWhatWasCommitted(long seed) throws Exception {
        Random random = new Random(seed);
        long flushed = 1;
        Map<String, Long> newest = new HashMap<>();
        Collection<Long> inFiles = List.of();
        for (int i = 1; i <= 300; i++) {
            String host = "h" + random.nextInt(4);
            long time = 1 + random.nextInt(30);
            write(0, host, time);
            newest.put(host + " " + time, (long) i);
            if (random.nextInt(100) == 0 || i == 250) {
                history.flush(0, flushed);
                flushed = i + 1;
                inFiles = List.copyOf(newest.values());
            }
        }
        long trimmed = 1 + random.nextInt(250);
        cluster.log(0).trim(trimmed);
        long start = 1 + random.nextInt((int) trimmed);
        TreeSet<Long> seen = new TreeSet<>();
        List<Long> survived = new ArrayList<>();
        for (SseFrame frame : frames(one, from("0:" + (start - 1) + ",1:0"), -1)) {
            JsonNode data = JSON.readTree(frame.data());
            if (frame.isChange()) {
                assertThat(seen.add(data.get("seq").asLong())).isTrue();
                if (data.get("source").asText().equals("backfill")) {
                    survived.add(data.get("seq").asLong());
                }
            } else if (frame.event().equals("gap")) {
                for (long seq = data.get("first_seq").asLong();
                        seq <= data.get("last_seq").asLong();
                        seq++) {
                    assertThat(seen.add(seq)).isTrue();
                }
            }
        }
        assertThat(seen).hasSize((int) (301 - start));
        assertThat(seen.first()).isEqualTo(start);
        assertThat(survived)
                .containsExactlyInAnyOrderElementsOf(inFiles.stream()
                        .filter(seq -> seq >= start && seq < trimmed)
                        .toList());
    }

    private static StreamOptions options() {
        return StreamOptions.of(java.net.URI.create("http://x")).with("measurement", "cpu");
    }

    private static StreamOptions from(String start) {
        return options().with("on_gap", "backfill").from(start);
    }

    private List<String> told(Gateway gateway, StreamOptions options, int changes) throws Exception {
        return tell(frames(gateway, options, changes));
    }

    /** Up to so many changes and, where there is none in the log, the checkpoint; -1: up to the last event of the log. */
    private List<SseFrame> frames(Gateway gateway, StreamOptions options, int changes) throws Exception {
        StreamOptions here = new StreamOptions(
                List.of(gateway.base()),
                options.token(),
                options.parameters(),
                options.from(),
                options.lastId(),
                options.connectTimeout(),
                options.silenceMax());
        List<SseFrame> frames = new ArrayList<>();
        int found = 0;
        try (WeirStream stream = gateway.open(here)) {
            for (boolean done = false; !done; ) {
                SseFrame frame = stream.next(Gateway.PATIENCE);
                assertThat(frame).isNotNull();
                frames.add(frame);
                found += frame.isChange() ? 1 : 0;
                boolean isLast = frame.isChange()
                        && frame.head().seq() == last()
                        && !frame.head().isRow();
                boolean isEnd = frame.event().equals("checkpoint") && changes >= 0 && found >= changes && changes < 2;
                done = isLast || isEnd || changes >= 2 && found == changes;
            }
        }
        return frames;
    }

    private long last() {
        return cluster.log(0).events().stream()
                .mapToLong(ChangeEvent::seq)
                .max()
                .orElse(0);
    }

    private static String gap(JsonNode data) {
        return "gap " + data.get("partition") + ":" + data.get("first_seq") + "-" + data.get("last_seq");
    }

    private static List<String> tell(List<SseFrame> frames) throws Exception {
        List<String> told = new ArrayList<>();
        for (SseFrame frame : frames) {
            JsonNode data = JSON.readTree(frame.data());
            told.add(
                    switch (frame.event()) {
                        case "gap" -> gap(data);
                        case "checkpoint" -> "checkpoint " + data.at("/next/0");
                        default -> data.get("seq") + " " + data.get("source").asText();
                    });
        }
        return told;
    }
}
