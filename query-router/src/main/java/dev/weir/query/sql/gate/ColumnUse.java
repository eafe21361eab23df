package dev.weir.query.sql.gate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which columns a statement may read: all names in it, whatever they refer to; or every column where a star or a whole row is asked for.
 */
public final class ColumnUse {
    private final Set<String> names = new HashSet<>();
    private boolean all;

    private ColumnUse() {}

    public static ColumnUse of(SelectTree tree, List<TableUse> uses) {
        ColumnUse use = new ColumnUse();
        use.collect(tree.query());
        for (TableUse table : uses) {
            use.all |= table.renamesColumns();
            use.all |= use.names.contains(table.alias().toLowerCase(Locale.ROOT));
        }
        return use;
    }

    /** Whether a column may be read that SQL knows by this name. */
    public boolean reads(String name) {
        return all || names.contains(name.toLowerCase(Locale.ROOT));
    }

    private void collect(JsonNode node) {
        if (Nodes.isClass(node, "STAR") || node.path("ref_type").asText().equals("NATURAL")) {
            all = true;
        } else if (Nodes.isClass(node, "COLUMN_REF")) {
            JsonNode parts = node.path("column_names");
            // A qualifier may be a table or a column that holds a struct; only a name that stands alone may mean a
            // whole row.
            for (int i = parts.size() == 1 ? 0 : 1; i < parts.size(); i++) {
                names.add(parts.get(i).asText().toLowerCase(Locale.ROOT));
            }
        }
        node.path("using_columns").forEach(name -> names.add(name.asText().toLowerCase(Locale.ROOT)));
        node.forEach(this::collect);
    }
}
