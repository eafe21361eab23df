package dev.weir.query.sql.statement;

import java.util.regex.Pattern;

/** A statement as others may see it: its beginning, and no value of anything that is named like a secret. */
public final class ShownText {
    /** Longer statements are cut here, with an ellipsis. */
    static final int CHARS_MAX = 2000;

    private static final Pattern SECRET = Pattern.compile(
            "(?i)([\\w.-]*(?:password|passwd|secret|token|credential|access[_.-]?key|api[_.-]?key)[\\w.-]*[\"']?\\s*(?:=|,|:)?\\s*)'(?:[^']|'')*(?:'|\\z)");

    private ShownText() {}

    public static String of(String text) {
        String begin = text.length() <= CHARS_MAX ? text : text.substring(0, CHARS_MAX) + "…";
        return SECRET.matcher(begin).replaceAll("$1'***'");
    }
}
