package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.WeirStream;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that begin with the table: rows, the end of the snapshot, and the log from the cut on. */
final class SnapshotStreamTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String QUERY = "?from=snapshot&measurement=cpu";

    private static final int PARTITIONS = 12;

    private final MemoryCluster cluster = MemoryCluster.of(2);
    private final MemoryHistory history = new MemoryHistory(cluster);
    private final List<Gateway> gateways = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (Gateway gateway : gateways) {
            gateway.close();
        }
    }

    private Gateway gateway() throws Exception {
        return gateway(CdcConfig.defaults(), HistoryConfig.DEFAULTS);
    }

    private Gateway gateway(CdcConfig config, HistoryConfig bounds) throws Exception {
        Gateway gateway = new Gateway(cluster, cluster, config, new HistorySource(history, bounds));
        gateways.add(gateway);
        return gateway;
    }

    private void write(int partition, String host, long time, double value) {
        cluster.log(partition).append(MemoryBatch.point("cpu", host, time, value));
    }

    @Test
    void sendsEachRowOnceAsItStandsThenTheEndThenWhatComesAfter() throws Exception {
        write(0, "a", 1, 1.0);
        write(0, "a", 1, 2.0);
        write(0, "a", 2, 3.0);
        write(1, "b", 1, 4.0);
        Gateway gateway = gateway();
        try (WeirStream stream =
                gateway.open(gateway.options().with("measurement", "cpu").from("snapshot"))) {
            List<SseFrame> rows = Gateway.take(stream, 3);
            SseFrame end = stream.next(Gateway.PATIENCE);
            write(0, "a", 1, 5.0);
            SseFrame change = Gateway.take(stream, 1).getFirst();

            assertThat(rows).extracting(frame -> text(frame, "seq")).containsExactly("2", "3", "1");
            assertThat(rows).extracting(frame -> text(frame, "source")).containsOnly("snapshot");
            assertThat(rows).extracting(frame -> text(frame, "operation")).containsOnly("insert");
            assertThat(text(rows.getFirst(), "fields")).isEqualTo("{\"value\":2.0}");
            assertThat(end.event()).isEqualTo("snapshot_end");
            assertThat(text(end, "next")).isEqualTo("{\"0\":4,\"1\":2}");
            assertThat(text(change, "seq")).isEqualTo("4");
            assertThat(text(change, "source")).isEqualTo("log");
        }
    }

    @Test
    void aFrameIsLikeThoseOfTheLog() throws Exception {
        write(0, "a", 1, 0.5);
        Gateway gateway = gateway();
        try (RawStream stream = new RawStream(gateway.port(), QUERY, null)) {
            String id = stream.readUntil("Weir-Cursor: ", "\r\n").substring("Weir-Cursor: ".length());
            String data = stream.readUntil("data: ", "\n");

            assertThat(id).hasSizeGreaterThan(20);
            assertThat(data)
                    .isEqualTo(
                            "data: {\"seq\":1,\"prev\":null,\"partition\":0,\"event_type\":\"point_written\","
                                    + "\"operation\":\"insert\",\"measurement\":\"cpu\",\"timestamp\":1,"
                                    + "\"time\":\"1970-01-01T00:00:00.000000001Z\",\"tags\":{\"host\":\"a\"},\"fields\":{\"value\":0.5},"
                                    + "\"schema_version\":1,\"committed_at\":\"2026-09-21T14:13:20.000000001Z\",\"source\":\"snapshot\"}");
        }
    }

    @Test
    void filtersByTagsPartitionsAndTypes() throws Exception {
        write(0, "a", 1, 1.0);
        write(0, "b", 1, 1.0);
        write(1, "a", 1, 1.0);
        Gateway gateway = gateway();

        assertThat(rows(gateway, "&tag.host=a")).hasSize(2);
        assertThat(rows(gateway, "&partition=1")).hasSize(1);
        assertThat(rows(gateway, "&event_type=series_deleted")).isEmpty();
        assertThat(rows(gateway, "")).hasSize(3);
    }

    private List<String> rows(Gateway gateway, String filter) throws Exception {
        try (RawStream stream = new RawStream(gateway.port(), QUERY + filter, null)) {
            return stream.readUntil("event: snapshot_end\n")
                    .lines()
                    .filter(line -> line.startsWith("event: point_written"))
                    .toList();
        }
    }

    @Test
    void resumesBehindEachRowOnAnotherNode() throws Exception {
        for (int i = 0; i < 20; i++) {
            write(i % 2, "h" + i % 3, i * 40_000_000_000_000L, i);
        }
        List<SseFrame> all = new ArrayList<>();
        Gateway gateway = gateway();
        try (WeirStream stream =
                gateway.open(gateway.options().with("measurement", "cpu").from("snapshot"))) {
            all.addAll(Gateway.take(stream, 20));
        }
        write(0, "h0", 0, 99);
        Gateway other = gateway();
        for (int from = 0; from < all.size(); from++) {
            try (WeirStream stream = other.open(other.options()
                    .with("measurement", "cpu")
                    .after(all.get(from).id()))) {
                List<SseFrame> rest = Gateway.take(stream, all.size() - from);

                assertThat(rest.subList(0, rest.size() - 1)).isEqualTo(all.subList(from + 1, all.size()));
                assertThat(text(rest.getLast(), "source")).isEqualTo("log");
                assertThat(text(rest.getLast(), "seq")).isEqualTo("11");
            }
        }
    }

    @Test
    void aSnapshotThatIsHeldNoMoreIsGoneWithAHint() throws Exception {
        write(0, "a", 1, 1.0);
        Gateway gateway = gateway();
        String id;
        try (WeirStream stream =
                gateway.open(gateway.options().with("measurement", "cpu").from("snapshot"))) {
            id = Gateway.take(stream, 1).getFirst().id();
        }
        assertThat(gateway.get("?measurement=mem&last_event_id=" + id).statusCode())
                .isEqualTo(400);
        assertThat(gateway.get("?measurement=cpu&last_event_id=" + id, "Tenant", "other")
                        .statusCode())
                .isEqualTo(400);

        cluster.leases.clear();
        HttpResponse<String> refused = gateway.get("?measurement=cpu&last_event_id=" + id);

        assertThat(refused.statusCode()).isEqualTo(410);
        JsonNode body = JSON.readTree(refused.body());
        assertThat(body.get("code").asText()).isEqualTo("cursor_too_old");
        assertThat(body.get("hint").asText()).contains("from=snapshot").contains("on_gap=backfill");
        assertThat(body.get("oldest_cursor").asText()).isNotEmpty();
    }

    @Test
    void leasesAreListedToTheirTenantAndCanBeGivenUp() throws Exception {
        write(0, "a", 1, 1.0);
        Gateway gateway = gateway();
        String id;
        try (WeirStream stream =
                gateway.open(gateway.options().with("measurement", "cpu").from("snapshot"))) {
            id = Gateway.take(stream, 1).getFirst().id();
        }
        JsonNode lease = JSON.readTree(
                        gateway.send("GET", "/api/v1/cdc/leases", "default").body())
                .get("leases")
                .get(0);

        assertThat(lease.get("measurements").toString()).isEqualTo("[\"cpu\"]");
        assertThat(lease.get("partitions").get("0").toString()).isEqualTo("{\"from_seq\":1,\"cut_seq\":2}");
        String path = "/api/v1/cdc/leases/" + lease.get("id").asText();
        assertThat(gateway.send("GET", "/api/v1/cdc/leases", "other").body()).contains("[]");
        assertThat(gateway.send("DELETE", path, "other").statusCode()).isEqualTo(404);
        assertThat(gateway.send("DELETE", path, "default").statusCode()).isEqualTo(204);
        assertThat(gateway.send("DELETE", path, "default").statusCode()).isEqualTo(404);
        assertThat(gateway.get("?measurement=cpu&last_event_id=" + id).statusCode())
                .isEqualTo(410);
    }

    @Test
    void readingRenewsTheLeaseAndTheCatalogIsAskedSeldom() throws Exception {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            if (partition > 1) {
                cluster.add(partition, 1, List.of());
            }
            write(partition, "a", 1, 1.0);
            history.failingOnce.add(partition);
        }
        Gateway gateway =
                gateway(CdcConfig.defaults(), new HistoryConfig(Duration.ofSeconds(1), Duration.ofHours(1), 64, 8));
        try (WeirStream stream =
                gateway.open(gateway.options().with("measurement", "cpu").from("snapshot"))) {
            assertThat(Gateway.take(stream, PARTITIONS)).hasSize(PARTITIONS);
            assertThat(stream.next(Gateway.PATIENCE).event()).isEqualTo("snapshot_end");
        }
        assertThat(gateway.metric("weir.cdc.history.retries"))
                .as("each waits a quarter of the lease")
                .isEqualTo(PARTITIONS);
        assertThat(cluster.renewals.get()).isBetween(2, PARTITIONS);
    }

    @Test
    void aClientThatTakesNothingGivesItsSeatBackWhenTheLeaseHasLapsed() throws Exception {
        for (int i = 0; i < 3_000; i++) {
            write(0, "a", i, i);
        }
        CdcConfig config =
                CdcConfig.defaults().withSubscriberBytesMax(64 * 1024).withHeartbeat(Duration.ofMillis(100));
        HistoryConfig bounds = new HistoryConfig(Duration.ofMillis(800), Duration.ofHours(1), 64, 1);
        Gateway gateway = Gateway.withSmallBuffers(cluster, config, new HistorySource(history, bounds));
        gateways.add(gateway);
        try (RawStream stalled = new RawStream(gateway.port(), QUERY, null)) {
            stalled.readUntil("event: point_written");
            assertThat(gateway.metric("weir.cdc.history.readers")).isEqualTo(1);

            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.history.readers") == 0);

            assertThat(gateway.metric("weir.cdc.lost")).isEqualTo(1);
            assertThat(stalled.readUntil("event: lost\n")).doesNotContain("snapshot_end");
        }
    }

    @Test
    void aTenantHasHalfOfTheLeasesAndNothingIsCutBeyond() throws Exception {
        write(0, "a", 1, 1.0);
        Gateway gateway =
                gateway(CdcConfig.defaults(), new HistoryConfig(Duration.ofMinutes(1), Duration.ofHours(1), 2, 8));
        rows(gateway, "");
        int cuts = history.asked.get();

        HttpResponse<String> refused = gateway.get(QUERY);

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body())
                .contains("cdc.leases")
                .contains("tenant 'default'")
                .contains("DELETE /api/v1/cdc/leases/<id>");
        assertThat(history.asked.get()).isEqualTo(cuts);
    }

    @Test
    void whereALeaderEndsWithItsCutStoredAnotherIsTakenUnderAnotherId() throws Exception {
        write(0, "a", 1, 1.0);
        history.refusing.set(1);

        assertThat(rows(gateway(), "")).hasSize(1);
    }

    @Test
    void aLeaseIsGivenBackOnceTheLogWasReadForAWhile() throws Exception {
        write(0, "a", 1, 1.0);
        Gateway gateway =
                gateway(CdcConfig.defaults(), new HistoryConfig(Duration.ofSeconds(2), Duration.ofHours(1), 64, 8));
        try (WeirStream stream =
                gateway.open(gateway.options().with("measurement", "cpu").from("snapshot"))) {
            Gateway.takeControl(stream, "snapshot_end");
            assertThat(cluster.leases)
                    .as("who comes back to its middle finds it")
                    .hasSize(1);

            await().atMost(Gateway.PATIENCE).until(cluster.leases::isEmpty);
        }
    }

    @Test
    void aStreamThatReadsNothingLosesItsLease() throws Exception {
        for (int i = 0; i < 50; i++) {
            write(0, "a", i, i);
        }
        HistoryConfig bounds = new HistoryConfig(Duration.ofMillis(400), Duration.ofHours(1), 64, 8);
        history.failing.set(8);
        Gateway gateway = gateway(CdcConfig.defaults(), bounds);
        try (WeirStream stream =
                gateway.open(gateway.options().with("measurement", "cpu").from("snapshot"))) {
            SseFrame lost = Gateway.takeControl(stream, "lost");

            assertThat(text(lost, "hint")).contains("from=snapshot").contains("on_gap=backfill");
            assertThat(lost.id()).isNull();
        }
        assertThat(cluster.renewals.get()).isLessThanOrEqualTo(1);
    }

    @Test
    void goesOnWhereTheStoreWasAway() throws Exception {
        write(0, "a", 1, 1.0);
        write(1, "a", 1, 1.0);
        history.failing.set(3);
        Gateway gateway = gateway();
        try (WeirStream stream =
                gateway.open(gateway.options().with("measurement", "cpu").from("snapshot"))) {
            assertThat(Gateway.take(stream, 2)).hasSize(2);
        }
        assertThat(gateway.metric("weir.cdc.history.retries")).isEqualTo(3);
    }

    @Test
    void isKeptAliveWhileTheSnapshotIsBeingTaken() throws Exception {
        write(0, "a", 1, 1.0);
        history.gate = new CompletableFuture<>();
        Gateway gateway = gateway(CdcConfig.defaults().withHeartbeat(Duration.ofMillis(50)), HistoryConfig.DEFAULTS);
        try (RawStream stream = new RawStream(gateway.port(), QUERY, null)) {
            stream.readUntil(": ka\n\n");
            stream.readUntil(": ka\n\n", ": ka\n\n");
            history.gate.complete(null);

            String rest = stream.readUntil("event: snapshot_end\n");
            assertThat(rest).contains("\"source\":\"snapshot\"");
            assertThat(rest.indexOf("event: checkpoint\n"))
                    .as("the place is told before the first row")
                    .isBetween(0, rest.indexOf("event: point_written\n"));
        }
    }

    /** By Flight the place is told by the stream itself, since there is no header. */
    @Test
    void aClientOfFlightThatIsGoneBeforeItKnowsThePlaceLeavesNoLease() throws Exception {
        write(0, "a", 1, 1.0);
        Gateway gateway = gateway();
        StreamRequest asked = FlightRequest.read(
                "default", "{\"from\":\"snapshot\",\"measurement\":\"cpu\"}".getBytes(StandardCharsets.UTF_8));

        gateway.routes.begin(new GoneClient(), asked, StreamWatch.NONE);

        await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.subscribers") == 0);
        assertThat(history.asked.get()).isPositive();
        assertThat(cluster.leases).isEmpty();
    }

    private record GoneClient() implements StreamAnswer {
        @Override
        public boolean isAdmitted() {
            return true;
        }

        @Override
        public StreamSink open(String cursor, Signal signal) {
            return new GoneSink();
        }

        @Override
        public void refuse(RequestRefused refused) {
            throw new AssertionError(refused);
        }
    }

    @Test
    void whatFailsAfterTheHeadersIsSaid() throws Exception {
        history.gate = new CompletableFuture<>();
        Gateway gateway = gateway(CdcConfig.defaults().withHeartbeat(Duration.ofMillis(50)), HistoryConfig.DEFAULTS);
        try (RawStream stream = new RawStream(gateway.port(), QUERY, null)) {
            stream.readUntil(": ka\n\n");
            history.gate.completeExceptionally(
                    new RefusedException(Refusal.of(ErrorCode.NO_LEADER, "no leader of partition 0")));

            assertThat(stream.readUntil("event: refused\ndata: ", "\n\n")).contains("no_leader");
        }
    }

    @Test
    void aSocketOfWhatFailsIsNotClosedAsIfAllHadCome() throws Exception {
        history.gate = new CompletableFuture<>();
        Gateway gateway = gateway(CdcConfig.defaults().withHeartbeat(Duration.ofMillis(50)), HistoryConfig.DEFAULTS);
        try (SocketClient socket = SocketClient.open(gateway, QUERY)) {
            history.gate.completeExceptionally(
                    new RefusedException(Refusal.of(ErrorCode.NO_LEADER, "no leader of partition 0")));

            assertThat(socket.next("refused").get("data").get("code").asText()).isEqualTo("no_leader");
            assertThat(socket.closed.get(Gateway.PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                    .isEqualTo(1011);
        }
    }

    @Test
    void moreReadersThanAllowedAreSentAway() throws Exception {
        history.gate = new CompletableFuture<>();
        HistoryConfig bounds = new HistoryConfig(Duration.ofMinutes(1), Duration.ofHours(1), 64, 1);
        Gateway gateway = gateway(CdcConfig.defaults().withHeartbeat(Duration.ofMillis(50)), bounds);
        try (RawStream stream = new RawStream(gateway.port(), QUERY, null)) {
            stream.readUntil(": weir change stream");

            HttpResponse<String> refused = gateway.get(QUERY);
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("cdc.history-readers").contains("at another node");
            history.gate.complete(null);
            stream.readUntil("event: snapshot_end\n");
            assertThat(rows(gateway, "")).isEmpty();
        }
    }

    @Test
    void recordBatchesHaveTheSameRowsAndGoOnWithTheLog() throws Exception {
        for (int i = 0; i < 10; i++) {
            write(0, "h" + i, i, i);
        }
        Gateway gateway = gateway();
        for (String layout : List.of("full", "fixed")) {
            try (ArrowClient client = ArrowClient.open(gateway, QUERY + "&max_rows=4&layout=" + layout)) {
                List<Object> seqs = new ArrayList<>();
                ArrowClient.Batch batch = client.next();
                for (; !batch.metadata().containsKey("weir.snapshot_end"); batch = client.next()) {
                    assertThat(batch.rows() == 0
                                    || "snapshot".equals(batch.metadata().get("weir.source")))
                            .isTrue();
                    seqs.addAll(batch.column("seq"));
                }
                write(0, "h0", 0, 5.0);
                long written = cluster.log(0).nextSeq() - 1;
                ArrowClient.Batch change = client.next();
                while (change.rows() == 0) {
                    change = client.next();
                }

                assertThat(seqs).hasSize(10);
                assertThat(change.column("seq")).hasToString(List.of(written).toString());
                assertThat(change.metadata()).doesNotContainKey("weir.source");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void snapshotAndChangesAreTheTableWhereverTheReaderCrashes(long seed) throws Exception {
        Random random = new Random(seed);
        for (int i = 0; i < 60; i++) {
            randomWrite(random);
        }
        Gateway one = gateway();
        Gateway two = gateway();
        Map<String, String> state = new TreeMap<>();
        Map<Integer, Long> seen = new TreeMap<>();
        String last = null;
        boolean done = false;
        for (int connection = 0; !done; connection++) {
            Gateway gateway = connection % 2 == 0 ? one : two;
            var options = gateway.options().with("measurement", "cpu");
            boolean isLast = connection > 8;
            if (isLast) {
                randomWrite(random);
            }
            try (WeirStream stream = gateway.open(last == null ? options.from("snapshot") : options.after(last))) {
                for (int frames = isLast ? Integer.MAX_VALUE : random.nextInt(25); frames > 0 && !done; frames--) {
                    if (!isLast && random.nextInt(4) == 0) {
                        randomWrite(random);
                    }
                    SseFrame frame = stream.next(Duration.ofMillis(isLast ? 20_000 : 20));
                    if (frame != null) {
                        take(frame, state, seen);
                        last = stream.lastId();
                    }
                    done = isLast && seen.equals(heads()) && state.equals(table());
                }
            }
        }
        assertThat(state).isEqualTo(table());
    }

    private void randomWrite(Random random) {
        write(
                random.nextInt(2),
                "h" + random.nextInt(5),
                random.nextInt(10) * 30_000_000_000_000L,
                random.nextInt(100));
    }

    /** Events of the log come once and without a hole behind the cut. */
    private static void take(SseFrame frame, Map<String, String> state, Map<Integer, Long> seen) throws Exception {
        JsonNode data = JSON.readTree(frame.data());
        if (frame.event().equals("snapshot_end")) {
            data.get("next")
                    .properties()
                    .forEach(next -> seen.put(
                            Integer.valueOf(next.getKey()), next.getValue().asLong() - 1));
        }
        if (!frame.isChange()) {
            return;
        }
        int partition = data.get("partition").asInt();
        if (data.get("source").asText().equals("log")) {
            assertThat(data.get("seq").asLong()).isEqualTo(seen.get(partition) + 1);
            seen.put(partition, data.get("seq").asLong());
        }
        state.put(
                key(
                        partition,
                        data.get("tags").toString(),
                        data.get("timestamp").asLong()),
                data.get("fields").toString());
    }

    private Map<Integer, Long> heads() {
        Map<Integer, Long> heads = new TreeMap<>();
        cluster.logs.forEach((partition, log) -> heads.put(partition, log.nextSeq() - 1));
        return heads;
    }

    private Map<String, String> table() {
        Map<String, String> table = new TreeMap<>();
        cluster.logs.forEach((partition, log) -> log.events()
                .forEach(event -> table.put(
                        key(
                                partition,
                                "{\"host\":\"" + event.tags().getFirst().value() + "\"}",
                                event.timestampNanos()),
                        "{\"value\":" + event.fields().get("value") + "}")));
        return table;
    }

    private static String key(int partition, String tags, long time) {
        return partition + tags + time;
    }

    private static String text(SseFrame frame, String key) {
        try {
            JsonNode value = JSON.readTree(frame.data()).get(key);
            return value.isValueNode() ? value.asText() : value.toString();
        } catch (Exception e) {
            throw new IllegalStateException(frame.toString(), e);
        }
    }
}
