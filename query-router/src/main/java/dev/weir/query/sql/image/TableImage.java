package dev.weir.query.sql.image;

import dev.weir.partition.model.TableSchema;
import java.util.List;
import java.util.Map;

/**
 * One table as of a cut.
 *
 * @param schema the newest that any part of the image was written under
 * @param parts one per partition that has rows of it
 * @param skipped why files were left out → how many, for {@code EXPLAIN}
 */
public record TableImage(TableSchema schema, List<TablePart> parts, Map<String, Integer> skipped) {
    public TableImage {
        parts = List.copyOf(parts);
        skipped = Map.copyOf(skipped);
    }

    public TableImage(TableSchema schema, List<TablePart> parts) {
        this(schema, parts, Map.of());
    }
}
