package dev.weir.partition.model;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A series: tenant, table and the set of tags, sorted by key (by UTF-16 code unit, as {@link String#compareTo}).
 *
 * <p>Canonical encoding, the input of {@link SeriesHash}: tenant, table, then key and value of each tag, each as a 4-byte big-endian length in
 * bytes and its UTF-8 bytes.
 */
public record SeriesKey(String tenant, String table, List<Tag> tags) {
    public SeriesKey {
        List<Tag> sorted = new ArrayList<>(tags);
        Collections.sort(sorted);
        tags = List.copyOf(sorted);
    }

    public byte[] canonical() {
        ByteArrayOutputStream out = new ByteArrayOutputStream(64);
        put(out, tenant);
        put(out, table);
        for (Tag tag : tags) {
            put(out, tag.key());
            put(out, tag.value());
        }
        return out.toByteArray();
    }

    public long hash() {
        byte[] bytes = canonical();
        return SeriesHash.add(SeriesHash.start(), bytes, 0, bytes.length);
    }

    public int slot() {
        return SeriesHash.slot(hash());
    }

    private static void put(ByteArrayOutputStream out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write(bytes.length >>> 24);
        out.write(bytes.length >>> 16);
        out.write(bytes.length >>> 8);
        out.write(bytes.length);
        out.writeBytes(bytes);
    }
}
