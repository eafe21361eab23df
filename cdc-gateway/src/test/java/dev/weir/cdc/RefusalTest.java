package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.StreamRefusedException;
import dev.weir.cdc.consumer.WeirStream;
import dev.weir.partition.model.Cursor;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Requests that get another answer than a stream, and which of several starts wins. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefusalTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final MemoryCluster cluster = MemoryCluster.of(3);
    private Gateway gateway;

    /** Partition 0 keeps seqs 6 to 10, the others 1 to 10. */
    @BeforeAll
    void open() throws Exception {
        for (int i = 0; i < 10; i++) {
            for (int partition = 0; partition < 3; partition++) {
                cluster.log(partition).append(MemoryBatch.point("cpu", "h" + (i + 1), i, (long) i));
            }
        }
        cluster.log(0).trim(6);
        gateway = new Gateway(cluster);
    }

    @AfterAll
    void close() throws Exception {
        gateway.close();
    }

    private JsonNode refused(int status, String code, String query, String... headers) throws Exception {
        HttpResponse<String> answer = gateway.get(query, headers);
        assertThat(answer.statusCode()).as(query + " " + answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("content-type")).contains("application/json");
        JsonNode json = JSON.readTree(answer.body());
        assertThat(json.get("code").asText()).isEqualTo(code);
        return json;
    }

    private static String cursor(long p0, long p1, long p2) {
        return new Cursor(new TreeMap<>(Map.of(0, p0, 1, p1, 2, p2))).encode("default");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Test
    void unknownParametersAndValuesWithWhatIsKnown() throws Exception {
        assertThat(refused(400, "bad_request", "?measurment=cpu").get("error").asText())
                .contains("measurment")
                .contains("known are measurement, event_type, tag.<key>, partition, from, last_event_id, int64");
        assertThat(refused(400, "bad_request", "?event_type=written")
                        .get("error")
                        .asText())
                .contains("point_written, series_deleted, measurement_dropped, range_deleted, schema_changed");
        assertThat(refused(400, "bad_request", "?partition=9").get("error").asText())
                .contains("partition 9")
                .contains("[0, 1, 2]");
        refused(400, "bad_request", "?partition=x");
        refused(400, "bad_request", "?measurement=");
        refused(400, "bad_request", "?int64=text");
        refused(400, "bad_request", "?tag.=x");
        refused(400, "bad_request", "?from=now&from=earliest");
        refused(400, "bad_request", "?from=2026-13-01T00:00:00Z");
        refused(400, "bad_request", "?from=2999-01-01T00:00:00Z");
        refused(400, "bad_cursor", "?from=yesterday");
        refused(400, "bad_request", "?mode=once");
        refused(400, "bad_request", "?queue_events=5");
        refused(400, "bad_request", "?resolved=99ms");
        refused(400, "bad_request", "?resolved=61s");
        refused(400, "bad_request", "?resolved=1m");
        refused(400, "bad_request", "?mode=at-most-once&queue_events=0");
    }

    @Test
    void whatComesLaterBySayingSo() throws Exception {
        assertThat(refused(400, "bad_request", "?on_gap=skip").get("error").asText())
                .contains("backfill or refuse");
        assertThat(refused(400, "bad_request", "?subscription=s").get("error").asText())
                .contains("not offered yet");
        JsonNode html = refused(406, "unsupported_media", "", "Accept", "text/html");
        assertThat(html.get("offered").asText()).isEqualTo("text/event-stream, application/vnd.apache.arrow.stream");
        refused(406, "unsupported_media", "", "Accept", "application/json, text/event-stream;q=0");
    }

    @Test
    void aCursorThatIsTooOldWithTheOldestOneEvenWhereItIsPartialToo() throws Exception {
        for (String query : new String[] {
            "?from=" + cursor(5, 1, 1), "?last_event_id=0:1", "?from=earliest&last_event_id=" + encoded(cursor(1, 9, 9))
        }) {
            JsonNode json = refused(410, "cursor_too_old", query);
            assertThat(json.get("error").asText()).contains("partition 0");
            assertThat(json.get("oldest_cursor").asText()).isEqualTo(cursor(6, 1, 1));
            assertThat(json.get("hint").asText()).contains("from=earliest");
        }
        refused(410, "cursor_too_old", "?measurement=m", "Last-Event-ID", "0:1");
        Assertions.assertThatThrownBy(() -> gateway.open(gateway.options().after(cursor(2, 1, 1))))
                .isInstanceOfSatisfying(
                        StreamRefusedException.class,
                        e -> assertThat(e.status()).isEqualTo(410));
        refused(410, "cursor_too_old", "?from=2020-01-01T00:00:00Z");
    }

    @Test
    void aPartialCursorWithWhatItLacksButNotWhereTheFilterIsCovered() throws Exception {
        JsonNode json = refused(400, "partial_cursor", "?from=1:5");
        assertThat(json.get("lacking").asText()).isEqualTo("[0, 2]");
        try (WeirStream stream =
                gateway.open(gateway.options().with("partition", "1").after("1:5"))) {
            SseFrame frame = Gateway.take(stream, 1).getFirst();
            assertThat(frame.head().seq()).isEqualTo(6);
            assertThat(frame.head().prev()).isNull();
        }
    }

    @Test
    void aCursorThatNoEventEverHad() throws Exception {
        assertThat(refused(400, "bad_cursor", "?from=" + cursor(7, 1, 12))
                        .get("error")
                        .asText())
                .contains("partition 2")
                .contains("12")
                .contains("11");
        assertThat(refused(400, "bad_cursor", "?from=" + encoded("0:7,1:1,2:1,5:1"))
                        .get("error")
                        .asText())
                .contains("partition 5");
        refused(400, "bad_cursor", "?from=" + new Cursor(new TreeMap<>(Map.of(0, 7L))).encode("other"));
        refused(400, "bad_cursor", "", "Last-Event-ID", "rubbish");
        refused(400, "bad_cursor", "?from=" + cursor(7, 1, 1).substring(1));
    }

    @Test
    void whatNoLeaderCanAnswerWithThePartitionsNumber() throws Exception {
        cluster.leaderless.add(1);
        try {
            assertThat(refused(503, "no_leader", "").get("error").asText()).contains("partition 1");
            assertThat(gateway.get("").headers().firstValue("Retry-After")).isPresent();
            assertThat(refused(503, "no_leader", "?from=" + cursor(7, 30, 1))
                            .get("error")
                            .asText())
                    .contains("partition 1");
        } finally {
            cluster.leaderless.clear();
        }
    }

    @Test
    void theHeaderWinsOverTheParameterAndThatOverFrom() throws Exception {
        String late = cursor(11, 11, 10);
        String early = cursor(11, 8, 11);
        for (String query : new String[] {
            "?last_event_id=" + encoded(late + ";2:10"),
            "?last_event_id=" + late + ";2:10&from=earliest",
            "?from=" + late
        }) {
            assertThat(first(query, null)).as(query).contains("\"seq\":10,").contains("\"partition\":2,");
        }
        assertThat(first("?from=now&last_event_id=" + late, early + ";1:9"))
                .contains("\"seq\":9,")
                .contains("\"partition\":1,");
        assertThat(first("?last_event_id=" + late, "")).contains("\"partition\":2,");
    }

    private String first(String query, String lastEventId) throws Exception {
        try (RawStream stream = new RawStream(gateway.port(), query, lastEventId)) {
            return stream.readUntil("data: ", "\n");
        }
    }

    /** One page that readers share may not pass what all pages may have. */
    @Test
    void refusesPagesThatTheirCacheCannotHold() {
        int mib = 1 << 20;
        assertThat(arrowLimits(2 * mib, 16L * mib).arrowPagesBytesMax()).isEqualTo(16L * mib);
        assertThatThrownBy(() -> arrowLimits(2 * mib, 16L * mib - 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cdc.arrow-pages-bytes-max: expected at least 16777216, 8 times cdc.arrow-batch-bytes,"
                        + " found 16777215");
    }

    private static CdcConfig arrowLimits(int batchBytes, long pagesBytesMax) {
        CdcConfig defaults = CdcConfig.defaults();
        return new CdcConfig(
                defaults.subscribersMax(),
                defaults.subscriberBytesMax(),
                defaults.ringBytesMax(),
                defaults.ringsBytesMax(),
                defaults.pagesBytesMax(),
                defaults.pageBytes(),
                defaults.sliceBytes(),
                defaults.heartbeat(),
                defaults.startTimeout(),
                defaults.retry(),
                batchBytes,
                defaults.arrowPageBytes(),
                pagesBytesMax,
                defaults.catchUpPercent());
    }

    @Test
    void oneStreamMoreThanTheLimit() throws Exception {
        CdcConfig small = new CdcConfig(
                1,
                CdcConfig.defaults().subscriberBytesMax(),
                CdcConfig.defaults().ringBytesMax(),
                CdcConfig.defaults().ringsBytesMax(),
                CdcConfig.defaults().pagesBytesMax(),
                CdcConfig.defaults().pageBytes(),
                CdcConfig.defaults().sliceBytes(),
                CdcConfig.defaults().heartbeat(),
                CdcConfig.defaults().startTimeout(),
                CdcConfig.defaults().retry(),
                CdcConfig.defaults().arrowBatchBytes(),
                CdcConfig.defaults().arrowPageBytes(),
                CdcConfig.defaults().arrowPagesBytesMax(),
                CdcConfig.defaults().catchUpPercent());
        try (Gateway one = new Gateway(cluster, small);
                WeirStream stream = one.open(one.options())) {
            HttpResponse<String> second = one.get("");
            assertThat(second.statusCode()).isEqualTo(503);
            assertThat(second.body()).contains("cdc.subscribers").contains("overloaded");
            Set<String> spread = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                spread.add(one.get("").headers().firstValue("Retry-After").orElse(""));
            }
            assertThat(spread)
                    .as("times to come back after")
                    .hasSizeGreaterThan(1)
                    .doesNotContain("");
            assertThat(stream.connects()).isEqualTo(1);
        }
    }
}
