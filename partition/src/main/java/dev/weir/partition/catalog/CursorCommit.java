package dev.weir.partition.catalog;

import dev.weir.partition.model.Cursor;

/**
 * An acknowledgement on its way into the catalog.
 *
 * @param generation of the subscription that it is for; of another one it changes nothing
 * @param cursor everything before is done; partitions that it does not name stay where they are
 */
public record CursorCommit(String tenant, String name, long generation, Cursor cursor) {}
