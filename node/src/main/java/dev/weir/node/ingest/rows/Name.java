package dev.weir.node.ingest.rows;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.TableSchema;
import org.jspecify.annotations.Nullable;

/** A tag or field key of one table, with the column that it stands for under the schema that was asked for last. Shared by threads. */
public final class Name {
    private final String text;
    private final @Nullable RowFault fault;
    /** Replaced as a whole; threads that race here find the same. */
    private @Nullable Binding binding;

    private record Binding(TableSchema schema, @Nullable Column column) {}

    Name(String text) {
        this.text = text;
        this.fault = NameRule.column(text);
    }

    public String text() {
        return text;
    }

    /** Why no column may be called so; null if one may. */
    public @Nullable RowFault fault() {
        return fault;
    }

    /** The column of that name, null if the schema has none. */
    @SuppressWarnings("ReferenceEquality") // an equal copy only costs another look-up
    public @Nullable Column in(TableSchema schema) {
        Binding known = binding;
        if (known == null || known.schema != schema) {
            known = new Binding(schema, schema.column(text).orElse(null));
            binding = known;
        }
        return known.column;
    }

    @Override
    public String toString() {
        return text;
    }
}
