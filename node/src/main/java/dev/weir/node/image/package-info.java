/**
 * Images of tables for SQL: taken where partitions are led, brought to the node that runs the statement, with files held on its disk. Depends on
 * internal, the partition engine, its files and store, and the image port of {@code dev.weir.query.sql}.
 */
@NullMarked
package dev.weir.node.image;

import org.jspecify.annotations.NullMarked;
