package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.Tag;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Typed columns, read by Arrow's own stream reader: every event with the types and values that it was written with, through changes of the schema. */
class TypedStreamTest {
    private final MemoryCluster cluster = MemoryCluster.of(2);
    private final BufferAllocator allocator = new RootAllocator();
    private Gateway gateway;

    @BeforeEach
    void open() throws Exception {
        gateway = new Gateway(cluster, CdcConfig.defaults().withHeartbeat(Duration.ofMillis(200)));
    }

    @AfterEach
    void close() throws Exception {
        assertThat(gateway.metric("weir.cdc.arrow.memory.bytes")).isZero();
        gateway.close();
        allocator.close();
    }

    /** A row: columns that all tables have, then tags and fields that are not null. */
    private record Row(Map<String, Object> fixed, Map<String, Object> tags, Map<String, Object> fields) {}

    /** What came until there were so many rows. */
    private record Seen(List<Row> rows, List<List<String>> schemas) {}

    private Seen read(String query, int rows) throws Exception {
        Seen seen = new Seen(new ArrayList<>(), new ArrayList<>());
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create(gateway.base() + "/api/v1/cdc/stream?layout=typed" + query))
                    .header("Accept", "application/vnd.apache.arrow.stream")
                    .build();
            HttpResponse<InputStream> answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (PushbackInputStream body = new PushbackInputStream(answer.body(), 1)) {
                while (seen.rows.size() < rows) {
                    body.unread(body.read());
                    stream(body, rows, seen);
                }
            }
            client.shutdownNow();
        }
        return seen;
    }

    /** One stream of those that come one after the other. */
    private void stream(InputStream body, int rows, Seen seen) throws Exception {
        ArrowStreamReader reader = new ArrowStreamReader(body, allocator, CommonsCompressionFactory.INSTANCE);
        try {
            seen.schemas.add(reader.getVectorSchemaRoot().getSchema().getFields().stream()
                    .map(Field::getName)
                    .toList());
            while (seen.rows.size() < rows && reader.loadNextBatch()) {
                for (int i = 0; i < reader.getVectorSchemaRoot().getRowCount(); i++) {
                    seen.rows.add(row(reader, i));
                }
            }
        } finally {
            reader.close(false);
        }
    }

    private static Row row(ArrowStreamReader reader, int index) throws Exception {
        Row row = new Row(new HashMap<>(), new TreeMap<>(), new TreeMap<>());
        for (FieldVector column : reader.getVectorSchemaRoot().getFieldVectors()) {
            Object value = value(reader, column, index);
            String name = column.getField().getName();
            if (name.startsWith("tag.") && value != null) {
                row.tags.put(name.substring(4), value);
            } else if (name.startsWith("field.") && value != null) {
                row.fields.put(name.substring(6), value);
            } else {
                row.fixed.put(name, value);
            }
        }
        return row;
    }

    private static Object value(ArrowStreamReader reader, FieldVector column, int index) throws Exception {
        if (column.isNull(index)) {
            return null;
        }
        if (column.getField().getDictionary() != null) {
            Dictionary dictionary =
                    reader.lookup(column.getField().getDictionary().getId());
            return ((VarCharVector) dictionary.getVector())
                    .getObject((Integer) column.getObject(index))
                    .toString();
        }
        return switch (column) {
            case UInt8Vector unsigned -> new BigInteger(Long.toUnsignedString(unsigned.get(index)));
            case VarCharVector text -> text.getObject(index).toString();
            default -> column.getObject(index);
        };
    }

    private List<ChangeEvent> mine() {
        return cluster.logs.values().stream()
                .flatMap(log -> log.events().stream())
                .filter(event -> event.tenant().equals("default"))
                .toList();
    }

    private static String place(Object partition, Object seq) {
        return partition + ":" + seq;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "&compression=zstd", "&max_rows=3&compression=zstd"})
    void everyEventHasItsTypesAndValues(String options) throws Exception {
        RandomChanges changes = new RandomChanges(12);
        for (int i = 0; i < 80; i++) {
            cluster.log(i % 2).append(changes.batch());
        }
        Map<String, ChangeEvent> expected = new LinkedHashMap<>();
        mine().forEach(event -> expected.put(place(event.partition(), event.seq()), event));
        Seen seen = read("&from=earliest" + options, expected.size());
        Map<Object, List<BigInteger>> order = new HashMap<>();
        for (Row row : seen.rows) {
            ChangeEvent event = expected.remove(place(row.fixed.get("partition"), row.fixed.get("seq")));
            assertThat(event).as("came twice, or never was: %s", row).isNotNull();
            order.computeIfAbsent(row.fixed.get("partition"), any -> new ArrayList<>())
                    .add((BigInteger) row.fixed.get("seq"));
            Map<String, Object> tags = new TreeMap<>();
            event.tags().forEach(tag -> tags.put(tag.key(), tag.value()));
            assertThat(row.tags).isEqualTo(tags);
            assertThat(row.fields).isEqualTo(new TreeMap<>(event.fields()));
            assertThat(row.fixed)
                    .containsEntry("event_type", event.type().wireName())
                    .containsEntry("operation", event.operation().wireName())
                    .containsEntry("measurement", event.measurement())
                    .containsEntry(
                            "event_timestamp", event.type() == EventType.POINT_WRITTEN ? event.timestampNanos() : 0L)
                    .containsEntry("committed_at", event.committedAtNanos())
                    .containsEntry("schema_version", event.schemaVersion())
                    .containsEntry("series_hash", new BigInteger(Long.toUnsignedString(event.seriesHash())))
                    .containsEntry("detail_json", event.detailJson());
        }
        assertThat(expected).isEmpty();
        order.values().forEach(seqs -> assertThat(seqs).isSorted());
    }

    private static MemoryBatch point(String measurement, Map<String, Object> fields) {
        return MemoryBatch.points(
                "default",
                measurement,
                List.of(List.of(new Tag("host", "a"))),
                List.of(new MemoryBatch.Row(0, 1, Operation.INSERT, fields)));
    }

    @Test
    void aNewColumnComesInBand() throws Exception {
        cluster.log(0).append(point("cpu", Map.of("v", 1L)));
        cluster.log(0).append(point("cpu", Map.of("v", 2L)));
        cluster.log(0).append(point("cpu", Map.of("v", 2.5)));
        Seen seen = read("&from=earliest", 3);
        assertThat(seen.rows.stream().map(Row::fields))
                .containsExactly(Map.of("v", 1L), Map.of("v", 2L), Map.of("v", 2.5));
        assertThat(seen.schemas).hasSize(3);
        assertThat(seen.schemas.getFirst()).last().isEqualTo("detail_json");
        assertThat(seen.schemas.get(1)).endsWith("tag.host", "field.v");
    }

    /** Where the stream is about one table it begins with its columns: who reads one schema reads it all. */
    @Test
    void aStreamOfOneTableBeginsWithItsColumns() throws Exception {
        MemoryBatch batch = point("cpu", Map.of("v", 1L));
        cluster.tables.put("cpu", batch.schema());
        cluster.log(0).append(batch);
        Seen seen = read("&from=earliest&measurement=cpu", 1);
        assertThat(seen.schemas).hasSize(1);
        assertThat(seen.schemas.getFirst())
                .containsExactly(
                        "seq",
                        "event_type",
                        "measurement",
                        "event_timestamp",
                        "series_hash",
                        "partition",
                        "operation",
                        "schema_version",
                        "committed_at",
                        "detail_json",
                        "tag.host",
                        "field.v");
    }

    @Test
    void deletesSayWhichSeries() throws Exception {
        List<Tag> tags = List.of(new Tag("host", "a"));
        cluster.log(0)
                .append(MemoryBatch.of(
                        EventType.SERIES_DELETED,
                        "default",
                        "cpu",
                        "{\"x\":1}",
                        List.of(tags),
                        List.of(new MemoryBatch.Row(0, 99, Operation.DELETE, Map.of()))));
        Row row = read("&from=earliest", 1).rows.getFirst();
        long hash = new SeriesKey("default", "cpu", tags).hash();
        assertThat(row.tags).isEqualTo(Map.of("host", "a"));
        assertThat(row.fixed)
                .containsEntry("series_hash", new BigInteger(Long.toUnsignedString(hash)))
                .containsEntry("event_timestamp", 0L)
                .containsEntry("detail_json", "{\"x\":1}");
    }

    @Test
    void aSnapshotHasTheColumnsOfItsTablesAndTheLogGoesOnUnderTheSameSchema() throws Exception {
        cluster.log(0).append(MemoryBatch.point("cpu", "a", 1, 1.5));
        cluster.log(0).append(MemoryBatch.point("cpu", "a", 1, 2.5));
        cluster.log(0).append(MemoryBatch.point("cpu", "b", 1, 3.5));
        CompletableFuture<Void> written = CompletableFuture.runAsync(() -> {
            await().atMost(Gateway.PATIENCE).until(() -> !cluster.leases.isEmpty());
            cluster.log(0).append(MemoryBatch.point("cpu", "c", 1, 4.5));
        });

        Seen seen = read("&from=snapshot&measurement=cpu", 3);
        written.join();

        assertThat(seen.rows()).extracting(row -> row.fields().get("value")).containsExactly(2.5, 3.5, 4.5);
        assertThat(seen.rows()).extracting(row -> row.tags().get("host")).containsExactly("a", "b", "c");
        assertThat(seen.schemas())
                .as("one before anything is known, one of the table")
                .hasSize(2);
    }
}
