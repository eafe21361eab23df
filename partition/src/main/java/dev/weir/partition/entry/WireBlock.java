package dev.weir.partition.entry;

import dev.weir.partition.model.TableSchema;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A {@link RowBlock}'s bytes, opened.
 *
 * <pre>
 * u8 version (1), text tenant, varint table id, varint schema version, blob schema ({@link SchemaCodec}),
 * varint rows, varint series, each: u64 hash, blob canonical tags;  body ({@link BlockRows});  u32 CRC-32C of all before
 * </pre>
 *
 * @param dictionaryFrom where the series begin in the array
 */
record WireBlock(
        byte[] bytes,
        String tenant,
        int tableId,
        int schemaVersion,
        int schemaFrom,
        int schemaLength,
        int rows,
        int series,
        int dictionaryFrom,
        int bodyFrom,
        int bodyEnd) {
    static final int VERSION = 1;
    private static final int SERIES_BYTES_MIN = 9;
    private static final int CHECKSUM_BYTES = 4;

    static void writeHead(
            ByteWriter out, String tenant, TableSchema schema, byte[] schemaBytes, int rows, SeriesTable series) {
        out.u8(VERSION);
        out.text(tenant);
        out.varint(schema.tableId());
        out.varint(schema.version());
        out.blob(schemaBytes, 0, schemaBytes.length);
        out.varint(rows);
        out.varint(series.count());
        series.write(out);
    }

    static void writeChecksum(ByteWriter out) {
        out.u32(crc(out.array(), 0, out.size()));
    }

    /** Checks all but the contents of columns. */
    static WireBlock parse(ByteBuffer buffer) {
        ByteReader whole = ByteReader.of(buffer);
        byte[] bytes = whole.array();
        int from = whole.position();
        int version = whole.u8("row block version");
        if (version != VERSION) {
            throw new FormatException("row block version " + version + ", expected " + VERSION);
        }
        int bodyEnd = whole.end() - CHECKSUM_BYTES;
        checkCrc(bytes, from, bodyEnd);
        ByteReader in = new ByteReader(bytes, whole.position(), bodyEnd);
        String tenant = in.text("tenant");
        int tableId = in.count(0, Integer.MAX_VALUE, "table id");
        int schemaVersion = in.count(0, Integer.MAX_VALUE, "schema version");
        int schemaLength = in.length("schema");
        int schemaFrom = in.skip(schemaLength, "schema");
        int rows = in.count(1, BlockLimits.ROWS_MAX, "rows");
        int series = in.count(1, Math.min(rows, in.remaining() / SERIES_BYTES_MIN), "series");
        int dictionaryFrom = in.position();
        for (int i = 0; i < series; i++) {
            in.skip(8, "series hash");
            in.skip(in.length("series tags"), "series tags");
        }
        return new WireBlock(
                bytes,
                tenant,
                tableId,
                schemaVersion,
                schemaFrom,
                schemaLength,
                rows,
                series,
                dictionaryFrom,
                in.position(),
                bodyEnd);
    }

    /** Checks what parsing leaves alone and applying reads: series refs, timestamps, framing of columns. */
    void checkBody() {
        BlockRows.read(new ByteReader(bytes, bodyFrom, bodyEnd), rows, series);
    }

    private static void checkCrc(byte[] bytes, int from, int bodyEnd) {
        if (bodyEnd <= from) {
            throw new FormatException("row block of " + (bodyEnd - from + CHECKSUM_BYTES) + " bytes is cut off");
        }
        int expected = new ByteReader(bytes, bodyEnd, bodyEnd + CHECKSUM_BYTES).u32("checksum");
        int found = crc(bytes, from, bodyEnd - from);
        if (found != expected) {
            throw new FormatException("row block: checksum " + Integer.toHexString(found) + ", expected "
                    + Integer.toHexString(expected));
        }
    }

    private static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}
