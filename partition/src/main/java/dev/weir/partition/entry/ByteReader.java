package dev.weir.partition.entry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what {@link ByteWriter} wrote. Every length and count is checked against the bytes that remain, or against a limit, before anything
 * is allocated by it. Not thread-safe.
 */
public final class ByteReader {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;
    private final int end;
    private int at;

    public ByteReader(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /** Over the buffer's remaining bytes: in place where the buffer shows its array, else over a copy. */
    public static ByteReader of(ByteBuffer buffer) {
        if (buffer.hasArray()) {
            int from = buffer.arrayOffset() + buffer.position();
            return new ByteReader(buffer.array(), from, from + buffer.remaining());
        }
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        return new ByteReader(copy, 0, copy.length);
    }

    /** Over a copy of the buffer's remaining bytes, so that it stays valid when the buffer's owner goes on. */
    public static ByteReader ofCopy(ByteBuffer buffer) {
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        return new ByteReader(copy, 0, copy.length);
    }

    byte[] array() {
        return bytes;
    }

    public int position() {
        return at;
    }

    public int end() {
        return end;
    }

    public int remaining() {
        return end - at;
    }

    public boolean atEnd() {
        return at == end;
    }

    public int u8(String what) {
        need(1, what);
        return bytes[at++] & 0xff;
    }

    public int u32(String what) {
        need(4, what);
        int value = (int) INT.get(bytes, at);
        at += 4;
        return value;
    }

    public long u64(String what) {
        need(8, what);
        long value = (long) LONG.get(bytes, at);
        at += 8;
        return value;
    }

    public long varint(String what) {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            need(1, what);
            int next = bytes[at++];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new FormatException(what + ": a varint of more than 10 bytes before byte " + at);
    }

    public long zigzag(String what) {
        long value = varint(what);
        return (value >>> 1) ^ -(value & 1);
    }

    /** A varint from {@code min} to {@code max}. */
    public int count(int min, int max, String what) {
        return checked(varint(what), min, max, what);
    }

    /** How many things follow of which each takes at least {@code bytesEach} bytes. */
    public int countOf(int bytesEach, String what) {
        long value = varint(what);
        return checked(value, 0, remaining() / bytesEach, what);
    }

    /** A varint length that the remaining bytes hold. */
    public int length(String what) {
        long value = varint(what);
        return checked(value, 0, remaining(), what);
    }

    public String text(String what) {
        int length = length(what);
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    byte[] blob(String what) {
        int length = length(what);
        byte[] blob = Arrays.copyOfRange(bytes, at, at + length);
        at += length;
        return blob;
    }

    /** Skips so many bytes and returns where they began. */
    public int skip(int length, String what) {
        need(length, what);
        int from = at;
        at += length;
        return from;
    }

    /** A reader of the next {@code length} bytes; this one goes on behind them. */
    public ByteReader slice(int length, String what) {
        int from = skip(length, what);
        return new ByteReader(bytes, from, from + length);
    }

    public void expectEnd(String what) {
        if (at != end) {
            throw new FormatException(what + ": " + (end - at) + " bytes too many from byte " + at);
        }
    }

    private void need(int count, String what) {
        if (count < 0 || end - at < count) {
            throw new FormatException(what + ": expected " + Integer.toUnsignedString(count) + " bytes at byte " + at
                    + ", found " + (end - at));
        }
    }

    private static int checked(long value, int min, int max, String what) {
        if (value < min || value > max) {
            throw new FormatException(
                    what + ": " + Long.toUnsignedString(value) + " found, expected " + min + " to " + max);
        }
        return (int) value;
    }
}
