/**
 * Runs statements: seats (each an instance of DuckDB with a thread), their queue, limits, cancellation, and the registry of what runs. Knows no HTTP.
 */
@NullMarked
package dev.weir.query.sql.run;

import org.jspecify.annotations.NullMarked;
