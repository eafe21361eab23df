/**
 * SQL over tables: gate, plan, run by DuckDB, answer over HTTP. Used by node, which mounts {@link dev.weir.query.sql.SqlRoutes} and implements the
 * ports {@link dev.weir.query.sql.image.TableImages} and {@link dev.weir.query.sql.statement.TableStatements}.
 */
@NullMarked
package dev.weir.query.sql;

import org.jspecify.annotations.NullMarked;
