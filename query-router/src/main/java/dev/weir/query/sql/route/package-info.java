/**
 * Which node should answer a statement: the one that most likely holds the tenant's files. All of it is hints; a wrong one costs a retry. Depends on
 * the JDK alone, but for {@link dev.weir.query.sql.route.StatementRouter}, the port that node implements.
 */
@NullMarked
package dev.weir.query.sql.route;

import org.jspecify.annotations.NullMarked;
