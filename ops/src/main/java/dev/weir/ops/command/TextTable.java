package dev.weir.ops.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;

/** Rows under headings, columns as wide as their widest cell. */
public final class TextTable {
    private static final int GAP = 2;

    private final List<String[]> rows = new ArrayList<>();

    public TextTable(String... headings) {
        rows.add(headings);
    }

    public TextTable row(Object... cells) {
        if (cells.length != rows.getFirst().length) {
            throw new IllegalArgumentException(
                    "expected " + rows.getFirst().length + " cells, found " + Arrays.toString(cells));
        }
        rows.add(Arrays.stream(cells).map(String::valueOf).toArray(String[]::new));
        return this;
    }

    public String render() {
        Column[] columns = new Column[rows.getFirst().length];
        for (int c = 0; c < columns.length; c++) {
            int column = c;
            int width =
                    rows.stream().mapToInt(row -> row[column].length()).max().orElse(0);
            columns[c] = new Column(width + GAP, 0, Overflow.SPAN);
        }
        Help.TextTable table = Help.TextTable.forColumns(Help.defaultColorScheme(Ansi.OFF), columns);
        rows.forEach(table::addRowValues);
        StringBuilder text = new StringBuilder();
        table.toString()
                .lines()
                .forEach(line -> text.append(line.stripTrailing()).append('\n'));
        return text.toString();
    }
}
