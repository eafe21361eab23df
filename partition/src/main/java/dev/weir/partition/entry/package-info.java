/**
 * The bytes of a partition's log: columnar blocks of rows, definitions, operations; versioned, with golden bytes.
 */
@NullMarked
package dev.weir.partition.entry;

import org.jspecify.annotations.NullMarked;
