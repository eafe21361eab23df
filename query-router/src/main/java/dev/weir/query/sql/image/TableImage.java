package dev.weir.query.sql.image;

import dev.weir.partition.model.TableSchema;
import java.util.List;

/**
 * One table as of a cut.
 *
 * @param schema the newest that any part of the image was written under
 * @param parts one per partition that has rows of it
 */
public record TableImage(TableSchema schema, List<TablePart> parts) {
    public TableImage {
        parts = List.copyOf(parts);
    }
}
