/**
 * What the cluster agrees on: tenants, tokens, nodes, schemas and the partition map, folded from the catalog's log into immutable images.
 */
@NullMarked
package dev.weir.partition.catalog;

import org.jspecify.annotations.NullMarked;
