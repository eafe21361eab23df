/**
 * What SQL asks of a node beside images of tables: statements that change tables, and what runs on other nodes. Depends on ingest, internal, the
 * catalog and the ports of {@code dev.weir.query.sql}.
 */
@NullMarked
package dev.weir.node.sql;

import org.jspecify.annotations.NullMarked;
