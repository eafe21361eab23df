package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cdc.consumer.ChangeHead;
import dev.weir.cdc.consumer.Deduplicator;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.WeirStream;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.Cursor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a stream carries, in which order, and where it can be taken up again. */
class StreamTest {
    private final MemoryCluster cluster = MemoryCluster.of(4);
    private final RandomChanges changes = new RandomChanges(11);
    private Gateway gateway;

    private Gateway gateway() throws Exception {
        gateway = new Gateway(cluster, CdcConfig.defaults().withHeartbeat(Duration.ofMillis(300)));
        return gateway;
    }

    @AfterEach
    void close() throws Exception {
        gateway.close();
    }

    private void append(int batches) {
        for (int i = 0; i < batches; i++) {
            cluster.log(changes.below(4)).append(changes.batch());
        }
    }

    private List<ChangeEvent> mine(int partition) {
        return cluster.log(partition).events().stream()
                .filter(event -> event.tenant().equals("default"))
                .toList();
    }

    private int mine() {
        return cluster.logs.keySet().stream().mapToInt(p -> mine(p).size()).sum();
    }

    private static Map<Integer, List<Long>> byPartition(List<SseFrame> frames) {
        Map<Integer, List<Long>> seqs = new HashMap<>();
        frames.forEach(frame -> seqs.computeIfAbsent(frame.head().partition(), p -> new ArrayList<>())
                .add(frame.head().seq()));
        return seqs;
    }

    private void assertAllOfMine(List<SseFrame> frames) {
        Map<Integer, List<Long>> seqs = byPartition(frames);
        cluster.logs
                .keySet()
                .forEach(partition -> assertThat(seqs.getOrDefault(partition, List.of()))
                        .as("partition " + partition)
                        .isEqualTo(
                                mine(partition).stream().map(ChangeEvent::seq).toList()));
        assertPrevChains(frames, new HashMap<>());
    }

    private static void assertPrevChains(List<SseFrame> frames, Map<Integer, Long> last) {
        for (SseFrame frame : frames) {
            ChangeHead head = frame.head();
            assertThat(head.prev()).as(frame.data()).isEqualTo(last.put(head.partition(), head.seq()));
        }
    }

    @Test
    void carriesEveryEventOfTheTenantFromTheEarliestThenLive() throws Exception {
        append(60);
        try (WeirStream stream = gateway().open(gateway.options().from("earliest"))) {
            List<SseFrame> frames = new ArrayList<>(Gateway.take(stream, mine()));
            for (int round = 0; round < 20; round++) {
                int before = mine();
                append(3);
                frames.addAll(Gateway.take(stream, mine() - before));
            }
            assertAllOfMine(frames);
        }
        await().atMost(Gateway.PATIENCE).until(() -> cluster.listeners() == 0);
        assertThat(gateway.metric("weir.cdc.subscribers")).isZero();
        assertThat(gateway.metric("weir.cdc.ring.bytes")).isZero();
    }

