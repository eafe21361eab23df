package dev.weir.node.cluster;

import dev.weir.node.config.ClusterConfig;
import dev.weir.partition.catalog.CatalogState;
import dev.weir.partition.catalog.GroupCatalog;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.wal.LogHost;

/**
 * What a start works with.
 *
 * @param self this node's addresses; its incarnation is not looked at
 * @param state the one that {@code catalog} is made with
 */
public record BootParts(
        Identity identity,
        ClusterConfig cluster,
        NodeRecord self,
        LogHost host,
        CatalogState state,
        GroupCatalog catalog,
        JoinClient joinClient,
        JoinDesk desk,
        NodeAddresses addresses) {}
