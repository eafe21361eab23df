/**
 * Tables as Delta Lake over their data files, for Spark, Trino and others to read in place: which files make a version, and the log beside them, by Delta
 * Kernel. May depend on {@code model}, {@code entry}, {@code file}, {@code store}, on {@code engine} for what a partition has, and on Delta Kernel, which
 * nothing else does; knows no catalog and no clock.
 */
@NullMarked
package dev.weir.partition.delta;

import org.jspecify.annotations.NullMarked;
