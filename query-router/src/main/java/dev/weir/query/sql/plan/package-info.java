/**
 * Turns a statement that the gate let through into what DuckDB runs: constants for "now", our time functions, and one view per place where a table is
 * named. Pure: text and trees in, text out.
 */
@NullMarked
package dev.weir.query.sql.plan;

import org.jspecify.annotations.NullMarked;
