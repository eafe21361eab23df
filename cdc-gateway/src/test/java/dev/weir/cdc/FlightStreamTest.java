package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.cdc.ArrowClient.Batch;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.StreamSupport;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import org.apache.arrow.flight.CallOption;
import org.apache.arrow.flight.Criteria;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The change stream by Arrow Flight, read by Arrow's own client: the batches that HTTP has, resumable anywhere, at the reader's pace; and what is refused, and how streams end. */
@Timeout(60)
class FlightStreamTest {
    private static final int BYTES_MAX = 64 * 1024;
    private static final Duration LINGER = Duration.ofMillis(ConnectionSink.LINGER_MS);
    /** Of this test alone: for 127.0.0.1, until 2126. */
    private static final String CERTIFICATE = """
            -----BEGIN CERTIFICATE-----
            MIIBkDCCATagAwIBAgIUDqeYWeyiEHiaKzp2r3Ky+HecpqAwCgYIKoZIzj0EAwIw
            FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEzMDE3MDA0OVoYDzIxMjYxMTA2
            MTcwMDQ5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
            PQMBBwNCAASPBVwX9j+SNA+4BC/3Wf6vbVOGzkU7jK+lNOpy1VkdkJ0Mqhosz06Y
            vCxZz8HcYLqZItIP89TlN4QkHyvpz9FDo2QwYjAdBgNVHQ4EFgQUhRmVj9QdDxqH
            e21oyL6Z0J7KlNAwHwYDVR0jBBgwFoAUhRmVj9QdDxqHe21oyL6Z0J7KlNAwDwYD
            VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
            IGgDqmRQ67S1SeSP78o/r6zuiGgmdwEE7QK+6oB9dG6SAiEAilMWOvONZsKnTBVw
            kS9LH5LIGCRmwu9lHTByq/Y+0PQ=
            -----END CERTIFICATE-----
            """;

    private static final String KEY = """
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjrpCj9QHYstNbHRq
            r2/XefCoYfHFyzE3RE+rHaIkQPehRANCAASPBVwX9j+SNA+4BC/3Wf6vbVOGzkU7
            jK+lNOpy1VkdkJ0Mqhosz06YvCxZz8HcYLqZItIP89TlN4QkHyvpz9FD
            """;

    private final MemoryCluster cluster = MemoryCluster.of(3);
    private final List<Gateway> gateways = new ArrayList<>();
    private final List<FlightPort> ports = new ArrayList<>();
    private final Set<String> revoked = ConcurrentHashMap.newKeySet();

    private FlightPort port(CdcConfig config) throws Exception {
        return port(config, LINGER);
    }

    private FlightPort port(CdcConfig config, Duration linger) throws Exception {
        Gateway gateway = new Gateway(cluster, config.withHeartbeat(Duration.ofMillis(200)));
        gateways.add(gateway);
        FlightPort port = FlightPort.open(
                new FlightPort.Address("127.0.0.1", 0, Optional.empty()),
                gateway.routes,
                cluster.catalog(),
                this::tenant,
                linger);
        ports.add(port);
        return port;
    }

    private FlightPort port() throws Exception {
        return port(CdcConfig.defaults());
    }

    private String tenant(String authorization) {
        if ("Bearer unknown".equals(authorization) || (authorization != null && revoked.contains(authorization))) {
            throw new RefusedException(Refusal.of(ErrorCode.UNAUTHENTICATED, "expected a token"));
        }
        if ("Bearer reader".equals(authorization)) {
            throw new RefusedException(Refusal.of(ErrorCode.FORBIDDEN, "this token may not do that"));
        }
        return authorization == null ? "default" : authorization.substring("Bearer ".length());
    }

    /** Batches are made off the heap: nothing of it may stay behind. */
    @AfterEach
    void close() throws Exception {
        for (Gateway gateway : gateways) {
            assertThat(gateway.metric("weir.cdc.arrow.memory.bytes")).isZero();
            gateway.close();
        }
        ports.forEach(FlightPort::close);
    }

