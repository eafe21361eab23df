package dev.weir.partition.entry;

import dev.weir.wal.segment.SegmentRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a record only which points it wrote and what else happened: ids of series and timestamps, no column. Needs no definitions. For
 * rebuilding key sets, and for accounts of what a segment holds.
 */
public final class RecordKeys {
    private RecordKeys() {}

    /** Told of a record's events in order of seq. */
    public interface Visitor {
        void rows(Rows rows);

        void event(long seq, TableEvent event);
    }

    /** The written points of one block; arrays are for reading. */
    public static final class Rows {
        private final long firstSeq;
        private final int tableId;
        private final int schemaVersion;
        private final int events;
        private final int @Nullable [] rowOf;
        private final int[] seriesIds;
        private final BlockRows rows;
        private final int bytes;

        Rows(
                long firstSeq,
                int tableId,
                int schemaVersion,
                int events,
                int @Nullable [] rowOf,
                int[] seriesIds,
                BlockRows rows,
                int bytes) {
            this.firstSeq = firstSeq;
            this.tableId = tableId;
            this.schemaVersion = schemaVersion;
            this.events = events;
            this.rowOf = rowOf;
            this.seriesIds = seriesIds;
            this.rows = rows;
            this.bytes = bytes;
        }

        /** Seq of the first of {@link #events}. */
        public long firstSeq() {
            return firstSeq;
        }

        public int tableId() {
            return tableId;
        }

        public int schemaVersion() {
            return schemaVersion;
        }

        public int events() {
            return events;
        }

        /** The block's row of an event; rows that were not stored have none. */
        public int row(int event) {
            return rowOf == null ? event : rowOf[event];
        }

        /** The partition's ids of the block's series. */
        public int[] seriesIds() {
            return seriesIds;
        }

        /** Per row of the block: an index into {@link #seriesIds}. */
        public int[] seriesRefs() {
            return rows.series();
        }

        /** Per row of the block. */
        public long[] timestamps() {
            return rows.timestamps();
        }

        /** Of the encoded fields. */
        public int bytes() {
            return bytes;
        }
    }

    /** @throws FormatException the payload is damaged */
    public static void read(SegmentRecord record, Visitor visitor) {
        ByteReader in = ByteReader.of(record.payload());
        RecordReader.checkVersion(in);
        long seq = record.firstSeq();
        while (!in.atEnd()) {
            int kind = in.u8("part kind");
            ByteReader body = in.slice(in.u32("part length"), "part of kind " + kind);
            switch (kind) {
                case RecordBuilder.ROWS -> {
                    Rows rows = rows(body, seq);
                    visitor.rows(rows);
                    seq += rows.events();
                }
                case RecordBuilder.EVENT -> visitor.event(seq++, RecordReader.tableEvent(body));
                default -> throw new FormatException("part kind " + kind + ", expected 1 or 2");
            }
        }
        if (seq != record.nextSeq()) {
            throw new FormatException("record of " + (seq - record.firstSeq()) + " events, expected " + record.count());
        }
    }

    private static Rows rows(ByteReader in, long seq) {
        int tableId = in.count(0, Integer.MAX_VALUE, "table id");
        int version = in.count(0, Integer.MAX_VALUE, "schema version");
        int rows = in.count(1, BlockLimits.ROWS_MAX, "rows");
        int[] rowOf = SchemaCodec.flag(in, "accepted") ? RecordReader.acceptedRows(in, rows) : null;
        RecordReader.updates(in, rows);
        int series = in.count(1, rows, "series");
        int[] ids = RowsPart.seriesIds(in, series);
        BlockRows body = BlockRows.read(in, rows, series);
        return new Rows(
                seq,
                tableId,
                version,
                rowOf == null ? rows : rowOf.length,
                rowOf,
                ids,
                body,
                in.end() - body.columnsFrom());
    }
}