    @Test
    void resumesExactlyAfterEveryEvent() throws Exception {
        append(25);
        List<SseFrame> all;
        Map<Integer, Integer> at = new LinkedHashMap<>();
        try (WeirStream stream = gateway().open(gateway.options().from("earliest"))) {
            all = new ArrayList<>(Gateway.take(stream, mine()));
            int before = mine();
            append(25);
            all.addAll(Gateway.take(stream, mine() - before));
        }
        for (int i = 0; i < all.size(); i += all.size() > 150 ? 2 : 1) {
            at.put(i, i);
        }
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> resumed = new ArrayList<>();
            at.keySet()
                    .forEach(i -> resumed.add(threads.submit(() -> {
                        assertResumes(all, i);
                        return null;
                    })));
            for (Future<?> one : resumed) {
                one.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void assertResumes(List<SseFrame> all, int i) throws Exception {
        List<SseFrame> rest = all.subList(i + 1, all.size());
        try (WeirStream stream = gateway.open(gateway.options().after(all.get(i).id()))) {
            List<SseFrame> frames = Gateway.take(stream, rest.size());
            assertThat(byPartition(frames)).as("after event " + i).isEqualTo(byPartition(rest));
            if (i % 16 == 0) {
                assertThat(stream.next(Duration.ofMillis(5)))
                        .satisfiesAnyOf(
                                frame -> assertThat(frame).isNull(),
                                frame -> assertThat(frame.isChange()).isFalse());
            }
        }
    }

    @Test
    void filtersByEveryKeyAndChainsPrevUnderTheFilter() throws Exception {
        append(80);
        gateway();
        record Case(String[] parameters, java.util.function.Predicate<ChangeEvent> wanted) {}
        List<Case> cases = List.of(
                new Case(
                        new String[] {"measurement", "cpu"},
                        e -> e.measurement().equals("cpu")),
                new Case(
                        new String[] {"measurement", "cpu", "measurement", "disk io"},
                        e -> !e.measurement().equals("mem")),
                new Case(
                        new String[] {"event_type", "series_deleted", "event_type", "measurement_dropped"},
                        e -> e.type().wireName().contains("delete")
                                || e.type().wireName().contains("drop")),
                new Case(
                        new String[] {"tag.host", "h1", "tag.host", "h2", "event_type", "point_written"},
                        e -> e.type().wireName().equals("point_written")
                                && e.tags().stream()
                                        .anyMatch(t -> t.value().equals("h1")
                                                || t.value().equals("h2"))),
                new Case(
                        new String[] {"tag.host", "", "event_type", "point_written"},
                        e -> e.type().wireName().equals("point_written")
                                && e.tags().isEmpty()),
                new Case(new String[] {"partition", "1", "partition", "3"}, e -> e.partition() % 2 == 1));
        for (Case one : cases) {
            var options = gateway.options().from("earliest");
            for (int i = 0; i < one.parameters().length; i += 2) {
                options = options.with(one.parameters()[i], one.parameters()[i + 1]);
            }
            Map<Integer, List<Long>> expected = new HashMap<>();
            cluster.logs.keySet().stream()
                    .flatMap(p -> mine(p).stream())
                    .filter(one.wanted())
                    .forEach(event -> expected.computeIfAbsent(event.partition(), p -> new ArrayList<>())
                            .add(event.seq()));
            int count = expected.values().stream().mapToInt(List::size).sum();
            assertThat(count).isPositive();
            try (WeirStream stream = gateway.open(options)) {
                List<SseFrame> frames = Gateway.take(stream, count);
                assertThat(byPartition(frames))
                        .as(String.join(" ", one.parameters()))
                        .isEqualTo(expected);
                assertPrevChains(frames, new HashMap<>());
            }
        }
    }

    @Test
    void carriesDeadLettersOnlyWhenNamed() throws Exception {
        cluster.log(0).append(MemoryBatch.point("_dead_letters", "a", 1, 1L));
        cluster.log(0).append(MemoryBatch.point("cpu", "a", 1, 1L));
        gateway();
        try (WeirStream all = gateway.open(gateway.options().from("earliest"));
                WeirStream named =
                        gateway.open(gateway.options().from("earliest").with("measurement", "_dead_letters"))) {
            assertThat(Gateway.take(all, 1).getFirst().data()).contains("\"measurement\":\"cpu\"");
            assertThat(Gateway.take(named, 1).getFirst().data()).contains("\"measurement\":\"_dead_letters\"");
        }
    }

    @Test
    void beginsAfterWhatWasCommittedBeforeTheRequestEvenWhereTheReplicaLags() throws Exception {
        append(20);
        cluster.feeds.get(2).lagAt(1);
        try (WeirStream stream = gateway().open(gateway.options())) {
            cluster.log(0).append(MemoryBatch.point("cpu", "fresh", 1, 1L));
            assertThat(Gateway.take(stream, 1).getFirst().data()).contains("fresh");
            cluster.log(2).append(MemoryBatch.point("cpu", "fresh too", 1, 1L));
            cluster.feeds.get(2).catchUp();
            assertThat(Gateway.take(stream, 1).getFirst().data()).contains("fresh too");
        }
    }

    @Test
    void beginsAtACommitTime() throws Exception {
        long base = 1_795_000_000_000_000_000L;
        for (int i = 0; i < 10; i++) {
            cluster.log(i % 4)
                    .append(MemoryBatch.point("cpu", "h" + i, i, (long) i).placed(0, 0, base + i * 1_000_000_000L));
        }
        gateway();
        String from = java.time.Instant.ofEpochSecond(base / 1_000_000_000L + 6).toString();
        try (WeirStream stream = gateway.open(gateway.options().from(from))) {
            assertThat(Gateway.take(stream, 4))
                    .extracting(frame -> frame.data().replaceAll(".*\"host\":\"(h\\d)\".*", "$1"))
                    .containsExactlyInAnyOrder("h6", "h7", "h8", "h9");
        }
    }

    @Test
    void deliversToEverySubscriberWhatItShallHaveWhileTheyComeAndGo() throws Exception {
        gateway();
        CountDownLatch stop = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(7);
        try {
            List<Future<Map<Integer, Long>>> readers = new ArrayList<>();
            for (int reader = 0; reader < 6; reader++) {
                boolean filtered = reader % 2 == 1;
                boolean resuming = reader < 4;
                readers.add(threads.submit(() -> follow(filtered, resuming)));
            }
            for (int i = 0; i < 300; i++) {
                append(2);
                if (i % 60 == 59) {
                    cluster.move(changes.below(4));
                }
            }
            for (int partition = 0; partition < 4; partition++) {
                cluster.log(partition).append(MemoryBatch.point("cpu", "end", 1, 1L));
            }
            for (Future<Map<Integer, Long>> reader : readers) {
                Map<Integer, Long> last = reader.get(60, TimeUnit.SECONDS);
                last.forEach((partition, seq) ->
                        assertThat(seq).isEqualTo(cluster.log(partition).nextSeq() - 1));
            }
        } finally {
            stop.countDown();
            threads.shutdownNow();
        }
    }

    /** Reads from the earliest until each partition's end mark; sees no hole and, within a connection, nothing twice. */
    private Map<Integer, Long> follow(boolean filtered, boolean resuming) throws Exception {
        Map<Integer, Long> ends = new HashMap<>();
        Deduplicator deduplicator = Deduplicator.filtered();
        var options = gateway.options().from("earliest");
        options = filtered ? options.with("measurement", "cpu") : options;
        String id = null;
        Map<Integer, List<Long>> seen = new HashMap<>();
        while (ends.size() < 4) {
            try (WeirStream stream = gateway.open(options.after(id))) {
                for (int i = 0; ends.size() < 4 && (!resuming || i < 400); i++) {
                    SseFrame frame = Gateway.take(stream, 1).getFirst();
                    assertThat(deduplicator.accept(frame.head()))
                            .as(frame.data() + " " + deduplicator.lastHole())
                            .isEqualTo(Deduplicator.Verdict.FRESH);
                    seen.computeIfAbsent(frame.head().partition(), p -> new ArrayList<>())
                            .add(frame.head().seq());
                    if (frame.data().contains("\"host\":\"end\"")) {
                        ends.put(frame.head().partition(), frame.head().seq());
                    }
                }
                id = stream.lastId();
            }
        }
        seen.forEach((partition, seqs) -> assertThat(seqs)
                .isEqualTo(mine(partition).stream()
                        .filter(event -> !filtered || event.measurement().equals("cpu"))
                        .map(ChangeEvent::seq)
                        .toList()));
        return ends;
    }

    @Test
    void goesOnAtAnotherReplicaWhenAFeedMovesFailsOrIsAwayForAWhile() throws Exception {
        try (WeirStream stream = gateway().open(gateway.options().with("partition", "1"))) {
            List<SseFrame> frames = new ArrayList<>();
            for (int round = 0; round < 6; round++) {
                switch (round % 3) {
                    case 0 -> cluster.move(1);
                    case 1 -> cluster.feeds.get(1).failing = true;
                    default -> cluster.feeds.remove(1).close();
                }
                for (int i = 0; i < 5; i++) {
                    cluster.log(1).append(MemoryBatch.point("cpu", "a", i, (long) i));
                }
                if (round % 3 != 0) {
                    cluster.feeds.put(1, new MemoryFeed(cluster.log(1)));
                    cluster.changed();
                }
                frames.addAll(Gateway.take(stream, 5));
            }
            assertAllOfMine(frames);
        }
    }

    @Test
    void takesInPartitionsThatAppearAfterTheirParentsLastEvent() throws Exception {
        append(10);
        try (WeirStream stream = gateway().open(gateway.options().from("earliest"));
                WeirStream one = gateway.open(gateway.options().from("earliest").with("partition", "2"))) {
            List<SseFrame> frames = new ArrayList<>(Gateway.take(stream, mine()));
            Gateway.take(one, mine(2).size());
            cluster.feeds.get(2).lagAt(cluster.log(2).nextSeq());
            cluster.log(2).append(MemoryBatch.point("cpu", "last", 1, 1L));
            MemoryLog child = cluster.add(7, cluster.log(2).nextSeq(), List.of(2));
            child.append(MemoryBatch.point("cpu", "child", 1, 1L));
            cluster.end(2);
            cluster.log(0).append(MemoryBatch.point("cpu", "else", 1, 1L));
            frames.addAll(Gateway.take(stream, 1));
            assertThat(frames.getLast().data()).contains("else");
            cluster.feeds.get(2).catchUp();
            frames.addAll(Gateway.take(stream, 2));
            assertAllOfMine(frames);
            assertThat(frames.getLast().data()).contains("\"host\":\"child\"");
            assertThat(Gateway.take(one, 2))
                    .extracting(frame -> frame.head().partition())
                    .containsExactly(2, 7);

            String beforeSplit = new Cursor(new java.util.TreeMap<>(Map.of(
                            0, cluster.log(0).nextSeq(),
                            1, cluster.log(1).nextSeq(),
                            2, cluster.log(2).nextSeq() - 1,
                            3, cluster.log(3).nextSeq())))
                    .encode("default");
            try (WeirStream resumed = gateway.open(gateway.options().after(beforeSplit))) {
                assertThat(Gateway.take(resumed, 2))
                        .extracting(frame -> frame.head().partition())
                        .containsExactly(2, 7);
            }
        }
    }

    @Test
    void statesOnQuietStreamsHowFarItHasRead() throws Exception {
        try (WeirStream quiet = gateway().open(gateway.options().with("measurement", "quiet"))) {
            append(40);
            for (int partition = 0; partition < 4; partition++) {
                cluster.log(partition).append(MemoryBatch.point("cpu", "a", 1, 1L));
            }
            String covered = expectedCursor();
            SseFrame checkpoint = Gateway.takeControl(quiet, "checkpoint");
            while (!covered.equals(checkpoint.id())) {
                checkpoint = Gateway.takeControl(quiet, "checkpoint");
            }
            assertThat(checkpoint.data()).startsWith("{\"cursor\":\"" + covered + "\",\"next\":{\"0\":");
            for (int partition = 0; partition < 4; partition++) {
                cluster.log(partition).trim(cluster.log(partition).nextSeq());
            }
            cluster.log(1).append(MemoryBatch.point("quiet", "a", 1, 1L));
            try (WeirStream resumed =
                    gateway.open(gateway.options().with("measurement", "quiet").after(checkpoint.id()))) {
                assertThat(Gateway.take(resumed, 1).getFirst().data()).contains("\"measurement\":\"quiet\"");
            }
        }
    }

    private String expectedCursor() {
        java.util.TreeMap<Integer, Long> next = new java.util.TreeMap<>();
        cluster.logs.forEach((partition, log) -> next.put(partition, log.nextSeq()));
        return new Cursor(next).encode("default");
    }

    @Test
    void waitsForAReplicaElsewhereToBeFoundBeforeItBegins() throws Exception {
        append(10);
        MemoryFeed away = cluster.feeds.remove(3);
        gateway();
        Thread found = Thread.ofVirtual().unstarted(() -> {
            cluster.feeds.put(3, away);
            cluster.changed();
        });
        vertxTimer(300, found::start);
        try (WeirStream stream = gateway.open(gateway.options().from("earliest"))) {
            assertAllOfMine(Gateway.take(stream, mine()));
        }
        found.join();
    }

    private void vertxTimer(long ms, Runnable task) {
        gateway.vertx.setTimer(ms, timer -> task.run());
    }

    @Test
    void callsNoStreamLostWhileReplicasCloseAndOpen() throws Exception {
        append(40);
        for (int partition = 0; partition < 4; partition++) {
            cluster.log(partition).trim(cluster.log(partition).oldestSeq() + 1);
        }
        gateway();
        Thread mover = Thread.ofVirtual().start(() -> {
            for (int i = 0; i < 2000; i++) {
                cluster.move(i % 4);
                Thread.yield();
            }
        });
        for (int round = 0; round < 10; round++) {
            try (WeirStream stream = gateway.open(gateway.options().from("earliest"))) {
                List<SseFrame> frames = Gateway.take(stream, mine());
                assertAllOfMine(frames);
                try (WeirStream resumed =
                        gateway.open(gateway.options().after(frames.get(3).id()))) {
                    assertThat(Gateway.take(resumed, mine() - 4)).hasSize(mine() - 4);
                }
            }
        }
        mover.join();
        assertThat(gateway.metric("weir.cdc.lost")).isZero();
    }

    @Test
    void endsGracefullyWithACheckpointThatIsTrue() throws Exception {
        append(30);
        try (WeirStream stream = gateway().open(gateway.options().from("earliest"))) {
            Gateway.take(stream, mine());
            gateway.routes.close().toCompletableFuture().get(20, TimeUnit.SECONDS);
            assertThat(Gateway.takeControl(stream, "checkpoint").id()).isEqualTo(expectedCursor());
        }
        assertThat(gateway.get("").statusCode()).isEqualTo(503);
    }
}
