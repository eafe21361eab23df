package dev.weir.partition.catalog;

/**
 * A node of the cluster.
 *
 * @param id stable
 * @param host advertised host name, resolved at each connect
 * @param incarnation raised by one at each start of the node's process
 */
public record NodeRecord(String id, String host, int httpPort, int raftPort, int hazelcastPort, long incarnation) {
    public String raftAddress() {
        return host + ":" + raftPort;
    }
}
