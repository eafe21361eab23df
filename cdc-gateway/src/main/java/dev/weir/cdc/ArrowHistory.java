package dev.weir.cdc;

import dev.weir.partition.engine.SurvivingRows;
import dev.weir.partition.model.HistoryCursor;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tables as they stood, as record batches. A batch's metadata says that it is of a snapshot, and its place in it; a batch without rows says that all was sent. The
 * lock keeps messages of two threads apart, since each must be under the schema that was sent last.
 */
final class ArrowHistory implements HistoryFrames {
    private static final String SNAPSHOT = "snapshot";
    private static final String BACKFILL = "backfill";

    private final ArrowForm form;
    private final ArrowWire wire;
    private final String tenant;
    private final int batchBytes;
    private final ArrowPages pages;
    private final HistorySink sink;
    private IpcSchema schema;
    private boolean ended;

    ArrowHistory(ArrowForm form, ArrowWire wire, int batchBytes, ArrowPages pages, HistorySink sink) {
        this.form = form;
        this.wire = wire;
        this.tenant = form.key().filter().tenant();
        this.batchBytes = batchBytes;
        this.pages = pages;
        this.sink = sink;
        this.schema = pages.opening(form);
    }

    /** The one that was sent last: the log goes on under it. */
    synchronized IpcSchema schema() {
        return schema;
    }

    @Override
    public synchronized boolean open(@Nullable HistoryCursor place) {
        sink.send(wire.opening(schema));
        if (place == null || !wire.tellsStart()) {
            return place != null;
        }
        boolean isOpen = sink.isOpen();
        checkpoint(place);
        return isOpen;
    }

    @Override
    public void rows(SurvivingRows rows, int from, HistoryReader reader) {
        BatchRows at = new BatchRows(rows, form.key());
        HistoryCursor day = reader.place();
        try (BatchMaker maker = pages.maker(form, rows)) {
            maker.begin(rows);
            for (int row = from; row < rows.count(); row++) {
                if (reader.wants(rows.seq(row)) && at.moveTo(row)) {
                    maker.add(at, row);
                }
                boolean isFull = maker.rowCount() >= form.rowsMax() || maker.byteCount() >= batchBytes;
                if (isFull || row == rows.count() - 1) {
                    if (!sink.awaitRoom()) {
                        return;
                    }
                    HistoryCursor after = day.at(day.partition(), day.tableId(), day.day(), rows.firstRow() + row + 1);
                    send(maker, after, reader);
                }
            }
        }
    }

    private synchronized void send(BatchMaker maker, HistoryCursor after, HistoryReader reader) {
        if (maker.rowCount() > 0) {
            send(maker, after, reader.isBackfill() ? BACKFILL : SNAPSHOT);
        }
        reader.reached(after);
    }

    /** Called with the lock held. */
    private void send(BatchMaker maker, HistoryCursor after, String source) {
        int rows = maker.rowCount();
        BatchMaker.Made made = maker.make();
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put("weir.cursor", after.encode(tenant));
        metadata.put("weir.partition", Integer.toString(after.partition()));
        metadata.put("weir.source", source);
        Buffer bytes = Buffer.buffer();
        if (!maker.schema().equals(schema)) {
            schema = maker.schema();
            wire.end().ifPresent(bytes::appendBuffer);
            wire.opening(bytes, schema);
        }
        wire.batch(bytes, made.dictionaries(), made.body(), metadata);
        sink.rows(bytes, rows);
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
        empty(Map.of("weir.gap", gap.json(form.key().int64AsString()), "weir.cursor", after.encode(tenant)));
        reader.reached(after);
    }

    @Override
    public synchronized void beat(@Nullable HistoryReader reader) {
        if (ended || !sink.isQuiet()) {
            return;
        }
        if (reader == null) {
            empty(Map.of());
        } else {
            checkpoint(reader.place());
        }
    }

    @Override
    public synchronized void checkpoint(HistoryCursor place) {
        empty(Map.of("weir.cursor", place.encode(tenant)));
    }

    @Override
    public synchronized void end(Position cut, boolean isTable) {
        ended = true;
        String cursor = cut.encode(tenant);
        empty(isTable ? Map.of("weir.cursor", cursor, "weir.snapshot_end", cursor) : Map.of("weir.cursor", cursor));
    }

    @Override
    public synchronized void lost(String why) {
        empty(Map.of("weir.lost", HistoryText.lost(why)));
    }

    @Override
    public synchronized void refused(RequestRefused refused) {
        empty(Map.of("weir.refused", RefusalAnswer.json(refused)));
    }

    @Override
    public synchronized void close(boolean inOrder) {
        ended = true;
        if (inOrder) {
            wire.end().ifPresent(sink::send);
            sink.end();
        } else {
            sink.cut();
        }
    }

    private void empty(Map<String, String> metadata) {
        sink.send(wire.empty(schema, metadata));
    }
}
