package dev.weir.partition.file;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.parquet.bytes.BytesInput;

/** Bytes of a page under construction; little-endian; grows and is used again. */
final class PageBytes extends OutputStream {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes = new byte[1 << 12];
    private int size;

    byte[] array() {
        return bytes;
    }

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }

    /** Room for so many more bytes, counted as written; returns where they begin. */
    int claim(int count) {
        if (bytes.length - size < count) {
            bytes = Arrays.copyOf(
                    bytes, Math.max(Math.addExact(size, count), (int) Math.min(2L * bytes.length, 1 << 30)));
        }
        int at = size;
        size += count;
        return at;
    }

    void putByte(int value) {
        int at = claim(1);
        bytes[at] = (byte) value;
    }

    void putInt(int value) {
        int at = claim(4);
        INT.set(bytes, at, value);
    }

    void putIntAt(int at, int value) {
        INT.set(bytes, at, value);
    }

    void putLongs(long[] values, int from, int to) {
        int at = claim(8 * (to - from));
        for (int i = from; i < to; i++, at += 8) {
            LONG.set(bytes, at, values[i]);
        }
    }

    /** The low 32 bits of each. */
    void putInts(long[] values, int from, int to) {
        int at = claim(4 * (to - from));
        for (int i = from; i < to; i++, at += 4) {
            INT.set(bytes, at, (int) values[i]);
        }
    }

    void put(byte[] source, int from, int length) {
        int at = claim(length);
        System.arraycopy(source, from, bytes, at, length);
    }

    void put(BytesInput source) throws IOException {
        source.writeAllTo(this);
    }

    @Override
    public void write(int value) {
        putByte(value);
    }

    @Override
    public void write(byte[] source, int from, int length) {
        put(source, from, length);
    }
}
