/**
 * Pure planning of which node holds which replica.
 */
@NullMarked
package dev.weir.partition.placement;

import org.jspecify.annotations.NullMarked;
