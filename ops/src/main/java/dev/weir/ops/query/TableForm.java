package dev.weir.ops.query;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.command.TextTable;
import java.io.IOException;
import java.io.PrintWriter;

/** An answer as a table for people. Widths come from the rows, so there is a bound of what is shown. */
final class TableForm {
    /** More rows are for a file, not for eyes. */
    static final int ROWS_MAX = 10_000;

    private TableForm() {}

    static void print(RowReader rows, PrintWriter out) throws IOException {
        TextTable table = new TextTable(
                rows.columns().stream().map(RowReader.Column::name).toArray(String[]::new));
        int shown = 0;
        JsonNode row = rows.next();
        while (row != null && shown < ROWS_MAX) {
            table.row(cells(row, rows.columns().size()));
            shown++;
            row = rows.next();
        }
        if (!rows.columns().isEmpty()) {
            out.print(table.render());
        }
        out.println(
                row == null
                        ? "(%,d %s)".formatted(shown, shown == 1 ? "row" : "rows")
                        : "(the first %,d rows; -o csv or -o ndjson shows all)".formatted(shown));
        out.flush();
    }

    private static Object[] cells(JsonNode row, int count) {
        Object[] cells = new Object[count];
        for (int i = 0; i < count; i++) {
            JsonNode cell = row.path(i);
            cells[i] = cell.isNull() || cell.isMissingNode()
                    ? "-"
                    : cell.isValueNode() ? cell.asText().replace('\n', ' ') : cell;
        }
        return cells;
    }
}
