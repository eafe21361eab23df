package dev.weir.wal;

/**
 * A node that holds a replica of a log.
 *
 * @param nodeId the node's stable id
 * @param address {@code host:port} of its raft port; the host name is resolved at each connect, never kept as an address
 */
public record LogPeer(String nodeId, String address) {}
