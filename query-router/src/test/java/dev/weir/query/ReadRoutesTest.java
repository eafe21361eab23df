package dev.weir.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.CatalogReply;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.read.Consistency;
import dev.weir.partition.read.LatestQuery;
import dev.weir.partition.read.PartitionReads;
import dev.weir.partition.read.ReadResult;
import dev.weir.partition.read.SeriesRow;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadRoutesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TableSchema CPU = new TableSchema(
            1,
            "default",
            "cpu",
            2,
            false,
            List.of(
                    new Column(1, "zone", ColumnRole.TAG, FieldType.STRING, false),
                    new Column(2, "host", ColumnRole.TAG, FieldType.STRING, false),
                    new Column(3, "usage", ColumnRole.FIELD, FieldType.FLOAT64, false),
                    new Column(4, "count", ColumnRole.FIELD, FieldType.INT64, true),
                    new Column(5, "note", ColumnRole.FIELD, FieldType.STRING, false)));

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, TableSchema> tables = new ConcurrentHashMap<>();
    private final Map<String, TableSchema> tablesElsewhere = new ConcurrentHashMap<>();
    private final Partitions partitions = new Partitions();
    private HttpServer server;

    /** Three partitions; each answers what it was given, a replica from an older state. */
    private static final class Partitions implements PartitionReads {
        final Map<Integer, ReadResult> leader = new ConcurrentHashMap<>();
        final Map<Integer, ReadResult> replica = new ConcurrentHashMap<>();
        final List<String> asked = new CopyOnWriteArrayList<>();
        volatile int failing = -1;

        @Override
        public CompletionStage<ReadResult> latest(int partition, LatestQuery query, Consistency consistency) {
            asked.add(partition + " " + consistency + " " + query.tenant() + " " + query.tagFilters());
            if (partition == failing) {
                return CompletableFuture.failedFuture(
                        new RefusedException(Refusal.of(ErrorCode.NO_LEADER, "no leader answered")));
            }
            return CompletableFuture.completedFuture(
                    (consistency == Consistency.ANY ? replica : leader).get(partition));
        }

        @Override
        public CompletionStage<ReadResult> series(int partition, LatestQuery query, Consistency consistency) {
            return latest(partition, query, consistency).thenApply(result -> {
                List<SeriesRow> rows = new ArrayList<>();
                result.rows()
                        .forEach(row ->
                                rows.add(new SeriesRow(row.tags(), row.seriesHash(), row.timestampNanos(), Map.of())));
                return new ReadResult(partition, result.nextSeq(), rows);
            });
        }
    }

    private final class Tables implements Catalog {
        @Override
        public CatalogImage image() {
            SortedMap<Integer, PartitionRecord> map = new TreeMap<>();
            for (int id = 0; id < 3; id++) {
                map.put(id, new PartitionRecord(id, 1, List.of(new SlotRange(id, id + 1)), List.of("a"), List.of()));
            }
            map.put(3, new PartitionRecord(3, 1, List.of(), List.of("a"), List.of()));
            return (CatalogImage) Proxy.newProxyInstance(
                    CatalogImage.class.getClassLoader(),
                    new Class<?>[] {CatalogImage.class},
                    (image, method, arguments) -> switch (method.getName()) {
                        case "partitions" -> map;
                        case "table" -> Optional.ofNullable(tables.get(arguments[0] + "/" + arguments[1]));
                        default -> throw new UnsupportedOperationException(method.getName());
                    });
        }

        @Override
        public CompletionStage<CatalogReply> propose(CatalogCommand command) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Void> linearize() {
            tables.putAll(tablesElsewhere);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public AutoCloseable onChange(Consumer<CatalogImage> listener) {
            return () -> {};
        }
    }

    @BeforeAll
    void start() throws Exception {
        Router router = Router.router(vertx);
        new ReadRoutes(new Tables(), partitions, request -> "default", new ReadConfig(5, 8, Duration.ofSeconds(10)))
                .mount(router);
        server = vertx.createHttpServer()
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    @AfterAll
    void stop() throws Exception {
        client.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @BeforeEach
    void fill() {
        tables.clear();
        tables.put("default/cpu", CPU);
        tablesElsewhere.clear();
        partitions.failing = -1;
        partitions.asked.clear();
        partitions.leader.put(
                0,
                new ReadResult(
                        0,
                        11,
                        List.of(new SeriesRow(
                                List.of(new Tag("host", "b"), new Tag("zone", "eu")),
                                7,
                                1_800_000_000_123_456_789L,
                                Map.of("usage", 0.5, "count", 9_007_199_254_740_993L)))));
        partitions.leader.put(
                1,
                new ReadResult(
                        1,
                        21,
                        List.of(
                                new SeriesRow(
                                        List.of(new Tag("host", "a")), 8, -1, Map.of("note", "x,\"y\"", "usage", 3L)),
                                new SeriesRow(
                                        List.of(), 9, 0, Map.of("big", new BigInteger("18446744073709551615"))))));
        partitions.leader.put(2, new ReadResult(2, 1, List.of()));
        partitions.replica.putAll(partitions.leader);
    }

    private HttpResponse<String> get(String pathAndQuery, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.actualPort() + "/api/v1/" + pathAndQuery))
                .timeout(Duration.ofSeconds(20));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void answersTheLastPointOfEachSeriesOfAllPartitions() throws Exception {
        HttpResponse<String> answer = get("latest?measurement=cpu");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type")).contains("application/json");
        assertThat(answer.body())
                .isEqualTo(
                        "{\"columns\":[{\"name\":\"time\",\"type\":\"TIMESTAMP_NS\"},{\"name\":\"host\",\"type\":\"VARCHAR\"},"
                                + "{\"name\":\"zone\",\"type\":\"VARCHAR\"},{\"name\":\"big\",\"type\":\"UBIGINT\"},{\"name\":\"count\",\"type\":\"BIGINT\"},"
                                + "{\"name\":\"note\",\"type\":\"VARCHAR\"},{\"name\":\"usage\",\"type\":\"DOUBLE\"}],\"rows\":["
                                + "[\"1970-01-01T00:00:00.000000000Z\",null,null,18446744073709551615,null,null,null],"
                                + "[\"1969-12-31T23:59:59.999999999Z\",\"a\",null,null,null,\"x,\\\"y\\\"\",3.0],"
                                + "[\"2027-01-15T08:00:00.123456789Z\",\"b\",\"eu\",null,9007199254740993,null,0.5]],\"row_count\":3}\n");
        Cursor cut = Cursor.decode(answer.headers().firstValue("Weir-Read").orElseThrow(), "default");
        assertThat(cut.next()).isEqualTo(Map.of(0, 11L, 1, 21L, 2, 1L));
        assertThat(partitions.asked)
                .containsExactlyInAnyOrder("0 LEADER default {}", "1 LEADER default {}", "2 LEADER default {}");
    }

    @Test
    void answersSeriesWithTagsAndTheirLastTime() throws Exception {
        JsonNode answer = JSON.readTree(get("series?measurement=cpu&tag.host=a&tag.host=b&tag.zone=&epoch=ns")
                .body());
        assertThat(answer.get("columns").toString())
                .isEqualTo("[{\"name\":\"time\",\"type\":\"BIGINT\"},{\"name\":\"host\",\"type\":\"VARCHAR\"},"
                        + "{\"name\":\"zone\",\"type\":\"VARCHAR\"}]");
        assertThat(answer.get("rows").get(2).toString()).isEqualTo("[1800000000123456789,\"b\",\"eu\"]");
        assertThat(partitions.asked).contains("0 LEADER default {host=[a, b], zone=[]}");
    }

    @Test
    void writesNdjsonAndCsvByAccept() throws Exception {
        HttpResponse<String> ndjson =
                get("latest?measurement=cpu&int64=string&epoch=ns", "Accept", "text/csv;q=0.5, application/x-ndjson");
        assertThat(ndjson.headers().firstValue("content-type")).contains("application/x-ndjson");
        assertThat(ndjson.body().lines().skip(2))
                .containsExactly("{\"time\":\"1800000000123456789\",\"host\":\"b\",\"zone\":\"eu\",\"big\":null,"
                        + "\"count\":\"9007199254740993\",\"note\":null,\"usage\":0.5}");
        assertThat(get("latest?measurement=cpu", "Accept", "text/csv").body())
                .isEqualTo("time,host,zone,big,count,note,usage\r\n"
                        + "1970-01-01T00:00:00.000000000Z,,,18446744073709551615,,,\r\n"
                        + "1969-12-31T23:59:59.999999999Z,a,,,,\"x,\"\"y\"\"\",3.0\r\n"
                        + "2027-01-15T08:00:00.123456789Z,b,eu,,9007199254740993,,0.5\r\n");
        HttpResponse<String> none = get("latest?measurement=cpu", "Accept", "image/png");
        assertThat(none.statusCode()).isEqualTo(406);
        assertThat(none.body()).contains("application/json").contains("text/csv");
    }

    @Test
    void answersNothingRatherThanAPart() throws Exception {
        partitions.failing = 1;
        HttpResponse<String> answer = get("latest?measurement=cpu");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        assertThat(JSON.readTree(answer.body()).get("error").asText()).isEqualTo("partition 1: no leader answered");
        assertThat(JSON.readTree(answer.body()).get("code").asText()).isEqualTo("no_leader");
    }

    @Test
    void findsATableThatWasMadeElsewhereAMomentAgo() throws Exception {
        HttpResponse<String> unknown = get("latest?measurement=new");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).contains("not_found").contains("new");
        tablesElsewhere.put("default/new", CPU);
        assertThat(get("latest?measurement=new").statusCode()).isEqualTo(200);
    }

    @Test
    void reflectsTheMinCursorOrSaysWhyNot() throws Exception {
        partitions.replica.put(0, new ReadResult(0, 5, List.of()));
        assertThat(JSON.readTree(get("latest?measurement=cpu&consistency=any").body())
                        .get("row_count")
                        .asInt())
                .isEqualTo(2);
        partitions.asked.clear();
        String commit = Cursor.of(0, 11).encode("default");
        HttpResponse<String> answer = get("latest?measurement=cpu&consistency=any&min_cursor=" + commit);
        assertThat(JSON.readTree(answer.body()).get("row_count").asInt()).isEqualTo(3);
        assertThat(partitions.asked).hasSize(4).contains("0 ANY default {}", "0 LEADER default {}");

        HttpResponse<String> ahead = get("latest?measurement=cpu&min_cursor=0:11");
        assertThat(ahead.statusCode()).isEqualTo(400);
        assertThat(ahead.body()).contains("bad_cursor").contains("partition 0");
        assertThat(get("latest?measurement=cpu&min_cursor=9:1").body()).contains("partition 9");
        assertThat(get("latest?measurement=cpu&min_cursor=rubbish").statusCode())
                .isEqualTo(400);
        assertThat(get("latest?measurement=cpu&min_cursor=" + Cursor.of(0, 1).encode("other"))
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void refusesWhatItDoesNotKnowAndNamesWhatItKnows() throws Exception {
        for (String query : List.of(
                "latest",
                "latest?measurement=",
                "latest?measurement=cpu&measurement=mem",
                "latest?measurement=cpu&limit=1",
                "latest?measurement=cpu&consistency=some",
                "latest?measurement=cpu&epoch=ms",
                "latest?measurement=cpu&tag.=x")) {
            HttpResponse<String> answer = get(query);
            assertThat(answer.statusCode()).as(query).isEqualTo(400);
            assertThat(JSON.readTree(answer.body()).get("code").asText()).isEqualTo("bad_request");
        }
        assertThat(get("latest?measurement=cpu&limit=1").body()).contains("known are measurement, tag.<key>");
    }

    @Test
    void namesTheLimitWhereTooManySeriesMatch() throws Exception {
        List<SeriesRow> many = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            many.add(new SeriesRow(List.of(new Tag("host", "m" + i)), i, i, Map.of("usage", 1.0)));
        }
        partitions.leader.put(2, new ReadResult(2, 5, many));
        HttpResponse<String> answer = get("latest?measurement=cpu");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("read.series-max").contains("limit_series");
    }
}
