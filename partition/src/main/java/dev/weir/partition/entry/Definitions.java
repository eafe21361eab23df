package dev.weir.partition.entry;

import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a replica's log has defined up to what is applied: series and schema versions. A definition never changes and never goes, since
 * entries in flight and kept records name it.
 *
 * <p>Threading: safe to read from any thread while the apply thread adds.
 */
public interface Definitions {
    /**
     * @param bytes holds the canonical tags ({@link CanonicalTags}) from {@code from} on
     * @return the series' id, or -1 where it is not defined
     */
    int seriesId(int tableId, long hash, byte[] bytes, int from, int length);

    List<Tag> tags(int seriesId);

    long hash(int seriesId);

    /** Null where that version is not defined. */
    @Nullable
    TableSchema schema(int tableId, int version);
}
