package dev.weir.partition.file;

import java.util.Arrays;

/** UTF-8 texts one after the other; grows and is used again. */
final class TextValues {
    private byte[] bytes = new byte[1024];
    private int[] ends = new int[64];
    private int count;

    int count() {
        return count;
    }

    byte[] bytes() {
        return bytes;
    }

    int from(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }

    int length(int index) {
        return ends[index] - from(index);
    }

    int byteCount() {
        return count == 0 ? 0 : ends[count - 1];
    }

    void clear() {
        count = 0;
    }

    void add(byte[] source, int from, int length) {
        int at = byteCount();
        if (bytes.length - at < length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(at, length)));
        }
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
        }
        System.arraycopy(source, from, bytes, at, length);
        ends[count++] = at + length;
    }

    boolean equal(int index, byte[] other, int from, int length) {
        int own = from(index);
        return Arrays.equals(bytes, own, own + length(index), other, from, from + length);
    }

    /** By unsigned bytes, which for UTF-8 is by code points. */
    int compare(int a, int b) {
        return Arrays.compareUnsigned(bytes, from(a), ends[a], bytes, from(b), ends[b]);
    }
}
