package dev.weir.query.sql.run;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether a statement is to be run or to be explained. */
enum Explain {
    NO(""),
    PLAN("EXPLAIN "),
    ANALYZE("EXPLAIN ANALYZE ");

    private static final Pattern PREFIX =
            Pattern.compile("\\A(\\s*explain(\\s+analyze)?)\\b", Pattern.CASE_INSENSITIVE);

    private final String prefix;

    Explain(String prefix) {
        this.prefix = prefix;
    }

    String prefix() {
        return prefix;
    }

    static Explain of(String text) {
        Matcher found = PREFIX.matcher(text);
        if (!found.find()) {
            return NO;
        }
        return found.group(2) == null ? PLAN : ANALYZE;
    }

    /** The statement without the word, at its place. */
    static String without(String text) {
        Matcher found = PREFIX.matcher(text);
        return found.find() ? " ".repeat(found.end()) + text.substring(found.end()) : text;
    }
}
