package dev.weir.query.sql.image;

import java.util.List;

/**
 * What one partition holds of a table. All rows of a series are in one part, their {@code _seq} comparable.
 *
 * @param deletes those that the files or buffers may not have applied yet; each hits the rows of this part, and of it alone
 */
public record TablePart(int partition, List<FileImage> files, List<BufferImage> buffers, List<DeletedRange> deletes) {
    public TablePart {
        files = List.copyOf(files);
        buffers = List.copyOf(buffers);
        deletes = List.copyOf(deletes);
    }
}
