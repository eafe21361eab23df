package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.WeirStream;
import dev.weir.partition.model.Cursor;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The modes of delivery, as they look on the wire. */
class DeliveryTest {
    private static final Pattern RESOLVED = Pattern.compile(
            "\\{\"resolved_at\":\"(\\S{30})\",\"partitions\":\\{\"0\":\"(\\S{30})\",\"1\":\"(\\S{30})\"}}");

    private final MemoryCluster cluster = MemoryCluster.of(2);
    private Gateway gateway;

    @BeforeEach
    void open() throws Exception {
        gateway = new Gateway(cluster);
        for (int i = 0; i < 20; i++) {
            cluster.log(0).append(MemoryBatch.point("cpu", "a", i, (long) i));
        }
        cluster.log(1).append(MemoryBatch.point("cpu", "b", 1, 1L));
    }

    @AfterEach
    void close() throws Exception {
        gateway.close();
    }

    private static String cursor(long next0, long next1) {
        return new Cursor(new TreeMap<>(Map.of(0, next0, 1, next1))).encode("default");
    }

    @Test
    void atMostOnceLeavesOutTheOldestAndSaysWhich() throws Exception {
        try (RawStream stream =
                new RawStream(gateway.port(), "?from=earliest&mode=at-most-once&queue_events=5", null)) {
            assertThat(stream.readUntil("event: gap", "\n\n"))
                    .isEqualTo(
                            "event: gap\nid: " + cursor(16, 1)
                                    + "\ndata: {\"partition\":0,\"first_seq\":1,\"last_seq\":15,\"count\":15,\"reason\":\"slow\"}");
            stream.readUntil("{\"seq\":16,\"prev\":null,\"partition\":0");
            assertThat(stream.readUntil("{\"seq\":20,\"prev\":19,\"partition\":0"))
                    .doesNotContain("\"seq\":15");
        }
        assertThat(gateway.metric("weir.cdc.dropped")).isEqualTo(15);
    }

    @Test
    void theSameAsArrow() throws Exception {
        try (ArrowClient stream =
                ArrowClient.open(gateway, "?from=earliest&mode=at-most-once&queue_events=5&partition=0&int64=string")) {
            ArrowClient.Batch gap = stream.next();
            assertThat(gap.rows()).isZero();
            assertThat(gap.metadata())
                    .containsEntry(
                            "weir.gap",
                            "{\"partition\":0,\"first_seq\":\"1\",\"last_seq\":\"15\",\"count\":15,\"reason\":\"slow\"}")
                    .containsEntry("weir.cursor", new Cursor(new TreeMap<>(Map.of(0, 16L))).encode("default"));
            assertThat(stream.next().column("seq")).isEqualTo(List.of(16L, 17L, 18L, 19L, 20L));
        }
    }

    @Test
    void whatRetentionTookIsAGapAtMostOnceAlone() throws Exception {
        cluster.log(0).trim(8);
        assertThat(gateway.get("", "Last-Event-ID", cursor(3, 2)).statusCode()).isEqualTo(410);
        assertThat(gateway.get("?mode=exactly-once", "Last-Event-ID", cursor(3, 2))
                        .statusCode())
                .isEqualTo(410);
        try (WeirStream stream =
                gateway.open(gateway.options().with("mode", "at-most-once").after(cursor(3, 2)))) {
            SseFrame gap = Gateway.takeControl(stream, "gap");
            assertThat(SlowClient.gap(gap.data())).isEqualTo(new Gap(0, 3, 7, Gap.Reason.RETENTION));
            assertThat(gap.id()).isEqualTo(cursor(8, 2));
            assertThat(Gateway.take(stream, 1).getFirst().head().seq()).isEqualTo(8);
        }
    }

    @Test
    void quietPartitionsDoNotHoldBackWhatIsResolved() throws Exception {
        try (WeirStream stream = gateway.open(gateway.options().from("earliest").with("resolved", "100ms"))) {
            Gateway.take(stream, 21);
            String before = "";
            for (int i = 0; i < 3; ) {
                SseFrame frame = Gateway.takeControl(stream, "resolved");
                assertThat(frame.id()).isEqualTo(cursor(21, 2));
                Matcher told = RESOLVED.matcher(frame.data());
                assertThat(told).as(frame.data()).matches();
                String least = told.group(2).compareTo(told.group(3)) < 0 ? told.group(2) : told.group(3);
                assertThat(told.group(1)).isEqualTo(least).isGreaterThanOrEqualTo(before);
                i += told.group(1).equals(before) ? 0 : 1;
                before = told.group(1);
            }
        }
    }

    @Test
    void nothingMovesWhileNobodyAsks() throws Exception {
        try (WeirStream stream = gateway.open(gateway.options().from("earliest"))) {
            Gateway.take(stream, 21);
        }
        assertThat(cluster.log(0).ticks() + cluster.log(1).ticks()).isZero();
    }

    @Test
    void aPartitionWithoutALeaderIsNotSaidToBeResolved() throws Exception {
        cluster.leaderless.add(1);
        try (ArrowClient stream = ArrowClient.open(gateway, "?from=earliest&resolved=100ms")) {
            String resolved = null;
            while (resolved == null) {
                resolved = stream.next().metadata().get("weir.resolved");
            }
            assertThat(resolved).startsWith("{\"resolved_at\":null,").endsWith(",\"1\":null}}");
        }
    }

    @Test
    void exactlyOnceNamesWhatTellsDoublesApart() throws Exception {
        try (RawStream stream = new RawStream(gateway.port(), "?mode=exactly-once", null)) {
            assertThat(stream.readUntil("retry: ")).containsIgnoringCase("\r\nWeir-Dedup: partition,seq\r\n");
        }
        try (RawStream stream = new RawStream(gateway.port(), "?mode=at-least-once", null)) {
            assertThat(stream.readUntil("retry: ")).doesNotContainIgnoringCase("Weir-Dedup");
        }
    }
}
