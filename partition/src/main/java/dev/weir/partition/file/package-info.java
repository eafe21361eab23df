/**
 * Data files: rows of one table, one partition and one day as Apache Parquet, sorted by series and time; writing, reading back under a newer
 * schema, merging. May depend on {@code model}, {@code entry}, {@code store.LocalFile} and on parquet-hadoop; knows no log.
 */
@NullMarked
package dev.weir.partition.file;

import org.jspecify.annotations.NullMarked;
