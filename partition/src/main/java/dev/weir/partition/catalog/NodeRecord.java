package dev.weir.partition.catalog;

/**
 * A node of the cluster.
 *
 * @param id stable
 * @param host advertised host name, resolved at each connect
 * @param incarnation raised by one at each start of the node's process
 * @param tls whether its HTTP port speaks TLS, as it said at its last start
 */
public record NodeRecord(
        String id, String host, int httpPort, int raftPort, int hazelcastPort, long incarnation, boolean tls) {
    /** A node whose HTTP port speaks plain text. */
    public NodeRecord(String id, String host, int httpPort, int raftPort, int hazelcastPort, long incarnation) {
        this(id, host, httpPort, raftPort, hazelcastPort, incarnation, false);
    }

    public NodeRecord withIncarnation(long newIncarnation) {
        return new NodeRecord(id, host, httpPort, raftPort, hazelcastPort, newIncarnation, tls);
    }

    public String raftAddress() {
        return host + ":" + raftPort;
    }

    /** Scheme, host and port of its HTTP port. */
    public String httpUrl() {
        return (tls ? "https://" : "http://") + host + ":" + httpPort;
    }
}
