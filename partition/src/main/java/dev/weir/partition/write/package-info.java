/**
 * How rows reach a partition: blocks in, outcome per row out.
 */
@NullMarked
package dev.weir.partition.write;

import org.jspecify.annotations.NullMarked;