    private void append(long seed, int batches, int rows) {
        RandomChanges changes = new RandomChanges(seed);
        for (int i = 0; i < batches; i++) {
            cluster.log(changes.below(3)).append(changes.batch(rows));
        }
    }

    private List<ChangeEvent> mine() {
        return cluster.logs.values().stream()
                .flatMap(log -> log.events().stream())
                .filter(event -> event.tenant().equals("default"))
                .toList();
    }

    /** Per partition the seqs in the order of their coming; and that every batch says where it lies. */
    private static Map<Integer, List<Long>> seqs(List<Batch> batches) {
        Map<Integer, List<Long>> seqs = new TreeMap<>();
        for (Batch batch : batches) {
            List<Long> sofar = seqs.computeIfAbsent(
                    Integer.parseInt(batch.metadata().get("weir.partition")), any -> new ArrayList<>());
            batch.column("seq").forEach(seq -> sofar.add((Long) seq));
        }
        return seqs;
    }

    private Map<Integer, List<Long>> expected() {
        Map<Integer, List<Long>> seqs = new TreeMap<>();
        mine().forEach(event -> seqs.computeIfAbsent(event.partition(), any -> new ArrayList<>())
                .add(event.seq()));
        return seqs;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",'compression':'zstd'", ",'max_rows':7", ",'layout':'fixed'"})
    void hasTheBatchesThatHttpHas(String options) throws Exception {
        append(1, 60, 10);
        FlightPort port = port();
        String query = options.isEmpty()
                ? ""
                : "&" + options.substring(1).replace("'", "").replace(':', '=');
        try (FlightReader flight = FlightReader.open(port, "{'from':'earliest'" + options + "}");
                ArrowClient http = ArrowClient.open(gateways.getFirst(), "?from=earliest" + query)) {
            assertThat(flight.schema().getFields()).isEqualTo(http.schema.getFields());
            assertThat(flight.schema().getCustomMetadata()).isEqualTo(http.schema.getCustomMetadata());
            assertThat(flight.next().metadata().keySet()).containsExactly("weir.cursor");
            List<Batch> batches = flight.take(mine().size());
            assertThat(seqs(batches)).isEqualTo(expected());
            List<Batch> same = http.take(mine().size());
            assertThat(byPlace(batches)).isEqualTo(byPlace(same));
        }
    }

    /** What batches of any size say: the metadata's keys, and each row. */
    private static Map<String, Map<String, Object>> byPlace(List<Batch> batches) {
        Map<String, Map<String, Object>> rows = new TreeMap<>();
        for (Batch batch : batches) {
            for (int i = 0; i < batch.rows(); i++) {
                Map<String, Object> row = new TreeMap<>();
                for (Map.Entry<String, List<Object>> column : batch.columns().entrySet()) {
                    row.put(column.getKey(), column.getValue().get(i));
                }
                rows.put(batch.metadata().get("weir.partition") + ":" + row.get("seq"), row);
            }
        }
        return rows;
    }

    @Test
    void endsWhenItsTokenIsRevoked() throws Exception {
        FlightPort port = port();
        try (FlightReader flight = FlightReader.open(port, "{'from':'earliest'}", FlightReader.token("brief"))) {
            flight.next();
            revoked.add("Bearer brief");

            assertThat(flight.end().status().code()).isEqualTo(FlightStatusCode.UNAVAILABLE);
        }
        await().atMost(Gateway.PATIENCE).until(() -> gateways.getFirst().metric("weir.cdc.subscribers") == 0);
        assertThat(gateways.getFirst().metric("weir.cdc.revoked")).isEqualTo(1);
    }

    /** Any cursor, on another node, by this carrier or another, gives exactly the rest. */
    @Test
    void goesOnBehindAnyBatchOnAnyNode() throws Exception {
        append(2, 60, 10);
        FlightPort first = port();
        FlightPort second = port();
        List<Batch> batches;
        try (FlightReader all = FlightReader.open(first, "{'from':'earliest','max_rows':20}")) {
            batches = all.take(mine().size());
        }
        for (int cut = 0; cut < batches.size() - 1; cut += 1 + batches.size() / 5) {
            List<Batch> joined = new ArrayList<>(batches.subList(0, cut + 1));
            int rest = mine().size() - joined.stream().mapToInt(Batch::rows).sum();
            String cursor = joined.getLast().cursor();
            if (cut % 2 == 0) {
                try (FlightReader again = FlightReader.open(second, "{'from':'" + cursor + "'}")) {
                    joined.addAll(again.take(rest));
                }
            } else {
                try (ArrowClient again = ArrowClient.open(gateways.getLast(), "?from=" + cursor)) {
                    joined.addAll(again.take(rest));
                }
            }
            assertThat(seqs(joined)).isEqualTo(expected());
        }
    }

    @Test
    void quietStreamsSayWhereTheyAreAndWhatIsResolved() throws Exception {
        FlightPort port = port();
        try (FlightReader reader = FlightReader.open(port, "{'measurement':'quiet','resolved':'100ms'}")) {
            String first = reader.next().cursor();
            append(3, 20, 5);
            boolean moved = false;
            boolean resolved = false;
            while (!moved || !resolved) {
                Batch batch = reader.next();
                assertThat(batch.rows()).isZero();
                moved |= !batch.cursor().equals(first);
                resolved |= batch.metadata().containsKey("weir.resolved");
            }
        }
    }

    @Test
    void aReaderThatStopsHoldsBoundedBytesAndMissesNothing() throws Exception {
        FlightPort port = port(CdcConfig.defaults().withSubscriberBytesMax(BYTES_MAX));
        try (FlightReader slow = FlightReader.open(port, "{'from':'earliest','max_rows':100}")) {
            slow.next();
            append(4, 250, 100);
            Gateway gateway = gateways.getFirst();
            await().atMost(Gateway.PATIENCE)
                    .during(Duration.ofSeconds(1))
                    .until(() -> gateway.metric("weir.cdc.pending.bytes") >= BYTES_MAX / 2);
            assertThat(gateway.metric("weir.cdc.pending.bytes")).isLessThan(3 * BYTES_MAX);
            assertThat(gateway.metric("weir.cdc.lag.events")).isPositive();
            assertThat(gateway.metric("weir.cdc.dropped")).isZero();
            assertThat(seqs(slow.take(mine().size()))).isEqualTo(expected());
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.pending.bytes") == 0);
        }
    }

    /** Nothing that the node's operator should read. */
    @Test
    void aClientThatGoesWhileMuchWaitsForItIsNotLogged() throws Exception {
        FlightPort port = port(CdcConfig.defaults().withSubscriberBytesMax(BYTES_MAX));
        List<String> logged = new CopyOnWriteArrayList<>();
        Logger grpc = Logger.getLogger("io.grpc");
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
                    logged.add(entry.getLoggerName() + ": " + entry.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        grpc.addHandler(handler);
        Gateway gateway = gateways.getFirst();
        try {
            try (FlightReader slow = FlightReader.open(port, "{'from':'earliest','max_rows':100}")) {
                slow.next();
                append(4, 250, 100);
                await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.pending.bytes") >= BYTES_MAX / 2);
            }
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.subscribers") == 0);
        } finally {
            grpc.removeHandler(handler);
        }
        assertThat(logged).isEmpty();
    }

    @Test
    void atMostOnceLeavesOutTheOldestAndSaysWhich() throws Exception {
        FlightPort port = port(CdcConfig.defaults().withSubscriberBytesMax(BYTES_MAX));
        Tiling tiling = new Tiling();
        try (FlightReader slow = FlightReader.open(
                port, "{'from':'earliest','max_rows':100,'mode':'at-most-once','queue_events':1000}")) {
            slow.next();
            append(5, 250, 100);
            cluster.logs
                    .values()
                    .forEach(log -> log.events().stream()
                            .filter(event -> event.tenant().equals("default"))
                            .forEach(
                                    event -> tiling.carries(event.partition(), event.seq(), event.committedAtNanos())));
            while (!tiling.isComplete()) {
                into(tiling, slow.next());
            }
        }
        assertThat(tiling.missed()).isPositive().isEqualTo((long)
                gateways.getFirst().metric("weir.cdc.dropped"));
        assertThat(tiling.delivered()).isPositive();
    }

    private static void into(Tiling tiling, Batch batch) throws IOException {
        String gap = batch.metadata().get("weir.gap");
        if (gap != null) {
            tiling.gap(SlowClient.gap(gap));
        }
        String prev = batch.metadata().get("weir.prev");
        Long before = prev == null ? null : Long.valueOf(prev);
        for (Object seq : batch.column("seq")) {
            tiling.event(Integer.parseInt(batch.metadata().get("weir.partition")), (Long) seq, before);
            before = (Long) seq;
        }
    }

    @Test
    void tablesComeFirstWhereTheyAreAskedFor() throws Exception {
        cluster.log(0).append(MemoryBatch.point("cpu", "a", 1, 1.0));
        cluster.log(0).append(MemoryBatch.point("cpu", "a", 1, 2.0));
        FlightPort port = port();
        try (FlightReader reader = FlightReader.open(port, "{'from':'snapshot','measurement':'cpu'}")) {
            Batch start = reader.next();
            while (start.cursor() == null) {
                start = reader.next();
            }
            assertThat(start.metadata().keySet()).containsExactly("weir.cursor");
            assertThat(start.rows()).isZero();
            try (FlightReader again =
                    FlightReader.open(port, "{'measurement':'cpu','from':'" + start.cursor() + "'}")) {
                assertThat(again.take(1).getFirst().metadata()).containsEntry("weir.source", "snapshot");
                assertThat(cluster.leases).as("the same snapshot").hasSize(1);
            }
            Batch row = reader.take(1).getFirst();
            assertThat(row.metadata()).containsEntry("weir.source", "snapshot");
            assertThat(row.column("fields_json")).containsExactly("{\"value\":2.0}");
            Batch end = reader.next();
            while (!end.metadata().containsKey("weir.snapshot_end")) {
                end = reader.next();
            }
            cluster.log(0).append(MemoryBatch.point("cpu", "a", 1, 3.0));
            assertThat(reader.take(1).getFirst().column("seq")).containsExactly(3L);
        }
    }

    @Test
    void refusesWhatHttpDoesWithTheSameText() throws Exception {
        Map<String, String> refused = new TreeMap<>(Map.of(
                "nothing of JSON", "expected a JSON object of the stream's parameters",
                "[1]", "expected a JSON object",
                "{'measurement':true}", "measurement: expected a text, a number, or a list of them, found true",
                "{'layout':'typed'}", "which Flight has one of a stream",
                "{'layout':'wide'}", "bad_request: layout: found wide",
                "{'max_rows':[1,2]}", "max_rows was given 2 times",
                "{'color':'red'}", "unknown parameter color",
                "{'from':'yesterday'}", "bad_cursor: from: ",
                "{'partition':9}", "partition"));
        FlightPort port = port();
        for (Map.Entry<String, String> each : refused.entrySet()) {
            assertRefused(port, each.getKey(), FlightStatusCode.INVALID_ARGUMENT, each.getValue());
        }
        assertThat(gateways.getFirst().metric("weir.cdc.refused")).isEqualTo(refused.size());
        await().atMost(Gateway.PATIENCE).until(() -> gateways.getFirst().metric("weir.cdc.subscribers") == 0);
    }

    private static void assertRefused(
            FlightPort port, String ticket, FlightStatusCode code, String text, CallOption... options)
            throws Exception {
        try (FlightReader reader = FlightReader.open(port, ticket, options)) {
            assertThatThrownBy(reader::next)
                    .isInstanceOfSatisfying(
                            FlightRuntimeException.class,
                            refused -> assertThat(refused.status().code()).isEqualTo(code))
                    .hasMessageContaining(text);
        }
    }

    @Test
    void whatTheLogHasNoMoreNamesTheOldestPlace() throws Exception {
        append(6, 30, 10);
        cluster.logs.values().forEach(log -> log.trim(log.nextSeq()));
        FlightPort port = port();
        String cursor = new Cursor(new TreeMap<>(Map.of(0, 1L, 1, 1L, 2, 1L))).encode("default");
        // gRPC's FAILED_PRECONDITION, which Flight has no name for.
        assertRefused(
                port, "{'from':'" + cursor + "'}", FlightStatusCode.INVALID_ARGUMENT, "oldest_cursor: " + heads());
    }

    private String heads() {
        TreeMap<Integer, Long> next = new TreeMap<>();
        cluster.logs.forEach((partition, log) -> next.put(partition, log.nextSeq()));
        return new Cursor(next).encode("default");
    }

    @Test
    void seatsAreSharedWithHttp() throws Exception {
        FlightPort port = port(withSeats(2));
        try (ArrowClient http = ArrowClient.open(gateways.getFirst(), "");
                FlightReader flight = FlightReader.open(port, "{}")) {
            flight.next();
            assertThat(gateways.getFirst().metric("weir.cdc.subscribers")).isEqualTo(2);
            assertThat(gateways.getFirst().metric("weir.cdc.flight.subscribers"))
                    .isEqualTo(1);
            assertRefused(port, "{}", FlightStatusCode.RESOURCE_EXHAUSTED, "overloaded: cdc.subscribers: 2");
            assertRefused(port, "{}", FlightStatusCode.RESOURCE_EXHAUSTED, "; retry_after: ");
            assertThat(http.next()).isNotNull();
        }
        // Readers that went away leave theirs.
        await().atMost(Gateway.PATIENCE).until(() -> gateways.getFirst().metric("weir.cdc.subscribers") == 0);
        assertThat(gateways.getFirst().metric("weir.cdc.flight.subscribers")).isZero();
    }

    private static CdcConfig withSeats(int subscribersMax) {
        CdcConfig defaults = CdcConfig.defaults();
        return new CdcConfig(
                subscribersMax,
                defaults.subscriberBytesMax(),
                defaults.ringBytesMax(),
                defaults.ringsBytesMax(),
                defaults.pagesBytesMax(),
                defaults.pageBytes(),
                defaults.sliceBytes(),
                defaults.heartbeat(),
                defaults.startTimeout(),
                defaults.retry(),
                defaults.arrowBatchBytes(),
                defaults.arrowPageBytes(),
                defaults.arrowPagesBytesMax(),
                defaults.catchUpPercent());
    }

    @Test
    void callersSeeTheirOwnAlone() throws Exception {
        append(7, 40, 5);
        FlightPort port = port();
        assertRefused(port, "{}", FlightStatusCode.UNAUTHENTICATED, "expected a token", FlightReader.token("unknown"));
        assertRefused(port, "{}", FlightStatusCode.UNAUTHORIZED, "may not do that", FlightReader.token("reader"));
        long others = cluster.logs.values().stream()
                .flatMap(log -> log.events().stream())
                .filter(event -> event.tenant().equals("other"))
                .count();
        try (FlightReader reader = FlightReader.open(port, "{'from':'earliest'}", FlightReader.token("other"))) {
            List<Batch> batches = reader.take((int) others);
            assertThat(batches.stream().mapToLong(Batch::rows).sum())
                    .isPositive()
                    .isEqualTo(others);
        }
    }

    /** With a checkpoint, in order; and never as if it were whole. */
    @Test
    void aNodeThatStopsHandsItsStreamsOver() throws Exception {
        append(8, 20, 5);
        FlightPort port = port();
        try (FlightReader reader = FlightReader.open(port, "{'from':'earliest'}")) {
            reader.take(mine().size());
            CompletableFuture<Void> drained = gateways.getFirst().routes.close().toCompletableFuture();
            FlightRuntimeException end = reader.end();
            assertThat(end.status().code()).isEqualTo(FlightStatusCode.UNAVAILABLE);
            assertThat(end).hasMessageContaining("connect again");
            assertThat(drained).succeedsWithin(Gateway.PATIENCE);
            assertRefused(port, "{}", FlightStatusCode.UNAVAILABLE, "the node is stopping");
            append(9, 5, 5);
            try (FlightReader again =
                    FlightReader.open(port(), "{'from':'" + reader.last().cursor() + "'}")) {
                again.take(1);
            }
        }
    }

    /** The last of a stream waits for its reader, and its seat with it; the end is told behind it. */
    @Test
    void aStreamThatEndsIsTakenToItsEnd() throws Exception {
        FlightPort port = port(CdcConfig.defaults().withSubscriberBytesMax(BYTES_MAX));
        try (FlightReader slow = FlightReader.open(port, "{'from':'earliest','max_rows':100}")) {
            Gateway gateway = stalled(slow, 11);
            gateway.routes.close();
            // The stream's own work is done, as it no longer counts what is pending.
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.pending.bytes") == 0);
            assertThat(gateway.metric("weir.cdc.flight.subscribers")).isEqualTo(1);
            assertThat(slow.end().status().code()).isEqualTo(FlightStatusCode.UNAVAILABLE);
            assertThat(slow.last().metadata().keySet()).containsExactly("weir.cursor");
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.subscribers") == 0);
        }
    }

    @Test
    void aReaderThatTakesNothingIsCutOffOnceItsStreamHasEnded() throws Exception {
        FlightPort port = port(CdcConfig.defaults().withSubscriberBytesMax(BYTES_MAX), Duration.ofMillis(200));
        try (FlightReader slow = FlightReader.open(port, "{'from':'earliest','max_rows':100}")) {
            Gateway gateway = stalled(slow, 12);
            gateway.routes.close();
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.subscribers") == 0);
            assertThat(gateway.metric("weir.cdc.flight.subscribers")).isZero();
            assertThat(slow.end().status().code()).isEqualTo(FlightStatusCode.CANCELLED);
        }
    }

    /** Its reader takes nothing, and the network no more. */
    private Gateway stalled(FlightReader slow, long seed) {
        slow.next();
        append(seed, 250, 100);
        Gateway gateway = gateways.getFirst();
        await().atMost(Gateway.PATIENCE)
                .during(Duration.ofSeconds(1))
                .until(() -> gateway.metric("weir.cdc.pending.bytes") >= BYTES_MAX / 2);
        return gateway;
    }

    /** A stream that can't end by itself is no other to its client. */
    @Test
    void aPortThatClosesEndsWhatIsLeft() throws Exception {
        FlightPort port = port();
        try (FlightReader reader = FlightReader.open(port, "{}")) {
            reader.next();
            CompletableFuture<Void> closed = CompletableFuture.runAsync(port::close);
            assertThat(reader.end().status().code()).isEqualTo(FlightStatusCode.UNAVAILABLE);
            assertThat(closed).succeedsWithin(Gateway.PATIENCE);
        }
        ports.remove(port);
    }

    @Test
    void aStreamThatTheLogOutranIsTold() throws Exception {
        FlightPort port = port(CdcConfig.defaults().withSubscriberBytesMax(BYTES_MAX));
        try (FlightReader slow = FlightReader.open(port, "{'from':'earliest','max_rows':100}")) {
            slow.next();
            append(10, 250, 100);
            Gateway gateway = gateways.getFirst();
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.pending.bytes") >= BYTES_MAX / 2);
            cluster.logs.values().forEach(log -> log.trim(log.nextSeq()));
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.lost") == 1);
            FlightRuntimeException end = slow.end();
            assertThat(end.status().code()).isEqualTo(FlightStatusCode.UNAVAILABLE);
            assertThat(slow.last().cursor()).isNull();
            assertThat(slow.last().metadata().get("weir.lost"))
                    .contains("\"code\":\"cursor_too_old\"", "\"oldest_cursor\":\"");
        }
    }

    @Test
    void offersAStreamForEachTable() throws Exception {
        MemoryBatch point = MemoryBatch.point("cpu", "a", 1, 1.0);
        cluster.tables.put("cpu", point.schema());
        for (int i = 0; i < 200; i++) {
            String table = "t" + i;
            cluster.tables.put(table, MemoryBatch.point(table, "a", 1, 1.0).schema());
        }
        cluster.log(0).append(point);
        FlightPort port = port();
        try (BufferAllocator allocator = new RootAllocator();
                FlightClient client = FlightClient.builder(
                                allocator, Location.forGrpcInsecure("127.0.0.1", port.port()))
                        .build()) {
            List<FlightInfo> offers = StreamSupport.stream(
                            client.listFlights(Criteria.ALL).spliterator(), false)
                    .toList();
            assertThat(offers)
                    .extracting(offer -> new String(offer.getDescriptor().getCommand(), StandardCharsets.UTF_8))
                    .isEqualTo(cluster.tables.keySet().stream()
                            .sorted()
                            .map(table -> "{\"measurement\":\"" + table + "\"}")
                            .toList());
            assertThat(offers.getLast().getSchemaOptional()).contains(CdcLayout.FULL.schema());
            Criteria some = new Criteria("cpu".getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> client.listFlights(some).iterator().hasNext())
                    .hasMessageContaining("criteria: expected none, found 3 bytes");
            FlightDescriptor command = FlightDescriptor.command(
                    "{\"measurement\":\"cpu\",\"from\":\"earliest\"}".getBytes(StandardCharsets.UTF_8));
            FlightInfo info = client.getInfo(command);
            assertThat(info.getSchemaOptional()).contains(CdcLayout.FULL.schema());
            assertThat(client.getSchema(command).getSchema()).isEqualTo(CdcLayout.FULL.schema());
            assertThat(info.getEndpoints()).hasSize(1);
            byte[] ticket = info.getEndpoints().getFirst().getTicket().getBytes();
            try (FlightReader reader = FlightReader.open(port, new String(ticket, StandardCharsets.UTF_8))) {
                assertThat(reader.take(1).getFirst().column("measurement")).containsExactly("cpu");
            }
            assertThatThrownBy(() -> client.getInfo(FlightDescriptor.path("cpu")))
                    .isInstanceOf(FlightRuntimeException.class)
                    .hasMessageContaining("expected a command");
            assertThatThrownBy(() -> client.getInfo(
                            FlightDescriptor.command("{\"layout\":\"typed\"}".getBytes(StandardCharsets.UTF_8))))
                    .hasMessageContaining("Flight has one of a stream");
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        int taken = port().port();
        Gateway gateway = new Gateway(cluster);
        gateways.add(gateway);
        assertThatThrownBy(() -> FlightPort.open(
                        new FlightPort.Address("127.0.0.1", taken, Optional.empty()),
                        gateway.routes,
                        cluster.catalog(),
                        this::tenant))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("flight.port: 127.0.0.1:" + taken);
    }

    @Test
    void clientsComeByTlsWhereThereIsAKey() throws Exception {
        Gateway gateway = new Gateway(cluster);
        gateways.add(gateway);
        FlightPort port = FlightPort.open(
                new FlightPort.Address("127.0.0.1", 0, Optional.of(keys())),
                gateway.routes,
                cluster.catalog(),
                this::tenant);
        ports.add(port);
        cluster.log(0).append(MemoryBatch.point("cpu", "a", 1, 1.0));
        byte[] ticket = "{\"from\":\"earliest\"}".getBytes(StandardCharsets.UTF_8);
        try (BufferAllocator allocator = new RootAllocator();
                FlightClient client = FlightClient.builder(allocator, Location.forGrpcTls("127.0.0.1", port.port()))
                        .trustedCertificates(new ByteArrayInputStream(CERTIFICATE.getBytes(StandardCharsets.US_ASCII)))
                        .build();
                FlightStream stream = client.getStream(new Ticket(ticket))) {
            assertThat(stream.next()).isTrue();
            assertThat(stream.next()).isTrue();
            assertThat(stream.getRoot().getRowCount()).isEqualTo(1);
        }
        assertRefused(port, "{}", FlightStatusCode.UNAVAILABLE, "");
    }

    private static KeyManager keys() throws Exception {
        Certificate certificate = CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(CERTIFICATE.getBytes(StandardCharsets.US_ASCII)));
        PrivateKey key = KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(KEY)));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("node", key, new char[0], new Certificate[] {certificate});
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        return keys.getKeyManagers()[0];
    }
}
