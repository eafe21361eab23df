package dev.weir.node.ingest.rows;

import dev.weir.partition.model.Tag;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The tag part of {@link dev.weir.partition.model.SeriesKey}'s canonical encoding. */
final class CanonicalTags {
    private CanonicalTags() {}

    /** @param sorted by key */
    static byte[] of(List<Tag> sorted) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        for (Tag tag : sorted) {
            put(out, tag.key());
            put(out, tag.value());
        }
        return out.toByteArray();
    }

    static void put(ByteArrayOutputStream out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write(bytes.length >>> 24);
        out.write(bytes.length >>> 16);
        out.write(bytes.length >>> 8);
        out.write(bytes.length);
        out.writeBytes(bytes);
    }
}
