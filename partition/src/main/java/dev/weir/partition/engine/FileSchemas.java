package dev.weir.partition.engine;

import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.TableSchema;
import org.jspecify.annotations.Nullable;

/** How the schemas under which a table's files were written differ from its newest. Any thread. */
final class FileSchemas {
    private final DefinitionTable definitions;
    private final TableSchema newest;

    FileSchemas(DefinitionTable definitions, TableSchema newest) {
        this.definitions = definitions;
        this.newest = newest;
    }

    /** The file was written under a schema that is not known here yet. */
    boolean isNewer(StoredFile file) {
        return file.schemaVersion() > newest.version();
    }

    /** A column that was widened since has its old type in the file. */
    boolean hasOldTypes(StoredFile file) {
        return differs(file, FileSchemas::isOldType);
    }

    /** As {@link #hasOldTypes}, or it holds a column that was dropped since. */
    boolean isOutdated(StoredFile file) {
        return differs(file, (before, now) -> now == null || isOldType(before, now));
    }

    private interface Difference {
        boolean between(Column before, @Nullable Column now);
    }

    private static boolean isOldType(Column before, @Nullable Column now) {
        return now != null && now.type() != before.type();
    }

    private boolean differs(StoredFile file, Difference difference) {
        if (file.schemaVersion() >= newest.version()) {
            return false;
        }
        TableSchema before = definitions.schema(newest.tableId(), file.schemaVersion());
        // One that this log has never met came from the catalog: nothing says how it differed.
        return before == null || before.columns().stream().anyMatch(column -> difference.between(column, now(column)));
    }

    private @Nullable Column now(Column before) {
        for (Column column : newest.columns()) {
            if (column.id() == before.id()) {
                return column;
            }
        }
        return null;
    }
}
