package dev.weir.node.sql;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The tags that a range of a delete names, as the log takes them: each combination by itself. */
public final class TagCombinations {
    /** Of one statement; each is an event in every partition. */
    static final int COMBINATIONS_MAX = 100;

    private TagCombinations() {}

    /**
     * @param tags tag → values, one of which it must equal
     * @throws RefusedException too many, or a value that a range can't name
     */
    public static List<List<Tag>> of(Map<String, List<String>> tags) {
        List<List<Tag>> all = List.of(List.of());
        for (Map.Entry<String, List<String>> tag : tags.entrySet()) {
            List<List<Tag>> longer = new ArrayList<>();
            for (List<Tag> before : all) {
                for (String value : tag.getValue()) {
                    if (value.isEmpty()) {
                        throw new RefusedException(Refusal.of(
                                ErrorCode.BAD_REQUEST,
                                "DELETE: expected values of the tag " + tag.getKey()
                                        + ", found the empty one: series that lack a tag can't be named by range"));
                    }
                    List<Tag> one = new ArrayList<>(before);
                    one.add(new Tag(tag.getKey(), value));
                    longer.add(one);
                }
            }
            all = longer;
            if (all.size() > COMBINATIONS_MAX) {
                throw new RefusedException(Refusal.of(
                        ErrorCode.LIMIT_QUERY,
                        "DELETE: at most " + COMBINATIONS_MAX + " combinations of tag values, found more"));
            }
        }
        return all;
    }
}
