package dev.weir.cdc;

import dev.weir.partition.model.Tag;
import java.util.List;

/** The tags of a series as one JSON object, in the order of their keys. */
final class TagsJson {
    static final byte[] NONE = JsonBytes.ascii("{}");

    private TagsJson() {}

    static void put(JsonBytes out, List<Tag> tags) {
        char before = '{';
        for (Tag tag : tags) {
            out.put(before);
            out.string(tag.key());
            out.put(':');
            out.string(tag.value());
            before = ',';
        }
        if (before == '{') {
            out.put('{');
        }
        out.put('}');
    }

    /** @param scratch is cleared */
    static byte[] bytes(JsonBytes scratch, List<Tag> tags) {
        scratch.clear();
        put(scratch, tags);
        return scratch.copy();
    }
}
