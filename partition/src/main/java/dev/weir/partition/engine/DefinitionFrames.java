package dev.weir.partition.engine;

import dev.weir.partition.entry.FormatException;
import dev.weir.partition.entry.SchemaCodec;
import dev.weir.partition.model.TableSchema;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The frames of a definitions file, version 1; all integers big-endian.
 *
 * <pre>
 * file    "WDEF" u8 version=1 u8[3]=0, then frames
 * frame   u32 bytes of body, u32 CRC-32C of body, body
 * body    u8 1=series: u32 id, u32 table, u64 hash, canonical tags (the rest)
 *         u8 2=schema: as {@link SchemaCodec} (the rest)
 * </pre>
 */
final class DefinitionFrames {
    static final int HEADER_BYTES = 8;
    static final int FRAME_HEADER_BYTES = 8;
    /** Far above the limits on rows and columns. */
    static final int BODY_BYTES_MAX = 64 << 20;

    private static final byte[] HEADER = {'W', 'D', 'E', 'F', 1, 0, 0, 0};
    private static final byte SERIES = 1;
    private static final byte SCHEMA = 2;

    private DefinitionFrames() {}

    /** Where decoded frames go. */
    interface Target {
        void series(int id, int tableId, byte[] tags, long hash);

        void schema(TableSchema schema);
    }

    static byte[] header() {
        return HEADER.clone();
    }

    static boolean isHeader(byte[] bytes) {
        return Arrays.equals(bytes, HEADER);
    }

    static byte[] series(int id, int tableId, byte[] tags, long hash) {
        byte[] bytes = new byte[FRAME_HEADER_BYTES + 17 + tags.length];
        ByteBuffer frame = ByteBuffer.wrap(bytes);
        frame.position(FRAME_HEADER_BYTES);
        frame.put(SERIES).putInt(id).putInt(tableId).putLong(hash).put(tags);
        return seal(bytes);
    }

    static byte[] schema(TableSchema schema) {
        byte[] encoded = SchemaCodec.encode(schema);
        byte[] bytes = new byte[FRAME_HEADER_BYTES + 1 + encoded.length];
        ByteBuffer frame = ByteBuffer.wrap(bytes);
        frame.position(FRAME_HEADER_BYTES);
        frame.put(SCHEMA).put(encoded);
        return seal(bytes);
    }

    /** @throws IOException the body is none of these */
    static void decode(ByteBuffer body, Target target) throws IOException {
        try {
            byte kind = body.get();
            if (kind == SERIES) {
                int id = body.getInt();
                int table = body.getInt();
                long hash = body.getLong();
                target.series(id, table, rest(body), hash);
            } else if (kind == SCHEMA) {
                target.schema(SchemaCodec.decode(rest(body)));
            } else {
                throw new IOException("definition kind: expected 1 or 2, found " + kind);
            }
        } catch (BufferUnderflowException | FormatException e) {
            throw new IOException("definition body: cut short or malformed", e);
        }
    }

    private static byte[] rest(ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        return bytes;
    }

    private static byte[] seal(byte[] frame) {
        int length = frame.length - FRAME_HEADER_BYTES;
        CRC32C crc = new CRC32C();
        crc.update(frame, FRAME_HEADER_BYTES, length);
        ByteBuffer.wrap(frame).putInt(length).putInt((int) crc.getValue());
        return frame;
    }
}
