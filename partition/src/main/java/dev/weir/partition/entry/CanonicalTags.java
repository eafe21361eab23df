package dev.weir.partition.entry;

import dev.weir.partition.model.Tag;
import java.util.ArrayList;
import java.util.List;

/**
 * The tags of a series as bytes: the part of {@link dev.weir.partition.model.SeriesKey}'s canonical encoding behind tenant and table. Key
 * and value of each tag, sorted by key, each a 4-byte big-endian length and UTF-8.
 */
public final class CanonicalTags {
    private CanonicalTags() {}

    /** @param tags sorted by key */
    public static byte[] encode(List<Tag> tags) {
        ByteWriter out = new ByteWriter(64);
        for (Tag tag : tags) {
            put(out, tag.key());
            put(out, tag.value());
        }
        return out.toArray();
    }

    /** @throws FormatException the bytes are no pairs of texts */
    public static List<Tag> decode(byte[] bytes, int from, int length) {
        ByteReader in = new ByteReader(bytes, from, from + length);
        List<Tag> tags = new ArrayList<>();
        while (!in.atEnd()) {
            tags.add(new Tag(get(in), get(in)));
        }
        return List.copyOf(tags);
    }

    /** @throws FormatException the bytes are no pairs of texts */
    static void check(byte[] bytes, int from, int length) {
        ByteReader in = new ByteReader(bytes, from, from + length);
        while (!in.atEnd()) {
            in.skip(bigEndian(in), "tag key");
            in.skip(bigEndian(in), "tag value");
        }
    }

    private static void put(ByteWriter out, String text) {
        byte[] utf8 = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        out.u32(Integer.reverseBytes(utf8.length));
        out.raw(utf8, 0, utf8.length);
    }

    private static String get(ByteReader in) {
        int length = bigEndian(in);
        int at = in.skip(length, "tag");
        return new String(in.array(), at, length, java.nio.charset.StandardCharsets.UTF_8);
    }

    private static int bigEndian(ByteReader in) {
        return Integer.reverseBytes(in.u32("tag length"));
    }
}
