/**
 * Publishes tables for other query engines, on the catalog's leader: looks at the tables that are to be published, asks partitions what they have in
 * files, has the {@code partition.delta} package commit it, and has files made one where readers could not tell their rows apart. May depend on
 * {@code partition} alone.
 */
@NullMarked
package dev.weir.node.publish;

import org.jspecify.annotations.NullMarked;
