/**
 * How a node finds its cluster and stays in it: identity, birth, joining, fences, membership, and the controller on the catalog's leader.
 *
 * <p>Depends on the log's port, the catalog and Hazelcast; knows no HTTP: what goes to other nodes goes through ports that the assembly
 * fills.
 */
@NullMarked
package dev.weir.node.cluster;

import org.jspecify.annotations.NullMarked;
