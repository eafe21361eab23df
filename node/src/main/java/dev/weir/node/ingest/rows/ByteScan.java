package dev.weir.node.ingest.rows;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Searches and comparisons over bytes, eight at a time where that pays. */
final class ByteScan {
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private ByteScan() {}

    /** Eight bytes, the first one lowest. */
    static long word(byte[] bytes, int at) {
        return (long) WORDS.get(bytes, at);
    }

    /** The first space, line feed or backslash, or {@code end}. */
    static int spaceLineBackslash(byte[] bytes, int from, int end) {
        int i = from;
        for (; i + 8 <= end; i += 8) {
            long w = word(bytes, i);
            long hit = zeros(w ^ ONES * ' ') | zeros(w ^ ONES * '\n') | zeros(w ^ ONES * '\\');
            if (hit != 0) {
                return i + (Long.numberOfTrailingZeros(hit) >>> 3);
            }
        }
        for (; i < end; i++) {
            byte c = bytes[i];
            if (c == ' ' || c == '\n' || c == '\\') {
                return i;
            }
        }
        return end;
    }

    /** The first double quote or backslash, or {@code end}. */
    static int quoteBackslash(byte[] bytes, int from, int end) {
        int i = from;
        for (; i + 8 <= end; i += 8) {
            long w = word(bytes, i);
            long hit = zeros(w ^ ONES * '"') | zeros(w ^ ONES * '\\');
            if (hit != 0) {
                return i + (Long.numberOfTrailingZeros(hit) >>> 3);
            }
        }
        for (; i < end; i++) {
            byte c = bytes[i];
            if (c == '"' || c == '\\') {
                return i;
            }
        }
        return end;
    }

    static int indexOf(byte[] bytes, char wanted, int from, int end) {
        long pattern = ONES * wanted;
        int i = from;
        for (; i + 8 <= end; i += 8) {
            long hit = zeros(word(bytes, i) ^ pattern);
            if (hit != 0) {
                return i + (Long.numberOfTrailingZeros(hit) >>> 3);
            }
        }
        for (; i < end; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        return end;
    }

    static int count(byte[] bytes, char wanted, int from, int end) {
        int found = 0;
        for (int i = indexOf(bytes, wanted, from, end); i < end; i = indexOf(bytes, wanted, i + 1, end)) {
            found++;
        }
        return found;
    }

    /** Whether the same {@code length} bytes stand at both places; both lie before {@code end}. */
    static boolean same(byte[] bytes, int x, int y, int length, int end) {
        if (length >= 8) {
            for (int i = 0; i + 8 <= length; i += 8) {
                if (word(bytes, x + i) != word(bytes, y + i)) {
                    return false;
                }
            }
            return word(bytes, x + length - 8) == word(bytes, y + length - 8);
        }
        if (y + 8 <= end && x + 8 <= end) {
            return (word(bytes, x) ^ word(bytes, y)) << (8 * (8 - length)) == 0 || length == 0;
        }
        for (int i = 0; i < length; i++) {
            if (bytes[x + i] != bytes[y + i]) {
                return false;
            }
        }
        return true;
    }

    /** A fast hash for tables in memory only; part of no format. */
    static long hash(byte[] bytes, int from, int end) {
        long h = (end - from) * MIX;
        int i = from;
        for (; i + 8 <= end; i += 8) {
            h = (h ^ word(bytes, i)) * MIX;
            h ^= h >>> 32;
        }
        long rest = 0;
        for (; i < end; i++) {
            rest = (rest << 8) | (bytes[i] & 0xff);
        }
        h = (h ^ rest) * MIX;
        return h ^ h >>> 29;
    }

    static boolean ascii(byte[] bytes, int from, int end) {
        int i = from;
        for (; i + 32 <= end; i += 32) {
            long w = word(bytes, i) | word(bytes, i + 8) | word(bytes, i + 16) | word(bytes, i + 24);
            if ((w & HIGHS) != 0) {
                return false;
            }
        }
        for (; i < end; i++) {
            if (bytes[i] < 0) {
                return false;
            }
        }
        return true;
    }

    private static long zeros(long word) {
        return (word - ONES) & ~word & HIGHS;
    }
}
