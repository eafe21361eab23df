/**
 * Reading back over HTTP: latest values and series now, SQL later. Used by node, which mounts {@link dev.weir.query.ReadRoutes}; asks partitions
 * by a port and knows nothing of where they are.
 */
@NullMarked
package dev.weir.query;

import org.jspecify.annotations.NullMarked;
