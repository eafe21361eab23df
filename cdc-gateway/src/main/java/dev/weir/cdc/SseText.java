package dev.weir.cdc;

import dev.weir.partition.model.HistoryCursor;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/** The frames of a stream that are no change events. Those that are true positions carry an id. */
final class SseText {
    static final Buffer KEEP_ALIVE = Buffer.buffer(": ka\n\n");

    private SseText() {}

    /** First bytes of every stream, so that proxies and clients open. */
    static Buffer opening(long retryMs) {
        return Buffer.buffer(": weir change stream\nretry: " + retryMs + "\n\n");
    }

    static Buffer keepAliveAt(Position position, String tenant) {
        return KEEP_ALIVE.copy().appendBuffer(checkpoint(position, tenant));
    }

    static Buffer checkpoint(Position position, String tenant) {
        return position("checkpoint", position, tenant);
    }

    /** Within history. */
    static Buffer checkpoint(HistoryCursor place, String tenant) {
        String cursor = place.encode(tenant);
        return Buffer.buffer("event: checkpoint\nid: " + cursor + "\ndata: {\"cursor\":\"" + cursor + "\"}\n\n");
    }

    /** A frame without an id: it is no place. */
    static Buffer data(String event, String json) {
        return Buffer.buffer("event: " + event + "\ndata: " + json + "\n\n");
    }

    static Buffer position(String event, Position position, String tenant) {
        String cursor = position.encode(tenant);
        StringBuilder text = new StringBuilder(128 + position.size() * 16)
                .append("event: ")
                .append(event)
                .append("\nid: ")
                .append(cursor)
                .append("\ndata: {\"cursor\":\"")
                .append(cursor)
                .append("\",\"next\":{");
        for (int i = 0; i < position.size(); i++) {
            text.append(i == 0 ? "\"" : ",\"").append(position.partitionAt(i)).append("\":");
            text.append(position.nextAt(i));
        }
        return Buffer.buffer(text.append("}}\n\n").toString());
    }

    /** @param after the position behind it, true since a gap counts as sent */
    static Buffer gap(Gap gap, Position after, RunKey key) {
        return Buffer.buffer("event: gap\nid: " + after.encode(key.filter().tenant()) + "\ndata: "
                + gap.json(key.int64AsString()) + "\n\n");
    }

    /** @param position where the stream is: all up to there was sent before this frame */
    static Buffer resolved(String json, Position position, String tenant) {
        return Buffer.buffer("event: resolved\nid: " + position.encode(tenant) + "\ndata: " + json + "\n\n");
    }

    static Buffer lost(LostException lost, String oldestCursor) {
        return data("lost", lostJson(lost, oldestCursor));
    }

    /** @param oldestCursor where the stream can be taken up again */
    static String lostJson(LostException lost, String oldestCursor) {
        JsonBytes json = new JsonBytes(256);
        json.put(JsonBytes.ascii("{\"code\":\"cursor_too_old\",\"partition\":" + lost.partition() + ",\"wanted_seq\":"
                + lost.wanted() + ",\"oldest_seq\":" + lost.oldest() + ",\"oldest_cursor\":"));
        json.string(oldestCursor);
        json.put(JsonBytes.ascii(",\"error\":"));
        json.string("the stream fell behind the log: " + lost.getMessage());
        json.put('}');
        return new String(json.copy(), StandardCharsets.UTF_8);
    }
}
