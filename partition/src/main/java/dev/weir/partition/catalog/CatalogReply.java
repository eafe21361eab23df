package dev.weir.partition.catalog;

import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.TableSchema;
import java.util.List;

/** What applying a {@link CatalogCommand} answered. Every answer names the image version from which its effect is visible. */
public sealed interface CatalogReply {
    record Done(long version) implements CatalogReply {}

    record Incarnation(long version, long incarnation) implements CatalogReply {}

    /**
     * @param overLimit names of wished columns that were not added since the table or tenant is at its limit; the message names it
     */
    record Schema(long version, TableSchema schema, List<String> overLimit, String limitMessage)
            implements CatalogReply {
        public Schema {
            overLimit = List.copyOf(overLimit);
        }
    }

    record Dropped(long version, TableDrop drop) implements CatalogReply {}

    record Refused(long version, Refusal refusal) implements CatalogReply {}
}
