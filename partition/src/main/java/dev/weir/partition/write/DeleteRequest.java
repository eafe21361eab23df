package dev.weir.partition.write;

import dev.weir.partition.model.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A delete in one partition.
 *
 * @param tags of exactly the series to delete (empty list: the untagged one); null drops the whole table there
 * @param changeId the same in every partition that one user's delete touches
 */
public record DeleteRequest(
        int partition,
        int generation,
        BatchId batch,
        String tenant,
        int tableId,
        String measurement,
        @Nullable List<Tag> tags,
        String changeId) {}
