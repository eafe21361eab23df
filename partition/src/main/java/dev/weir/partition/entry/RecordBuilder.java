package dev.weir.partition.entry;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Builds the payload of one record of a change segment: the events that one entry caused, in order of seq. Called by apply; not thread-safe.
 *
 * <pre>
 * u8 version (1), then parts to the end, each: u8 kind, u32 length, body
 * 1 ROWS   varint table id, varint schema version, varint rows of the block,
 *          u8 accepted (0 all, 1 some: a bit per row follows), u8 updates (0 none, 1 all, 2 some: a bit per row follows),
 *          varint series, ids ({@link LongCodec}), body ({@link BlockRows}) as it is in the entry
 * 2 EVENT  u8 event type, text tenant, varint table id, text measurement, varint schema version,
 *          u8 series (0, 1); if 1: u64 hash, blob canonical tags;  text detail (JSON)
 * </pre>
 */
public final class RecordBuilder {
    static final int VERSION = 1;
    static final int ROWS = 1;
    static final int EVENT = 2;
    static final int NONE = 0;
    static final int ALL = 1;
    static final int SOME = 2;

    private final ByteWriter out = new ByteWriter(64 << 10);
    private final Scratch scratch = new Scratch();
    private int count;

    public RecordBuilder() {
        reset();
    }

    /**
     * Adds the accepted rows of a block, one event each.
     *
     * @param seriesIds the id of each series of the block's dictionary
     * @param accepted a bit per row (row {@code i}: bit {@code i & 63} of word {@code i >> 6}); null: all
     * @param updates likewise, rows whose operation is update; null: none
     * @return events added; 0 when no row was accepted, then nothing was written
     */
    public int addRows(BlockView block, int[] seriesIds, long @Nullable [] accepted, long @Nullable [] updates) {
        int rows = block.rowCount();
        int events = accepted == null ? rows : RowMask.count(accepted, rows);
        if (events == 0) {
            return 0;
        }
        out.u8(ROWS);
        int length = out.beginLength();
        out.varint(block.tableId());
        out.varint(block.schemaVersion());
        out.varint(rows);
        writeAccepted(accepted, rows, events);
        writeUpdates(updates, rows);
        writeIds(seriesIds, block.seriesCount());
        block.writeBody(out);
        out.endLength(length);
        count += events;
        return events;
    }

    public void addEvent(TableEvent event) {
        out.u8(EVENT);
        int length = out.beginLength();
        out.u8(event.type().code());
        out.text(event.tenant());
        out.varint(event.tableId());
        out.text(event.measurement());
        out.varint(event.schemaVersion());
        byte[] tags = event.canonicalTags();
        out.u8(tags == null ? 0 : 1);
        if (tags != null) {
            out.u64(event.seriesHash());
            out.blob(tags, 0, tags.length);
        }
        out.text(event.detailJson());
        out.endLength(length);
        count++;
    }

    /** Events added. */
    public int count() {
        return count;
    }

    public int bytes() {
        return out.size();
    }

    /** The payload, as a buffer of its own, read-only. */
    public ByteBuffer build() {
        if (count == 0) {
            throw new IllegalStateException("a record needs an event");
        }
        return out.toBuffer();
    }

    public void reset() {
        out.reset();
        out.u8(VERSION);
        count = 0;
    }

    private void writeAccepted(long @Nullable [] accepted, int rows, int events) {
        if (accepted == null || events == rows) {
            out.u8(0);
        } else {
            out.u8(1);
            RowMask.write(out, accepted, rows);
        }
    }

    private void writeUpdates(long @Nullable [] updates, int rows) {
        int updated = updates == null ? 0 : RowMask.count(updates, rows);
        if (updates == null || updated == 0) {
            out.u8(NONE);
        } else if (updated == rows) {
            out.u8(ALL);
        } else {
            out.u8(SOME);
            RowMask.write(out, updates, rows);
        }
    }

    private void writeIds(int[] seriesIds, int series) {
        long[] ids = scratch.longs(series);
        for (int i = 0; i < series; i++) {
            ids[i] = seriesIds[i];
        }
        out.varint(series);
        LongCodec.encode(out, ids, series, scratch.deltas(series), false);
    }
}
