/**
 * One replica of one partition: folds its log into change segments, key sets and the latest values.
 */
@NullMarked
package dev.weir.partition.engine;

import org.jspecify.annotations.NullMarked;
