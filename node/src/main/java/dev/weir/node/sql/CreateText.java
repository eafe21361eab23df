package dev.weir.node.sql;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.TableSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The statement that would make a table as it is now. */
final class CreateText {
    private CreateText() {}

    static String of(TableSchema table, TableSettings settings) {
        String columns = table.columns().stream().map(CreateText::column).collect(Collectors.joining(", "));
        List<String> options = new ArrayList<>();
        options.add("schema = '" + (table.strict() ? "strict" : "open") + "'");
        if (settings.expires()) {
            options.add("retention = '" + settings.retentionText() + "'");
        }
        if (settings.timeUnitNanos() != TableSettings.DEFAULTS.timeUnitNanos()) {
            options.add("time_unit = '" + unit(settings.timeUnitNanos()) + "'");
        }
        if (settings.published() != TableSettings.DEFAULTS.published()) {
            options.add("published = '" + settings.published().word() + "'");
        }
        return "CREATE TABLE " + quoted(table.name()) + (columns.isEmpty() ? "" : " (" + columns + ")") + " WITH ("
                + String.join(", ", options) + ")";
    }

    private static String column(Column column) {
        return quoted(column.name()) + " "
                + (column.role() == ColumnRole.TAG ? "TAG" : column.type().sqlName());
    }

    private static String unit(long nanos) {
        if (nanos == 1_000_000_000) {
            return "s";
        }
        return nanos == 1_000_000 ? "ms" : nanos == 1_000 ? "us" : "ns";
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
