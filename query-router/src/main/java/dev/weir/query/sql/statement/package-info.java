/**
 * The statements that are ours, parsed to records, and the ports through which they are carried out: {@link
 * dev.weir.query.sql.statement.TableStatements} and {@link dev.weir.query.sql.statement.ClusterQueries}, implemented in node.
 */
@NullMarked
package dev.weir.query.sql.statement;

import org.jspecify.annotations.NullMarked;
