package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cdc.consumer.ChangeHead;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.SseParser;
import dev.weir.partition.feed.FeedPage;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.Tag;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FrameEncoderTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void writesTheFramesOfTheContractByteForByte() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("load", 0.25);
        fields.put("whole", 3.0);
        fields.put("count", 9_007_199_254_740_993L);
        fields.put("big", new BigInteger("18446744073709551615"));
        fields.put("up", true);
        fields.put("note", "a \"b\"\n☃");
        MemoryLog log = new MemoryLog(3, 17);
        log.append(MemoryBatch.points(
                        "default",
                        "cpu",
                        List.of(List.of(new Tag("host", "a"), new Tag("zone", "eu"))),
                        List.of(
                                new MemoryBatch.Row(0, 1_800_000_000_123_456_789L, Operation.INSERT, fields),
                                new MemoryBatch.Row(0, -1, Operation.UPDATE, Map.of("load", 1e300))))
                .placed(0, 0, 1_800_000_001_000_000_000L));
        log.append(MemoryBatch.of(
                EventType.SERIES_DELETED,
                "default",
                "cpu",
                "{}",
                List.of(List.of(new Tag("host", "a"))),
                List.of(new MemoryBatch.Row(0, 0, Operation.DELETE, Map.of()))));
        log.append(MemoryBatch.of(
                EventType.MEASUREMENT_DROPPED,
                "default",
                "cpu",
                "{\"change_id\":\n\"c1\"}",
                List.of(),
                List.of(new MemoryBatch.Row(-1, 0, Operation.DELETE, Map.of()))));

        assertThat(text(log, false, 16L)).isEqualTo("""
                        event: point_written
                        id: BASE;3:18
                        data: {"seq":17,"prev":16,"partition":3,"event_type":"point_written","operation":"insert","measurement":"cpu","timestamp":1800000000123456789,"time":"2027-01-15T08:00:00.123456789Z","tags":{"host":"a","zone":"eu"},"fields":{"load":0.25,"whole":3.0,"count":9007199254740993,"big":18446744073709551615,"up":true,"note":"a \\"b\\"\\n☃"},"schema_version":1,"committed_at":"2027-01-15T08:00:01.000000000Z","source":"log"}

                        event: point_written
                        id: BASE;3:19
                        data: {"seq":18,"prev":17,"partition":3,"event_type":"point_written","operation":"update","measurement":"cpu","timestamp":-1,"time":"1969-12-31T23:59:59.999999999Z","tags":{"host":"a","zone":"eu"},"fields":{"load":1.0E300},"schema_version":1,"committed_at":"2027-01-15T08:00:01.000000000Z","source":"log"}

                        event: series_deleted
                        id: BASE;3:20
                        data: {"seq":19,"prev":18,"partition":3,"event_type":"series_deleted","operation":"delete","measurement":"cpu","timestamp":0,"time":null,"tags":{"host":"a"},"fields":{},"schema_version":1,"committed_at":"2027-01-15T08:00:01.000000001Z","source":"log","series_hash":"HASH"}

                        event: measurement_dropped
                        id: BASE;3:21
                        data: {"seq":20,"prev":19,"partition":3,"event_type":"measurement_dropped","operation":"delete","measurement":"cpu","timestamp":0,"time":null,"tags":{},"fields":{},"schema_version":1,"committed_at":"2027-01-15T08:00:01.000000002Z","source":"log","detail":{"change_id": "c1"}}

                        """.replace(
                        "HASH",
                        String.format(
                                "%016x",
                                new dev.weir.partition.model.SeriesKey("default", "cpu", List.of(new Tag("host", "a")))
                                        .hash())));
    }

    @Test
    void quotesEveryIntegerThatCanPass2To53WhenAsked() {
        MemoryLog log = new MemoryLog(0, 1);
        log.append(MemoryBatch.points(
                "default",
                "m",
                List.of(List.of()),
                List.of(new MemoryBatch.Row(
                        0,
                        5,
                        Operation.INSERT,
                        new TreeMap<>(Map.of("i", 7L, "u", new BigInteger("18446744073709551615"), "f", 2.0))))));
        assertThat(text(log, true, 9L))
                .contains("{\"seq\":\"1\",\"prev\":\"9\",\"partition\":0,")
                .contains("\"timestamp\":\"5\"")
                .contains("\"fields\":{\"f\":2.0,\"i\":\"7\",\"u\":\"18446744073709551615\"}");
        assertThat(text(log, true, null)).contains("{\"seq\":\"1\",\"prev\":null,\"partition\":0,");
    }

    @Test
    void readsBackAsTheSameEventsForAnySeedAndCut() throws Exception {
        for (long seed = 1; seed <= 8; seed++) {
            RandomChanges changes = new RandomChanges(seed);
            MemoryLog log = new MemoryLog(2, 1 + changes.below(1000));
            for (int i = 0; i < 60; i++) {
                log.append(changes.batch());
            }
            StreamFilter filter =
                    filter(seed % 2 == 0 ? Set.of("cpu", "disk io") : Set.of(), seed % 3 == 0 ? "h1" : null);
            List<ChangeEvent> expected =
                    log.events().stream().filter(event -> wanted(filter, event)).toList();
            EncodedPage page = page(log, filter, false);
            List<SseFrame> frames = new ArrayList<>();
            SseParser parser = new SseParser(frames::add);
            long at = log.firstSeq;
            Long prev = null;
            while (at < log.nextSeq()) {
                long below = Math.min(log.nextSeq(), at + 1 + changes.below(40));
                EncodedPage.Slice slice = page.slice(at, below, 1 + changes.below(5000), new byte[] {'B'}, prev);
                if (slice.buffer() != null) {
                    byte[] bytes = slice.buffer().getBytes();
                    parser.feed(bytes, 0, bytes.length);
                    prev = slice.lastSeq();
                }
                assertThat(slice.nextSeq()).isGreaterThan(at).isLessThanOrEqualTo(below);
                at = slice.nextSeq();
            }
            assertThat(frames).as("seed " + seed).hasSameSizeAs(expected);
            Long before = null;
            for (int i = 0; i < frames.size(); i++) {
                compare(frames.get(i), expected.get(i), before);
                before = expected.get(i).seq();
            }
        }
    }

    private static void compare(SseFrame frame, ChangeEvent event, Long prev) throws Exception {
        JsonNode json = JSON.readTree(frame.data());
        assertThat(frame.event()).isEqualTo(event.type().wireName());
        assertThat(frame.id()).isEqualTo("B;2:" + (event.seq() + 1));
        assertThat(frame.head()).isEqualTo(new ChangeHead(2, event.seq(), prev));
        List<String> keys = new ArrayList<>();
        json.fieldNames().forEachRemaining(keys::add);
        assertThat(keys.subList(0, 13))
                .containsExactly(
                        "seq",
                        "prev",
                        "partition",
                        "event_type",
                        "operation",
                        "measurement",
                        "timestamp",
                        "time",
                        "tags",
                        "fields",
                        "schema_version",
                        "committed_at",
                        "source");
        assertThat(json.get("operation").asText()).isEqualTo(event.operation().wireName());
        assertThat(json.get("measurement").asText()).isEqualTo(event.measurement());
        assertThat(json.get("timestamp").longValue()).isEqualTo(event.timestampNanos());
        if (event.type() == EventType.POINT_WRITTEN) {
            Instant time = Instant.parse(json.get("time").asText());
            assertThat(Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano()))
                    .isEqualTo(event.timestampNanos());
        }
        Map<String, String> tags = new TreeMap<>();
        json.get("tags")
                .properties()
                .forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
        Map<String, String> expectedTags = new TreeMap<>();
        event.tags().forEach(tag -> expectedTags.put(tag.key(), tag.value()));
        assertThat(tags).isEqualTo(expectedTags);
        assertThat(json.get("fields").size()).isEqualTo(event.fields().size());
        for (Map.Entry<String, JsonNode> field : json.get("fields").properties()) {
            Object value = event.fields().get(field.getKey());
            switch (value) {
                case Double d -> assertThat(field.getValue().doubleValue()).isEqualTo(d);
                case Long l -> assertThat(field.getValue().bigIntegerValue()).isEqualTo(BigInteger.valueOf(l));
                case BigInteger b ->
                    assertThat(field.getValue().bigIntegerValue()).isEqualTo(b);
                case Boolean b -> assertThat(field.getValue().booleanValue()).isEqualTo(b);
                default -> assertThat(field.getValue().textValue()).isEqualTo(value);
            }
        }
    }

    static boolean wanted(StreamFilter filter, ChangeEvent event) {
        return event.tenant().equals(filter.tenant())
                && (filter.measurements().isEmpty() || filter.measurements().contains(event.measurement()))
                && (filter.types().isEmpty() || filter.types().contains(event.type()))
                && (event.type() == EventType.MEASUREMENT_DROPPED
                        || event.type() == EventType.SCHEMA_CHANGED
                        || filter.matches(event.tags()));
    }

    private static StreamFilter filter(Set<String> measurements, String host) {
        TreeMap<String, SortedSet<String>> tags = new TreeMap<>();
        if (host != null) {
            tags.put("host", new TreeSet<>(Set.of(host)));
        }
        return new StreamFilter("default", new TreeSet<>(measurements), Set.of(), tags, new TreeSet<>());
    }

    private static EncodedPage page(MemoryLog log, StreamFilter filter, boolean quoted) throws Exception {
        FeedPage page = log.read(log.firstSeq, Integer.MAX_VALUE, Long.MAX_VALUE);
        return new FrameEncoder(new RunKey(filter, quoted)).encode(log.partition, log.firstSeq, page);
    }

    private static String text(MemoryLog log, boolean quoted, Long prev) {
        try {
            return page(log, filter(Set.of(), null), quoted)
                    .slice(
                            log.firstSeq,
                            Long.MAX_VALUE,
                            Integer.MAX_VALUE,
                            "BASE".getBytes(StandardCharsets.US_ASCII),
                            prev)
                    .buffer()
                    .toString(StandardCharsets.UTF_8);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
