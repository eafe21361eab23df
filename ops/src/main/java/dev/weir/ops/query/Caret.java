package dev.weir.ops.query;

/** Shows where in a statement an error is. */
final class Caret {
    private static final int WIDTH_MAX = 100;

    private Caret() {}

    /**
     * The line of the statement, and under it a caret.
     *
     * @param position a character of the statement, from 1; 0 where none is known: then nothing is shown
     */
    static String under(String statement, int position) {
        if (position < 1 || position > statement.length() + 1) {
            return "";
        }
        int at = position - 1;
        int start = statement.lastIndexOf('\n', at - 1) + 1;
        int end = statement.indexOf('\n', at);
        String line = statement.substring(start, end < 0 ? statement.length() : end);
        int column = at - start;
        if (column > WIDTH_MAX * 3 / 4) {
            int cut = column - WIDTH_MAX / 2;
            line = "…" + line.substring(cut);
            column -= cut - 1;
        }
        if (line.length() > WIDTH_MAX) {
            line = line.substring(0, WIDTH_MAX) + "…";
        }
        return line.replace('\t', ' ') + "\n" + " ".repeat(column) + "^\n";
    }
}
