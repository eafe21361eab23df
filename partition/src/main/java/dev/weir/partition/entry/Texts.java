package dev.weir.partition.entry;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;

/**
 * A run of bytes, compressed where that pays.
 *
 * <pre>
 * 0 PLAIN  varint length, bytes
 * 1 ZSTD   varint length when inflated, varint length, zstd frame
 * </pre>
 */
final class Texts {
    /** Speed counts for more than the last byte. */
    static final int ZSTD_LEVEL = 1;
    /** Inflated bytes of one column. */
    static final int BYTES_MAX = 64 << 20;

    private static final int PLAIN = 0;
    private static final int ZSTD = 1;
    private static final int ZSTD_BYTES_MIN = 256;

    private Texts() {}

    static void write(ByteWriter out, byte[] bytes, int length) {
        if (length >= ZSTD_BYTES_MIN && deflate(out, bytes, length)) {
            return;
        }
        out.u8(PLAIN);
        out.blob(bytes, 0, length);
    }

    static byte[] read(ByteReader in, String what) {
        int form = in.u8(what);
        if (form == PLAIN) {
            return in.blob(what);
        }
        if (form != ZSTD) {
            throw new FormatException(what + ": form of texts " + form + ", expected 0 or 1");
        }
        int inflated = in.count(1, BYTES_MAX, what + " inflated length");
        int length = in.length(what);
        return inflate(in.array(), in.skip(length, what), length, inflated, what);
    }

    /** Inflates exactly {@code expected} bytes. */
    static byte[] inflate(byte[] bytes, int from, int length, int expected, String what) {
        // The frame says how much it holds: a lie is refused before the room is made.
        long said = Zstd.getFrameContentSize(bytes, from, length);
        if (said != expected) {
            throw new FormatException(what + ": zstd frame of " + said + " bytes, expected " + expected);
        }
        byte[] inflated = new byte[expected];
        try {
            long got = Zstd.decompressByteArray(inflated, 0, expected, bytes, from, length);
            if (got != expected) {
                throw new FormatException(what + ": zstd frame inflates to " + got + " bytes, expected " + expected);
            }
        } catch (ZstdException e) {
            throw new FormatException(what + ": zstd frame does not inflate: " + e.getMessage());
        }
        return inflated;
    }

    private static boolean deflate(ByteWriter out, byte[] bytes, int length) {
        int mark = out.size();
        out.u8(ZSTD);
        out.varint(length);
        byte[] packed = new byte[(int) Zstd.compressBound(length)];
        long size = Zstd.compressByteArray(packed, 0, packed.length, bytes, 0, length, ZSTD_LEVEL);
        if (size > length - length / 8) {
            out.truncate(mark);
            return false;
        }
        out.blob(packed, 0, (int) size);
        return true;
    }
}
