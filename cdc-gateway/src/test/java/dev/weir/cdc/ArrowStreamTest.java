package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.cdc.ArrowClient.Batch;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.Tag;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.StreamResetException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Record batches over HTTP: every event once, in order, resumable, at a pace that the reader sets; and how streams end. */
class ArrowStreamTest {
    private static final Duration BEAT = Duration.ofMillis(200);

    private final MemoryCluster cluster = MemoryCluster.of(3);
    private final List<Gateway> gateways = new ArrayList<>();

    private Gateway gateway(CdcConfig config) throws Exception {
        Gateway gateway = new Gateway(cluster, config);
        gateways.add(gateway);
        return gateway;
    }

    private Gateway gateway() throws Exception {
        return gateway(CdcConfig.defaults().withHeartbeat(BEAT));
    }

    /** Batches are made off the heap: nothing of it may stay behind. */
    @AfterEach
    void close() throws Exception {
        for (Gateway gateway : gateways) {
            assertThat(gateway.metric("weir.cdc.arrow.memory.bytes")).isZero();
            gateway.close();
        }
    }

    private void append(long seed, int batches) {
        RandomChanges changes = new RandomChanges(seed);
        for (int i = 0; i < batches; i++) {
            cluster.log(changes.below(3)).append(changes.batch());
        }
    }

    private List<ChangeEvent> mine(Predicate<ChangeEvent> wanted) {
        return cluster.logs.values().stream()
                .flatMap(log -> log.events().stream())
                .filter(event -> event.tenant().equals("default"))
                .filter(wanted)
                .toList();
    }

    /** Per partition the seqs in the order of their coming; and that every batch says where it lies. */
    private static Map<Integer, List<Long>> seqs(List<Batch> batches) {
        Map<Integer, List<Long>> seqs = new TreeMap<>();
        for (Batch batch : batches) {
            int partition = Integer.parseInt(batch.metadata().get("weir.partition"));
            List<Long> sofar = seqs.computeIfAbsent(partition, any -> new ArrayList<>());
            assertThat(batch.metadata().get("weir.prev"))
                    .isEqualTo(sofar.isEmpty() ? null : sofar.getLast().toString());
            batch.column("seq").forEach(seq -> sofar.add((Long) seq));
        }
        return seqs;
    }

