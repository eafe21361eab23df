package dev.weir.node.letters;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which letters are meant; what is empty does not matter.
 *
 * @param table that their rows name
 * @param since they came then or later
 * @param before they came earlier
 */
public record LetterFilter(
        Optional<String> table, Optional<String> code, Optional<Instant> since, Optional<Instant> before) {
    public static final LetterFilter ALL =
            new LetterFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** What a DELETE can say: tags and time. */
    boolean isByTagsAndTime() {
        return table.isEmpty();
    }

    LetterFilter before(Instant end) {
        return new LetterFilter(table, code, since, Optional.of(end));
    }

    /** After WHERE. */
    String condition() {
        List<String> all = new ArrayList<>();
        since.ifPresent(time -> all.add("time >= '" + time + "'"));
        before.ifPresent(time -> all.add("time < '" + time + "'"));
        code.ifPresent(value -> all.add("code = " + quoted(value)));
        table.ifPresent(value -> all.add("measurement = " + quoted(value)));
        return all.isEmpty() ? "true" : String.join(" AND ", all);
    }

    static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
