package dev.weir.partition.engine;

import dev.weir.partition.entry.CanonicalTags;
import dev.weir.partition.file.DeleteFilter;
import dev.weir.partition.model.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deletes in force, as a merge asks for them. */
final class DeleteRules implements DeleteFilter {
    private final List<DeleteRule> rules;

    /** @param throughSeq later ones are left out */
    DeleteRules(List<DeleteRule> rules, long throughSeq) {
        this.rules = rules.stream().filter(rule -> rule.seq() <= throughSeq).toList();
    }

    @Override
    public DeleteFilter.@Nullable Rows ofSeries(byte[] canonicalTags, long hash) {
        if (rules.isEmpty()) {
            return null;
        }
        List<Tag> tags = CanonicalTags.decode(canonicalTags, 0, canonicalTags.length);
        List<DeleteRule> here = rules.stream().filter(rule -> rule.means(tags)).toList();
        return here.isEmpty() ? null : (timeNanos, seq) -> isDeleted(here, timeNanos, seq);
    }

    private static boolean isDeleted(List<DeleteRule> rules, long timeNanos, long seq) {
        for (DeleteRule rule : rules) {
            if (rule.covers(timeNanos, seq)) {
                return true;
            }
        }
        return false;
    }
}
