package dev.weir.cdc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.SseParser;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Reads a stream only when told to, and hands to a {@link Tiling} what came. */
abstract class SlowClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** More than a packet on the loopback: of less room TCP tells the sender late, after 200 ms and more. */
    private static final int RECEIVE_BYTES = 128 * 1024;

    private final RawStream raw;
    final ChunkedBody body;
    String lastId;

    private SlowClient(RawStream raw, String lastId) throws IOException {
        this.raw = raw;
        raw.readUntil("\r\n\r\n");
        this.body = new ChunkedBody(raw);
        this.lastId = lastId;
    }

    static SlowClient open(int port, boolean arrow, String query, String lastId) throws IOException {
        String headers = (arrow ? "Accept: application/vnd.apache.arrow.stream\r\n" : "")
                + (lastId == null ? "" : "Last-Event-ID: " + lastId + "\r\n");
        RawStream raw = new RawStream(port, "GET", query, headers, RECEIVE_BYTES);
        return arrow ? new Arrow(raw, lastId) : new Sse(raw, lastId);
    }

    /** Takes what has come; false where nothing has. */
    boolean take(Tiling into) throws IOException {
        boolean any = false;
        while (body.available() > 0) {
            takeOne(into);
            any = true;
        }
        return any;
    }

    abstract void takeOne(Tiling into) throws IOException;

    static Gap gap(String json) throws IOException {
        JsonNode gap = JSON.readTree(json);
        Gap read = new Gap(
                gap.get("partition").asInt(),
                gap.get("first_seq").asLong(),
                gap.get("last_seq").asLong(),
                Gap.Reason.valueOf(gap.get("reason").asText().toUpperCase(Locale.ROOT)));
        if (read.count() != gap.get("count").asLong()) {
            throw new IOException("count does not fit: " + json);
        }
        return read;
    }

    private static void resolved(String json, Tiling into) throws IOException {
        JsonNode frame = JSON.readTree(json);
        Map<Integer, Long> partitions = new TreeMap<>();
        frame.get("partitions").properties().forEach(each -> {
            if (!each.getValue().isNull()) {
                partitions.put(Integer.valueOf(each.getKey()), nanos(each.getValue()));
            }
        });
        JsonNode all = frame.get("resolved_at");
        into.resolved(partitions, all.isNull() ? 0 : nanos(all));
    }

    private static long nanos(JsonNode time) {
        Instant at = Instant.parse(time.asText());
        return at.getEpochSecond() * 1_000_000_000L + at.getNano();
    }

    @Override
    public void close() throws IOException {
        raw.close();
    }

    private static final class Sse extends SlowClient {
        private final List<SseFrame> frames = new ArrayList<>();
        private final SseParser parser = new SseParser(frames::add);

        Sse(RawStream raw, String lastId) throws IOException {
            super(raw, lastId);
        }

        @Override
        void takeOne(Tiling into) throws IOException {
            byte[] bytes = new byte[16 * 1024];
            parser.feed(bytes, 0, body.read(bytes));
            for (SseFrame frame : frames) {
                if (frame.isChange()) {
                    into.event(
                            frame.head().partition(),
                            frame.head().seq(),
                            frame.head().prev());
                } else if (frame.event().equals("gap")) {
                    into.gap(gap(frame.data()));
                } else if (frame.event().equals("resolved")) {
                    resolved(frame.data(), into);
                }
                lastId = frame.id() == null ? lastId : frame.id();
            }
            frames.clear();
        }
    }

    private static final class Arrow extends SlowClient {
        private final ArrowClient client;

        Arrow(RawStream raw, String lastId) throws IOException {
            super(raw, lastId);
            client = ArrowClient.over(body);
        }

        @Override
        void takeOne(Tiling into) throws IOException {
            ArrowClient.Batch batch = client.next();
            String gap = batch.metadata().get("weir.gap");
            if (gap != null) {
                into.gap(gap(gap));
            }
            String resolved = batch.metadata().get("weir.resolved");
            if (resolved != null) {
                resolved(resolved, into);
            }
            String prev = batch.metadata().get("weir.prev");
            Long before = prev == null ? null : Long.valueOf(prev);
            for (Object seq : batch.column("seq")) {
                into.event(
                        Integer.parseInt(batch.metadata().get("weir.partition")), ((Number) seq).longValue(), before);
                before = ((Number) seq).longValue();
            }
            lastId = batch.cursor();
        }

        @Override
        public void close() throws IOException {
            client.close();
            super.close();
        }
    }
}
