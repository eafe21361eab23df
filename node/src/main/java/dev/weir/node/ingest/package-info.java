/**
 * The ingest front door: HTTP in, rows to the partitions' leaders, a true answer out. Depends on the contracts of partition (catalog, write,
 * entry, model) and Vert.x; the assembly of node gives it its ports.
 */
@NullMarked
package dev.weir.node.ingest;

import org.jspecify.annotations.NullMarked;
