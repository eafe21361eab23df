package dev.weir.cdc;

import dev.weir.partition.engine.SurvivingRows;
import dev.weir.partition.model.HistoryCursor;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Tables as they stood, as Server-Sent Events: frames like those of the log, whose ids are places within the snapshot. The lock keeps a
 * beat before the end, and no checkpoint behind an id that was sent. */
final class SseHistory implements HistoryFrames {
    private static final byte[] HEAD = JsonBytes.ascii("event: point_written\nid: ");
    private static final byte[] SEQ = JsonBytes.ascii("\ndata: {\"seq\":");
    private static final byte[] PARTITION = JsonBytes.ascii(",\"prev\":null,\"partition\":");
    private static final byte[] MEASUREMENT =
            JsonBytes.ascii(",\"event_type\":\"point_written\",\"operation\":\"insert\",\"measurement\":");
    private static final byte[] TIMESTAMP = JsonBytes.ascii(",\"timestamp\":");
    private static final byte[] TIME = JsonBytes.ascii(",\"time\":");
    private static final byte[] TAGS = JsonBytes.ascii(",\"tags\":");
    private static final byte[] FIELDS = JsonBytes.ascii(",\"fields\":");
    private static final byte[] VERSION = JsonBytes.ascii(",\"schema_version\":");
    private static final byte[] COMMITTED = JsonBytes.ascii(",\"committed_at\":");
    private static final byte[] SNAPSHOT = JsonBytes.ascii(",\"source\":\"snapshot\"}\n\n");
    private static final byte[] BACKFILL = JsonBytes.ascii(",\"source\":\"backfill\"}\n\n");

    private final RunKey key;
    private final String tenant;
    private final int sliceBytes;
    private final HistorySink sink;
    private final TimeText time = new TimeText();
    private @Nullable HistoryCursor told;
    private boolean ended;

    SseHistory(RunKey key, int sliceBytes, HistorySink sink) {
        this.key = key;
        this.tenant = key.filter().tenant();
        this.sliceBytes = sliceBytes;
        this.sink = sink;
    }

    /** The response's first bytes are the same for all streams of events, and its head has the place. */
    @Override
    public boolean open(@Nullable HistoryCursor place) {
        return place != null;
    }

    @Override
    public void rows(SurvivingRows rows, int from, HistoryReader reader) {
        BatchRows at = new BatchRows(rows, key);
        JsonBytes out = new JsonBytes(sliceBytes + sliceBytes / 4);
        HistoryCursor day = reader.place();
        int frames = 0;
        for (int row = from; row < rows.count(); row++) {
            HistoryCursor after = day.at(day.partition(), day.tableId(), day.day(), rows.firstRow() + row + 1);
            if (reader.wants(rows.seq(row)) && at.moveTo(row)) {
                frame(out, at, after, reader.isBackfill() ? BACKFILL : SNAPSHOT);
                frames++;
            }
            boolean isLast = row == rows.count() - 1;
            if (isLast || out.length() >= sliceBytes) {
                if (!sink.awaitRoom()) {
                    return;
                }
                send(out, frames, after, reader);
                out.clear();
                frames = 0;
            }
        }
    }

    private synchronized void send(JsonBytes out, int frames, HistoryCursor after, HistoryReader reader) {
        if (frames > 0) {
            sink.rows(Buffer.buffer(out.copy()), frames);
            told = after;
        }
        reader.reached(after);
    }

    private void frame(JsonBytes out, BatchRows row, HistoryCursor after, byte[] end) {
        boolean quoted = key.int64AsString();
        out.put(HEAD);
        out.put(JsonBytes.ascii(after.encode(tenant)));
        out.put(SEQ);
        out.number(row.seq(), quoted);
        out.put(PARTITION);
        out.number(row.partition());
        out.put(MEASUREMENT);
        out.string(new String(row.measurement(), StandardCharsets.UTF_8));
        out.put(TIMESTAMP);
        out.number(row.timestampNanos(), quoted);
        out.put(TIME);
        time.put(out, row.timestampNanos());
        out.put(TAGS);
        out.put(row.tags());
        out.put(FIELDS);
        row.fields(out);
        out.put(VERSION);
        out.number(row.schemaVersion());
        out.put(COMMITTED);
        time.put(out, row.committedAtNanos());
        out.put(end);
    }

    @Override
    public boolean gap(Gap gap, HistoryCursor after, HistoryReader reader) {
        boolean goesOn = sink.awaitRoom();
        if (goesOn) {
            send(gap, after, reader);
        }
        return goesOn;
    }

    private synchronized void send(Gap gap, HistoryCursor after, HistoryReader reader) {
        sink.send(Buffer.buffer(
                "event: gap\nid: " + after.encode(tenant) + "\ndata: " + gap.json(key.int64AsString()) + "\n\n"));
        told = after;
        reader.reached(after);
    }

    @Override
    public synchronized void beat(@Nullable HistoryReader reader) {
        if (ended || !sink.isQuiet()) {
            return;
        }
        HistoryCursor place = reader == null ? null : reader.place();
        if (place == null || place.equals(told)) {
            sink.send(SseText.KEEP_ALIVE);
        } else {
            sink.send(SseText.KEEP_ALIVE.copy().appendBuffer(SseText.checkpoint(place, tenant)));
            told = place;
        }
    }

    @Override
    public void checkpoint(HistoryCursor place) {
        sink.send(SseText.checkpoint(place, tenant));
    }

    @Override
    public synchronized void end(Position cut, boolean isTable) {
        ended = true;
        sink.send(SseText.position(isTable ? "snapshot_end" : "checkpoint", cut, tenant));
    }

    @Override
    public void lost(String why) {
        sink.send(SseText.data("lost", HistoryText.lost(why)));
    }

    @Override
    public void refused(RequestRefused refused) {
        sink.send(SseText.data("refused", RefusalAnswer.json(refused)));
    }

    @Override
    public synchronized void close(boolean inOrder) {
        ended = true;
        if (inOrder) {
            sink.end();
        } else {
            sink.endShort();
        }
    }
}
