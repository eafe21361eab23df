package dev.weir.query.sql.image;

import dev.weir.partition.model.Cursor;
import dev.weir.partition.read.Consistency;
import java.time.Duration;
import java.util.Optional;

/**
 * How fresh an image must be.
 *
 * @param consistency LEADER: as of now; ANY: the nearest replica's
 * @param minCursor what the cut has to reflect at least
 * @param maxStaleness with ANY: how old a replica's state may be
 */
public record ReadOptions(Consistency consistency, Optional<Cursor> minCursor, Optional<Duration> maxStaleness) {
    public static final ReadOptions LEADER = new ReadOptions(Consistency.LEADER, Optional.empty(), Optional.empty());
}
