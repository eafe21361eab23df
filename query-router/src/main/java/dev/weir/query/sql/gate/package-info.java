/**
 * Reads a SELECT as DuckDB parsed it, refuses what is not allowed, and finds which tables, times, tags and columns it needs. Changes nothing and
 * runs nothing; used by {@code run}.
 */
@NullMarked
package dev.weir.query.sql.gate;

import org.jspecify.annotations.NullMarked;
