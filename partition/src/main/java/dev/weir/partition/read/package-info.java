/**
 * Reading back from a partition: latest values and series.
 */
@NullMarked
package dev.weir.partition.read;

import org.jspecify.annotations.NullMarked;
