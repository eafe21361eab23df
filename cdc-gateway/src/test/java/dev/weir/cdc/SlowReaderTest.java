package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cdc.consumer.Deduplicator;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.SseParser;
import dev.weir.cdc.consumer.WeirStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers that stop reading: bounded memory, nothing dropped, nobody else slowed; and streams that the log outruns. */
class SlowReaderTest {
    private static final int BYTES_MAX = 256 * 1024;

    private final MemoryCluster cluster = MemoryCluster.of(2);
    private Gateway gateway;

    private void open() throws Exception {
        gateway = new Gateway(
                cluster, CdcConfig.defaults().withSubscriberBytesMax(BYTES_MAX).withHeartbeat(Duration.ofMillis(500)));
    }

    @AfterEach
    void close() throws Exception {
        gateway.close();
    }

    private void append(int batches) {
        RandomChanges changes = new RandomChanges(5);
        for (int i = 0; i < batches; i++) {
            cluster.log(i % 2).append(changes.batch(200));
        }
    }

    private long mine() {
        return cluster.logs.values().stream()
                .flatMap(log -> log.events().stream())
                .filter(event -> event.tenant().equals("default"))
                .count();
    }

    @Test
    void keepsBoundedBytesForAReaderThatStopsAndDropsNothing() throws Exception {
        open();
        try (RawStream slow = new RawStream(gateway.port(), "", null);
                WeirStream fast = gateway.open(gateway.options())) {
            slow.readUntil("retry: ");
            for (int round = 0; round < 10; round++) {
                long before = mine();
                append(30);
                Gateway.take(fast, (int) (mine() - before));
                assertThat(gateway.metric("weir.cdc.pending.bytes")).isLessThan(2 * BYTES_MAX);
            }
            long expected = mine();
            assertThat(expected).isGreaterThan(20_000);
            assertThat(gateway.metric("weir.cdc.lag.events")).isPositive();
            assertThat(gateway.metric("weir.cdc.dropped")).isZero();

            List<SseFrame> frames = new ArrayList<>();
            readRest(slow, frames, expected);
            Deduplicator deduplicator = Deduplicator.filtered();
            frames.stream()
                    .filter(SseFrame::isChange)
                    .forEach(frame ->
                            assertThat(deduplicator.accept(frame.head())).isEqualTo(Deduplicator.Verdict.FRESH));
            assertThat(frames.stream().filter(SseFrame::isChange).count()).isEqualTo(expected);
            assertThat(gateway.metric("weir.cdc.read.back.events")).isPositive();
        }
    }

    /** Undoes the chunks of HTTP, then reads frames until there are as many changes as expected (or the stream has ended). */
    private static void readRest(RawStream stream, List<SseFrame> frames, long changes) throws IOException {
        SseParser parser = new SseParser(frames::add);
        ChunkedBody body = new ChunkedBody(stream);
        byte[] bytes = new byte[64 * 1024];
        long deadline = System.nanoTime() + Gateway.PATIENCE.multipliedBy(3).toNanos();
        while (frames.stream().filter(SseFrame::isChange).count() < changes) {
            int count = body.read(bytes);
            if (count < 0) {
                return;
            }
            parser.feed(bytes, 0, count);
            if (System.nanoTime() > deadline) {
                throw new AssertionError("expected " + changes + " changes, found " + frames.size() + " frames");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/event-stream", "application/vnd.apache.arrow.stream"})
    void aSeatIsFreeWhenTheLastByteIsOut(String accept) throws Exception {
        open();
        try (RawStream slow = new RawStream(gateway.port(), "GET", "?from=earliest", "Accept: " + accept + "\r\n")) {
            slow.readUntil("\r\n\r\n");
            append(200);
            // The socket takes no more: an event loop that is behind would have written by then.
            await().atMost(Gateway.PATIENCE)
                    .during(Duration.ofMillis(500))
                    .until(() -> gateway.metric("weir.cdc.pending.bytes") >= BYTES_MAX / 2);
            CompletableFuture<Void> drained = gateway.routes.close().toCompletableFuture();
            // The stream's own work is done, as it no longer counts what is pending.
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.pending.bytes") == 0);
            assertThat(gateway.metric("weir.cdc.subscribers")).isEqualTo(1);
            assertThat(drained).isNotDone();
            new ChunkedBody(slow).readAllBytes();
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.subscribers") == 0);
            assertThat(drained).succeedsWithin(Gateway.PATIENCE);
        }
    }

    @Test
    void tellsAStreamThatTheLogOutranItsWayOnAndEndsIt() throws Exception {
        open();
        try (RawStream slow = new RawStream(gateway.port(), "?from=earliest", null)) {
            slow.readUntil("retry: ");
            append(200);
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.pending.bytes") >= BYTES_MAX / 2);
            cluster.logs.values().forEach(log -> log.trim(log.nextSeq()));
            await().atMost(Gateway.PATIENCE).until(() -> gateway.metric("weir.cdc.lost") == 1);
            List<SseFrame> frames = new ArrayList<>();
            readRest(slow, frames, Long.MAX_VALUE);
            SseFrame last = frames.getLast();
            assertThat(last.event()).isEqualTo("lost");
            assertThat(last.id()).isNull();
            assertThat(last.data()).contains("\"code\":\"cursor_too_old\"").contains("\"oldest_cursor\":\"");
            String oldest = last.data().replaceAll(".*\"oldest_cursor\":\"([^\"]*)\".*", "$1");
            try (WeirStream again = gateway.open(gateway.options().after(oldest))) {
                cluster.log(0).append(MemoryBatch.point("cpu", "after", 1, 1L));
                assertThat(Gateway.take(again, 1).getFirst().data()).contains("after");
            }
        }
    }
}
