package dev.weir.ops.query;

import java.util.ArrayList;
import java.util.List;

/** Cuts a text into statements at semicolons; those in quotes and comments are letters. */
final class Statements {
    private Statements() {}

    /**
     * @param whole statements, without their semicolons
     * @param rest what follows the last semicolon, blank where nothing does
     */
    record Split(List<String> whole, String rest) {}

    static Split split(String text) {
        List<String> whole = new ArrayList<>();
        int start = 0;
        int at = 0;
        while (at < text.length()) {
            if (text.charAt(at) == ';') {
                add(whole, text.substring(start, at));
                start = at + 1;
            }
            at = next(text, at);
        }
        return new Split(whole, text.substring(start));
    }

    private static void add(List<String> whole, String statement) {
        if (!statement.isBlank()) {
            whole.add(statement.strip());
        }
    }

    /** The place after what begins here: a quoted text, a comment, or one letter. */
    private static int next(String text, int at) {
        char letter = text.charAt(at);
        if (letter == '\'' || letter == '"') {
            return after(text, String.valueOf(letter), at + 1);
        }
        if (text.startsWith("--", at)) {
            return after(text, "\n", at + 2);
        }
        return text.startsWith("/*", at) ? after(text, "*/", at + 2) : at + 1;
    }

    private static int after(String text, String end, int from) {
        int found = text.indexOf(end, from);
        return found < 0 ? text.length() : found + end.length();
    }
}
