package dev.weir.query.sql.run;

import dev.weir.partition.catalog.Catalog;
import dev.weir.query.sql.image.TableImages;
import dev.weir.query.sql.statement.ClusterQueries;
import dev.weir.query.sql.statement.TableStatements;
import java.util.function.Function;

/**
 * What the engine asks of node.
 *
 * @param cluster makes the view over all nodes from this node's registry
 */
public record SqlPorts(
        Catalog catalog,
        TableImages images,
        TableStatements statements,
        Function<QueryRegistry, ClusterQueries> cluster) {}
