package dev.weir.ops.local;

import java.net.URI;
import java.nio.file.Path;

/**
 * Node I of a local cluster: its folder and its four ports, all following from I and the first HTTP port.
 *
 * @param tls whether its HTTP port speaks TLS by the settings that it is started with
 */
record LocalNode(int index, Path dir, int httpPort, boolean tls) {
    private static final int RAFT = 100;
    private static final int HAZELCAST = 200;
    private static final int FLIGHT = 300;

    static LocalNode of(Path clusterDir, int index, int firstHttpPort) {
        return new LocalNode(index, clusterDir.resolve("node" + index), firstHttpPort + index - 1, false);
    }

    LocalNode withTls(boolean newTls) {
        return new LocalNode(index, dir, httpPort, newTls);
    }

    String id() {
        return "node" + index;
    }

    int raftPort() {
        return httpPort + RAFT;
    }

    int hazelcastPort() {
        return httpPort + HAZELCAST;
    }

    int flightPort() {
        return httpPort + FLIGHT;
    }

    int[] ports() {
        return new int[] {httpPort, raftPort(), hazelcastPort(), flightPort()};
    }

    URI url() {
        return URI.create((tls ? "https" : "http") + "://127.0.0.1:" + httpPort);
    }

    Path log() {
        return dir.resolve("log");
    }

    Path configFile() {
        return dir.resolve("weir.conf");
    }

    Path processFile() {
        return dir.resolve("pid");
    }
}
