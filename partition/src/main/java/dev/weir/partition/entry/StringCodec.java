package dev.weir.partition.entry;

import java.util.Arrays;

/**
 * Columns of strings, UTF-8.
 *
 * <pre>
 * 0 DICTIONARY  varint entries, lengths ({@link LongCodec}), texts ({@link Texts}), width u8 0–16, packed entry of each value
 * 1 PLAIN       lengths ({@link LongCodec}), texts ({@link Texts})
 * </pre>
 */
final class StringCodec {
    private static final int DICTIONARY = 0;
    private static final int PLAIN = 1;
    private static final int ENTRIES_MAX = 1 << 16;

    private StringCodec() {}

    /** Encodes {@code count} texts that stand one after the other; {@code ends} holds the end of each. */
    static void encode(ByteWriter out, byte[] text, long[] ends, int count, Scratch scratch) {
        int[] entryOf = scratch.ints(count);
        int[] firsts = new int[count / 2 + 1];
        int entries = entries(text, ends, count, entryOf, firsts);
        if (entries > firsts.length) {
            plain(out, text, ends, count, scratch);
        } else {
            dictionary(out, text, ends, count, entryOf, firsts, entries, scratch);
        }
    }

    static Strings decode(ByteReader in, int count, String what) {
        int form = in.u8(what);
        if (form == PLAIN) {
            return new Strings(readTexts(in, count, what), null);
        }
        if (form != DICTIONARY) {
            throw new FormatException(what + ": form of strings " + form + ", expected 0 or 1");
        }
        int entries = in.count(1, Math.min(count, ENTRIES_MAX), what + " dictionary");
        Strings.Texts texts = readTexts(in, entries, what);
        int width = in.u8(what);
        if (width > 16) {
            throw new FormatException(what + ": width of " + width + " bits, expected 0 to 16");
        }
        int[] entryOf = new int[count];
        BitPacking.unpackInts(in.array(), in.skip(BitPacking.bytes(count, width), what), count, width, entryOf);
        for (int entry : entryOf) {
            if (entry >= entries) {
                throw new FormatException(what + ": entry " + entry + " of a dictionary of " + entries);
            }
        }
        return new Strings(texts, entryOf);
    }

    /** Numbers the distinct texts; more than {@code firsts} has room for means that a dictionary does not pay. */
    private static int entries(byte[] text, long[] ends, int count, int[] entryOf, int[] firsts) {
        int[] table = new int[Integer.highestOneBit(Math.max(8, firsts.length * 2)) * 2];
        int mask = table.length - 1;
        int entries = 0;
        for (int i = 0; i < count; i++) {
            int from = i == 0 ? 0 : (int) ends[i - 1];
            int to = (int) ends[i];
            int slot = hash(text, from, to) & mask;
            while (table[slot] != 0 && !same(text, ends, firsts[table[slot] - 1], from, to)) {
                slot = slot + 1 & mask;
            }
            if (table[slot] == 0) {
                if (entries == firsts.length) {
                    return entries + 1;
                }
                firsts[entries] = i;
                table[slot] = ++entries;
            }
            entryOf[i] = table[slot] - 1;
        }
        return entries;
    }

    private static void dictionary(
            ByteWriter out,
            byte[] text,
            long[] ends,
            int count,
            int[] entryOf,
            int[] firsts,
            int entries,
            Scratch scratch) {
        out.u8(DICTIONARY);
        out.varint(entries);
        long[] lengths = scratch.longs(Math.max(count, entries));
        int total = 0;
        for (int e = 0; e < entries; e++) {
            lengths[e] = ends[firsts[e]] - start(ends, firsts[e]);
            total += (int) lengths[e];
        }
        byte[] distinct = new byte[total];
        int to = 0;
        for (int e = 0; e < entries; e++) {
            System.arraycopy(text, start(ends, firsts[e]), distinct, to, (int) lengths[e]);
            to += (int) lengths[e];
        }
        LongCodec.encode(out, lengths, entries, scratch.deltas(entries), false);
        Texts.write(out, distinct, total);
        int width = BitPacking.width(entries - 1L);
        out.u8(width);
        for (int i = 0; i < count; i++) {
            lengths[i] = entryOf[i];
        }
        BitPacking.pack(out, lengths, 0, count, 0, width);
    }

    private static void plain(ByteWriter out, byte[] text, long[] ends, int count, Scratch scratch) {
        out.u8(PLAIN);
        long[] lengths = scratch.longs(count);
        for (int i = 0; i < count; i++) {
            lengths[i] = ends[i] - start(ends, i);
        }
        LongCodec.encode(out, lengths, count, scratch.deltas(count), false);
        Texts.write(out, text, (int) ends[count - 1]);
    }

    private static Strings.Texts readTexts(ByteReader in, int count, String what) {
        long[] lengths = LongCodec.decode(in, count, what);
        byte[] text = Texts.read(in, what);
        int[] ends = new int[count];
        long end = 0;
        for (int i = 0; i < count; i++) {
            if (lengths[i] < 0 || lengths[i] > text.length - end) {
                throw new FormatException(
                        what + ": string " + i + " of " + lengths[i] + " bytes, expected 0 to " + (text.length - end));
            }
            end += lengths[i];
            ends[i] = (int) end;
        }
        if (end != text.length) {
            throw new FormatException(what + ": strings of " + end + " bytes in sum, expected " + text.length);
        }
        return new Strings.Texts(text, ends);
    }

    private static int start(long[] ends, int i) {
        return i == 0 ? 0 : (int) ends[i - 1];
    }

    private static boolean same(byte[] text, long[] ends, int first, int from, int to) {
        return Arrays.equals(text, start(ends, first), (int) ends[first], text, from, to);
    }

    private static int hash(byte[] text, int from, int to) {
        int hash = to - from;
        for (int i = from; i < to; i++) {
            hash = hash * 31 + text[i];
        }
        hash *= 0x9e3779b9;
        return hash ^ hash >>> 15;
    }
}