    private static Map<Integer, List<Long>> expected(List<ChangeEvent> events) {
        Map<Integer, List<Long>> seqs = new TreeMap<>();
        events.forEach(event -> seqs.computeIfAbsent(event.partition(), any -> new ArrayList<>())
                .add(event.seq()));
        return seqs;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "&compression=zstd", "&max_rows=7", "&max_rows=1&compression=zstd", "&max_wait_ms=50"})
    void everyEventComesOnceAndAsServerSentEventsHaveIt(String options) throws Exception {
        append(1, 60);
        Gateway gateway = gateway();
        try (ArrowClient client = ArrowClient.open(gateway, "?from=earliest" + options)) {
            assertThat(client.headers.firstValue("content-type")).contains("application/vnd.apache.arrow.stream");
            assertThat(client.headers.firstValue("cache-control")).contains("no-cache, no-transform");
            assertThat(client.schema).isEqualTo(CdcLayout.FULL.schema());
            List<Batch> batches = new ArrayList<>(client.take(mine(any -> true).size()));
            append(2, 30);
            batches.addAll(client.take(mine(any -> true).size()
                    - batches.stream().mapToInt(Batch::rows).sum()));
            assertThat(seqs(batches)).isEqualTo(expected(mine(any -> true)));
            assertThat(batches).allMatch(batch -> batch.compressed() == options.contains("zstd"));
            if (options.contains("max_rows")) {
                int most = options.contains("=7") ? 7 : 1;
                assertThat(batches).allMatch(batch -> batch.rows() <= most);
            }
            Map<String, ChangeEvent> byPlace = new HashMap<>();
            mine(any -> true).forEach(event -> byPlace.put(event.partition() + ":" + event.seq(), event));
            for (Batch batch : batches) {
                for (int i = 0; i < batch.rows(); i++) {
                    ChangeEvent event = byPlace.get(batch.column("partition").get(i) + ":"
                            + batch.column("seq").get(i));
                    assertThat(batch.column("event_type").get(i))
                            .isEqualTo(event.type().wireName());
                    assertThat(batch.column("operation").get(i))
                            .isEqualTo(event.operation().wireName());
                    assertThat(batch.column("measurement").get(i)).isEqualTo(event.measurement());
                    assertThat(batch.column("committed_at").get(i)).isEqualTo(event.committedAtNanos());
                    assertThat(batch.column("series_hash").get(i)).isEqualTo(event.seriesHash());
                    assertThat(batch.column("detail_json").get(i)).isEqualTo(event.detailJson());
                }
            }
        }
    }

    /** Any cursor, on another node, gives exactly the rest. */
    @ParameterizedTest
    @ValueSource(
            strings = {"&max_rows=3", "&max_rows=3&measurement=cpu&tag.host=h1", "&layout=fixed&partition=1&max_rows=3"
            })
    void goesOnBehindAnyBatchOnAnyNode(String options) throws Exception {
        append(3, 80);
        Gateway first = gateway();
        Gateway second = gateway();
        Predicate<ChangeEvent> wanted = event -> (!options.contains("partition=1") || event.partition() == 1)
                && (!options.contains("measurement")
                        || event.measurement().equals("cpu")
                                && (event.tags().isEmpty() && event.detailJson().length() > 2
                                        || event.tags().contains(new Tag("host", "h1"))));
        int all = mine(wanted).size();
        assertThat(all).isGreaterThan(20);
        List<Batch> batches;
        try (ArrowClient client = ArrowClient.open(first, "?from=earliest" + options)) {
            batches = client.take(all);
            assertThat(seqs(batches)).isEqualTo(expected(mine(wanted)));
            assertThat(client.schema.getFields()).hasSize(options.contains("fixed") ? 7 : 12);
        }
        assertThat(batches).hasSizeGreaterThan(7);
        for (int cut = 0; cut < batches.size() - 1; cut += 1 + batches.size() / 7) {
            int before =
                    batches.subList(0, cut + 1).stream().mapToInt(Batch::rows).sum();
            String cursor = batches.get(cut).cursor();
            boolean byHeader = cut % 2 == 0;
            try (ArrowClient client = byHeader
                    ? ArrowClient.open(second, "?" + options, "Last-Event-ID", cursor)
                    : ArrowClient.open(second, "?from=" + cursor + options)) {
                List<Batch> joined = new ArrayList<>(client.take(all - before));
                Map<Integer, List<Long>> seqs = seqs(batches.subList(0, cut + 1));
                seqs(joined)
                        .forEach((partition, more) -> seqs.computeIfAbsent(partition, any -> new ArrayList<>())
                                .addAll(more));
                assertThat(seqs).isEqualTo(expected(mine(wanted)));
            }
        }
    }

    @Test
    void quietStreamsGetEmptyBatchesWithTheirPlace() throws Exception {
        Gateway gateway = gateway();
        try (ArrowClient client = ArrowClient.open(gateway, "?measurement=quiet")) {
            Batch first = client.next();
            assertThat(first.rows()).isZero();
            append(4, 50);
            Batch later = client.next();
            while (later.cursor().equals(first.cursor())) {
                later = client.next();
            }
            assertThat(later.rows()).isZero();
            cluster.log(2).append(MemoryBatch.point("quiet", "h", 1, 1L));
            assertThat(client.take(1).getFirst().column("tags_json")).containsExactly("{\"host\":\"h\"}");
            try (ArrowClient again = ArrowClient.open(gateway, "?measurement=quiet&from=" + later.cursor())) {
                assertThat(again.take(1).getFirst().column("measurement")).containsExactly("quiet");
            }
        }
    }

    /** Nothing to read is no reason to look again and again. */
    @ParameterizedTest
    @ValueSource(strings = {"", "&max_wait_ms=50"})
    void quietStreamsRest(String options) throws Exception {
        append(10, 30);
        Gateway gateway = gateway();
        try (ArrowClient client = ArrowClient.open(gateway, "?from=earliest" + options)) {
            client.take(mine(any -> true).size());
            client.next();
            long before = looks();
            for (int beats = 0; beats < 5; beats++) {
                assertThat(client.next().rows()).isZero();
            }
            assertThat(looks() - before).isLessThan(200);
        }
    }

    private long looks() {
        return cluster.feeds.values().stream()
                .mapToLong(feed -> feed.looks.get())
                .sum();
    }

    @Test
    void eventsWaitForOthersToShareTheirBatch() throws Exception {
        Gateway gateway = gateway(CdcConfig.defaults().withHeartbeat(Duration.ofSeconds(30)));
        try (ArrowClient waits = ArrowClient.open(gateway, "?max_wait_ms=10000&max_rows=50&partition=0");
                ArrowClient hurries = ArrowClient.open(gateway, "?partition=0")) {
            for (int i = 0; i < 49; i++) {
                cluster.log(0).append(MemoryBatch.point("cpu", "h", i, (long) i));
            }
            hurries.take(49);
            CompletableFuture<List<Batch>> taken = CompletableFuture.supplyAsync(() -> {
                try {
                    return waits.take(50);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            cluster.log(0).append(MemoryBatch.point("cpu", "h", 50, 50L));
            List<Batch> batches = taken.get(8, TimeUnit.SECONDS);
            assertThat(batches).hasSize(1);
        }
    }

    @Test
    void aStreamThatTheServerEndsHasTheMarkAndACursor() throws Exception {
        append(5, 20);
        Gateway gateway = gateway();
        byte[] body;
        try (RawStream raw = new RawStream(
                gateway.port(), "GET", "?from=earliest", "Accept: application/vnd.apache.arrow.stream\r\n")) {
            raw.readUntil("\r\n\r\n");
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.lag.events") == 0);
            gateway.routes.close();
            body = new ChunkedBody(raw).readAllBytes();
        }
        assertThat(Arrays.copyOfRange(body, body.length - 8, body.length))
                .containsExactly(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);
        List<Batch> batches = new ArrayList<>();
        try (ArrowClient client = ArrowClient.over(new ByteArrayInputStream(body))) {
            for (Batch batch = client.next(); batch != null; batch = client.next()) {
                batches.add(batch);
            }
            assertThat(client.rest()).isZero();
        }
        assertThat(batches.getLast().rows()).isZero();
        assertThat(batches.stream().mapToInt(Batch::rows).sum())
                .isEqualTo(mine(any -> true).size());
        append(6, 5);
        try (ArrowClient again =
                ArrowClient.open(gateway(), "?from=" + batches.getLast().cursor())) {
            again.take(1);
        }
    }

    /** What the log outran is told, then cut: no end-of-stream mark, and no end of the answer. */
    @Test
    void aStreamThatTheLogOutranIsToldAndCut() throws Exception {
        Gateway gateway = gateway(CdcConfig.defaults().withHeartbeat(BEAT).withSubscriberBytesMax(64 * 1024));
        try (RawStream raw = new RawStream(
                gateway.port(),
                "GET",
                "?from=earliest&max_rows=100",
                "Accept: application/vnd.apache.arrow.stream\r\n")) {
            raw.readUntil("\r\n\r\n");
            RandomChanges changes = new RandomChanges(7);
            for (int i = 0; i < 600; i++) {
                cluster.log(i % 3).append(changes.batch(200));
            }
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.pending.bytes") >= 32 * 1024);
            cluster.logs.values().forEach(log -> log.trim(log.nextSeq()));
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.lost") == 1);
            List<Batch> batches = new ArrayList<>();
            ArrowClient client = ArrowClient.over(new ChunkedBody(raw));
            assertThatThrownBy(() -> {
                        for (Batch batch = client.next(); batch != null; batch = client.next()) {
                            batches.add(batch);
                        }
                    })
                    .isInstanceOf(IOException.class);
            assertThat(batches.getLast().cursor()).isNull();
            assertThat(batches.getLast().metadata().get("weir.lost"))
                    .contains("\"code\":\"cursor_too_old\"", "\"oldest_cursor\":\"");
            client.close();
        }
    }

    /**
     * An answer over HTTP/2: what came of it, and how it ended, which completes with null where it ended in order.
     *
     * @param client closes its connections when nobody holds it any more
     */
    private record Http2Answer(
            HttpClientAgent client, HttpClientResponse response, Buffer body, CompletableFuture<Throwable> ended) {
        /** Paused. */
        static Http2Answer open(Gateway gateway, String query) throws Exception {
            RequestOptions request = new RequestOptions()
                    .setHost("127.0.0.1")
                    .setPort(gateway.port())
                    .setURI("/api/v1/cdc/stream" + query)
                    .addHeader("Accept", "application/vnd.apache.arrow.stream");
            CompletableFuture<Http2Answer> answered = new CompletableFuture<>();
            HttpClientAgent client =
                    gateway.vertx.createHttpClient(new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2));
            client.request(request)
                    .compose(HttpClientRequest::send)
                    .onFailure(answered::completeExceptionally)
                    .onSuccess(response -> answered.complete(of(client, response.pause())));
            return answered.get(20, TimeUnit.SECONDS);
        }

        private static Http2Answer of(HttpClientAgent client, HttpClientResponse response) {
            Http2Answer answer = new Http2Answer(client, response, Buffer.buffer(), new CompletableFuture<>());
            response.handler(answer.body::appendBuffer);
            response.exceptionHandler(answer.ended::complete);
            response.endHandler(nothing -> answer.ended.complete(null));
            return answer;
        }

        Throwable end() throws Exception {
            response.resume();
            return ended.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void overHttp2ItIsTheSame() throws Exception {
        append(13, 60);
        Gateway gateway = gateway();
        Http2Answer answer = Http2Answer.open(gateway, "?from=earliest&max_rows=7");
        assertThat(answer.response().version()).isEqualTo(HttpVersion.HTTP_2);
        answer.response().resume();
        await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.lag.events") == 0);
        gateway.routes.close();
        assertThat(answer.end()).isNull();
        try (ArrowClient client =
                ArrowClient.over(new ByteArrayInputStream(answer.body().getBytes()))) {
            assertThat(seqs(client.take(mine(any -> true).size()))).isEqualTo(expected(mine(any -> true)));
            assertThat(client.next().rows()).isZero();
            assertThat(client.next()).isNull();
            assertThat(client.rest()).isZero();
        }
    }

    /** A reset without the code of an error is, over HTTP/2, the end of a whole answer. */
    @Test
    void aCutIsAnErrorOverHttp2() throws Exception {
        Gateway gateway = gateway(CdcConfig.defaults().withHeartbeat(BEAT).withSubscriberBytesMax(64 * 1024));
        Http2Answer answer = Http2Answer.open(gateway, "?from=earliest&max_rows=100");
        assertThat(answer.response().version()).isEqualTo(HttpVersion.HTTP_2);
        RandomChanges changes = new RandomChanges(7);
        for (int i = 0; i < 600; i++) {
            cluster.log(i % 3).append(changes.batch(200));
        }
        await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.pending.bytes") >= 32 * 1024);
        cluster.logs.values().forEach(log -> log.trim(log.nextSeq()));
        await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.lost") == 1);
        assertThat(answer.end())
                .isInstanceOfSatisfying(
                        StreamResetException.class,
                        reset -> assertThat(reset.getCode()).isEqualTo(2));
    }

    @Test
    void aReaderThatStopsHoldsBoundedBytesAndMissesNothing() throws Exception {
        int bytesMax = 128 * 1024;
        Gateway gateway = gateway(CdcConfig.defaults().withHeartbeat(BEAT).withSubscriberBytesMax(bytesMax));
        RandomChanges changes = new RandomChanges(8);
        for (int i = 0; i < 300; i++) {
            cluster.log(i % 3).append(changes.batch(100));
        }
        try (RawStream raw = new RawStream(
                gateway.port(),
                "GET",
                "?from=earliest&max_rows=100",
                "Accept: application/vnd.apache.arrow.stream\r\n")) {
            raw.readUntil("\r\n\r\n");
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.pending.bytes") >= bytesMax / 2);
            assertThat(gateway.metric("weir.cdc.pending.bytes")).isLessThan(3 * bytesMax);
            ArrowClient client = ArrowClient.over(new ChunkedBody(raw));
            assertThat(seqs(client.take(mine(any -> true).size()))).isEqualTo(expected(mine(any -> true)));
            client.close();
        }
    }

    /** Many readers of one form cost one reading of the log, live ones too. */
    @Test
    void readersShareBatches() throws Exception {
        append(9, 100);
        Gateway gateway = gateway();
        List<ArrowClient> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            clients.add(ArrowClient.open(gateway, "?from=earliest"));
        }
        for (ArrowClient client : clients) {
            client.take(mine(any -> true).size());
        }
        assertThat(cluster.feeds.values().stream()
                        .mapToLong(feed -> feed.reads.get())
                        .sum())
                .isLessThan(8 * 3);
        for (ArrowClient client : clients) {
            client.close();
        }
    }

    @Test
    void refusesWhatItCannotDo() throws Exception {
        Gateway gateway = gateway();
        for (String query : List.of(
                "?max_rows=0",
                "?max_rows=65537",
                "?max_rows=x",
                "?max_wait_ms=-1",
                "?max_wait_ms=10001",
                "?layout=wide",
                "?compression=lz4",
                "?max_rows=1&max_rows=2")) {
            assertThatThrownBy(() -> ArrowClient.open(gateway, query))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("400 ")
                    .hasMessageContaining(query.substring(1, query.indexOf('=')));
        }
        assertThat(gateway.get("?layout=fixed").body()).contains("Accept: application/vnd.apache.arrow.stream");
    }

    @Test
    void acceptChooses() {
        assertThat(StreamFormat.of(null)).isEqualTo(StreamFormat.SSE);
        assertThat(StreamFormat.of("*/*")).isEqualTo(StreamFormat.SSE);
        assertThat(StreamFormat.of("application/vnd.apache.arrow.stream, */*")).isEqualTo(StreamFormat.ARROW);
        assertThat(StreamFormat.of("text/event-stream;q=0.5, Application/vnd.apache.arrow.stream"))
                .isEqualTo(StreamFormat.ARROW);
        assertThat(StreamFormat.of("application/vnd.apache.arrow.stream;q=0, */*;q=0.1"))
                .isEqualTo(StreamFormat.SSE);
        assertThatThrownBy(() -> StreamFormat.of("application/*;q=0, text/html"))
                .isInstanceOf(RequestRefused.class);
    }
}
