package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.WeirStream;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.Tag;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The bytes on the wire. */
class WireTest {
    private final MemoryCluster cluster = MemoryCluster.of(2);
    private Gateway gateway;

    @BeforeEach
    void open() throws Exception {
        gateway = new Gateway(cluster, CdcConfig.defaults().withHeartbeat(Duration.ofMillis(250)));
    }

    @AfterEach
    void close() throws Exception {
        gateway.close();
    }

    @Test
    void opensAtOnceWithACommentAndHeadersThatProxiesUnderstand() throws Exception {
        try (RawStream stream =
                new RawStream(gateway.port(), "GET", "", "Accept: */*\r\nAccept-Encoding: gzip, br, zstd\r\n")) {
            String opening = stream.readUntil("retry: ");
            String head = opening.substring(0, opening.indexOf("\r\n\r\n")).toLowerCase(Locale.ROOT);
            assertThat(head).startsWith("http/1.1 200");
            assertThat(head.lines())
                    .contains(
                            "content-type: text/event-stream; charset=utf-8",
                            "cache-control: no-cache, no-transform",
                            "x-accel-buffering: no",
                            "transfer-encoding: chunked")
                    .noneMatch(line -> line.startsWith("content-encoding"));
            assertThat(opening.substring(opening.indexOf("\r\n\r\n"))).contains(": weir change stream\nretry: ");
        }
        try (RawStream head = new RawStream(gateway.port(), "HEAD", "", "")) {
            assertThat(head.readUntil("\r\n\r\n").toLowerCase(Locale.ROOT))
                    .contains("200 ok")
                    .contains("text/event-stream")
                    .contains("x-accel-buffering: no");
        }
    }

    /** CD-12: else all clients of a node that went would come back in one moment. */
    @Test
    void tellsEachConnectionAnotherTimeToComeBackAfter() throws Exception {
        Set<String> times = new HashSet<>();
        for (int i = 0; i < 6; i++) {
            try (RawStream stream = new RawStream(gateway.port(), "GET", "", "")) {
                String opening = stream.readUntil("\n\n");
                times.add(opening.substring(opening.indexOf("retry: ")));
            }
        }
        assertThat(times).hasSizeGreaterThan(1);
    }

    @Test
    void sendsTheFramesOfOneCommitWithAnIdEach() throws Exception {
        String base = new Cursor(new TreeMap<>(Map.of(0, 1L, 1, 1L))).encode("default");
        try (RawStream stream = new RawStream(gateway.port(), "?from=earliest", null)) {
            stream.readUntil("retry: ");
            MemoryBatch.Row row = new MemoryBatch.Row(0, 1_800_000_000_000_000_000L, Operation.INSERT, Map.of("v", 1L));
            MemoryBatch.Row again =
                    new MemoryBatch.Row(0, 1_800_000_000_000_000_000L, Operation.UPDATE, Map.of("v", 2L));
            cluster.log(1)
                    .append(MemoryBatch.points("default", "m", List.of(List.of(new Tag("t", "x"))), List.of(row, again))
                            .placed(0, 0, 1_800_000_001_500_000_000L));
            String text = stream.readUntil("\"v\":2}", "\n\n");
            assertThat(text).contains("source");
            String all = new String(stream.seen(), StandardCharsets.UTF_8);
            assertThat(all).contains("""
                            event: point_written
                            id: BASE;1:2
                            data: {"seq":1,"prev":null,"partition":1,"event_type":"point_written","operation":"insert","measurement":"m","timestamp":1800000000000000000,"time":"2027-01-15T08:00:00.000000000Z","tags":{"t":"x"},"fields":{"v":1},"schema_version":1,"committed_at":"2027-01-15T08:00:01.500000000Z","source":"log"}

                            event: point_written
                            id: BASE;1:3
                            data: {"seq":2,"prev":1,"partition":1,"event_type":"point_written","operation":"update","measurement":"m","timestamp":1800000000000000000,"time":"2027-01-15T08:00:00.000000000Z","tags":{"t":"x"},"fields":{"v":2},"schema_version":1,"committed_at":"2027-01-15T08:00:01.500000000Z","source":"log"}

                            """.replace("BASE", base));
        }
    }

    @Test
    void givesIdsToEventsAndCheckpointsAloneAndEachIsACursor() throws Exception {
        List<SseFrame> frames = new ArrayList<>();
        try (WeirStream stream = gateway.open(gateway.options().with("measurement", "m"))) {
            cluster.log(0).append(MemoryBatch.point("m", "a", 1, 1L));
            frames.addAll(Gateway.take(stream, 1));
            cluster.log(1).append(MemoryBatch.point("other", "a", 1, 1L));
            SseFrame checkpoint = Gateway.takeControl(stream, "checkpoint");
            while (Cursor.decode(checkpoint.id(), "default").next().get(1) < 2) {
                checkpoint = Gateway.takeControl(stream, "checkpoint");
            }
            frames.add(checkpoint);
            cluster.log(1)
                    .append(MemoryBatch.of(
                            EventType.SERIES_DELETED,
                            "default",
                            "m",
                            "{}",
                            List.of(List.of()),
                            List.of(new MemoryBatch.Row(0, 0, Operation.DELETE, Map.of()))));
            frames.addAll(Gateway.take(stream, 1));
        }
        assertThat(Cursor.decode(frames.get(0).id(), "default").next()).isEqualTo(Map.of(0, 2L, 1, 1L));
        assertThat(Cursor.decode(frames.get(1).id(), "default").next()).isEqualTo(Map.of(0, 2L, 1, 2L));
        assertThat(Cursor.decode(frames.get(2).id(), "default").next()).isEqualTo(Map.of(0, 2L, 1, 3L));
    }

    @Test
    void keepsAQuietStreamOpenWithComments() throws Exception {
        try (RawStream stream = new RawStream(gateway.port(), "", null)) {
            assertThat(stream.readUntil(": ka\n\n", "data: ")).startsWith(": ka\n\nevent: checkpoint\nid: ");
        }
    }
}
