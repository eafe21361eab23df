package dev.weir.ops.query;

import java.util.ArrayList;
import java.util.List;

/** Cuts a text into statements at semicolons; those in quotes and comments are letters. */
final class Statements {
    private Statements() {}

    /**
     * @param whole statements, without their semicolons
     * @param rest what follows the last semicolon, empty where no statement does
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
        String rest = text.substring(start);
        return new Split(whole, isSaid(rest) ? rest : "");
    }

    /** Something is there beside blanks and comments. */
    private static boolean isSaid(String text) {
        for (int at = 0; at < text.length(); at = next(text, at)) {
            boolean comment = text.startsWith("--", at) || text.startsWith("/*", at);
            if (!comment && !Character.isWhitespace(text.charAt(at))) {
                return true;
            }
        }
        return false;
    }

    private static void add(List<String> whole, String statement) {
        if (isSaid(statement)) {
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
