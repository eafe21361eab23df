/** Rows as bytes: JSON, NDJSON, CSV and Arrow, batch by batch. Knows no HTTP and no DuckDB. */
@NullMarked
package dev.weir.query.sql.answer;

import org.jspecify.annotations.NullMarked;
