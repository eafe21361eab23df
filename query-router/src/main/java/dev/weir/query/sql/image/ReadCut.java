package dev.weir.query.sql.image;

import dev.weir.partition.model.Cursor;
import java.time.Instant;
import java.util.Optional;

/**
 * What an answer reflects.
 *
 * @param cursor every event before it is reflected, none from it on
 * @param completeUntil all that was acknowledged before this time is reflected; empty where a replica was read that may be behind
 */
public record ReadCut(Cursor cursor, Optional<Instant> completeUntil) {}
