package dev.weir.partition.entry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing byte array. Fixed numbers are little-endian, varints unsigned LEB128, texts a varint length and UTF-8. Not thread-safe. */
public final class ByteWriter {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int VARINT_BYTES_MAX = 10;
    private static final int PADDED_VARINT_BYTES = 2;

    private byte[] bytes;
    private int size;

    public ByteWriter(int capacity) {
        bytes = new byte[capacity];
    }

    public int size() {
        return size;
    }

    /** The array behind; valid until the next write. */
    byte[] array() {
        return bytes;
    }

    public void reset() {
        size = 0;
    }

    /** Takes back what was written from {@code size} on. */
    public void truncate(int toSize) {
        size = toSize;
    }

    /** Makes room for so many bytes, counts them as written and returns where they begin. */
    public int claim(int count) {
        ensure(count);
        int at = size;
        size += count;
        return at;
    }

    public void u8(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
    }

    public void u32(int value) {
        int at = claim(4);
        INT.set(bytes, at, value);
    }

    public void u64(long value) {
        int at = claim(8);
        LONG.set(bytes, at, value);
    }

    public void varint(long value) {
        ensure(VARINT_BYTES_MAX);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    public void zigzag(long value) {
        varint((value << 1) ^ (value >> 63));
    }

    public void text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        blob(utf8, 0, utf8.length);
    }

    /** A varint length, then the bytes. */
    public void blob(byte[] source, int from, int length) {
        varint(length);
        raw(source, from, length);
    }

    public void raw(byte[] source, int from, int length) {
        int at = claim(length);
        System.arraycopy(source, from, bytes, at, length);
    }

    /** Leaves room for a length of 4 bytes; {@link #endLength} fills it in. */
    public int beginLength() {
        return claim(4);
    }

    public void endLength(int begin) {
        INT.set(bytes, begin, size - begin - 4);
    }

    /**
     * Leaves room for a varint length in 2 bytes (padded with a continuation bit; 4 bytes from 2^14 on); {@link #endVarintLength} fills it in.
     */
    public int beginVarintLength() {
        return claim(PADDED_VARINT_BYTES);
    }

    public void endVarintLength(int begin) {
        int from = begin + PADDED_VARINT_BYTES;
        int length = size - from;
        if (length >= 1 << (7 * PADDED_VARINT_BYTES)) {
            // Rare: a column of megabytes. It moves to make room for a longer length.
            claim(2);
            System.arraycopy(bytes, from, bytes, from + 2, length);
            putPadded(begin, length, PADDED_VARINT_BYTES + 2);
        } else {
            putPadded(begin, length, PADDED_VARINT_BYTES);
        }
    }

    private void putPadded(int at, int value, int width) {
        for (int i = 0; i < width; i++) {
            bytes[at + i] = (byte) (((value >>> (7 * i)) & 0x7f) | (i < width - 1 ? 0x80 : 0));
        }
    }

    public void setLong(int at, long value) {
        LONG.set(bytes, at, value);
    }

    public byte[] toArray() {
        return Arrays.copyOf(bytes, size);
    }

    public ByteBuffer toBuffer() {
        return ByteBuffer.wrap(toArray()).asReadOnlyBuffer();
    }

    private void ensure(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), (int)
                    Math.min(Integer.MAX_VALUE - 8L, bytes.length * 2L)));
        }
    }
}
