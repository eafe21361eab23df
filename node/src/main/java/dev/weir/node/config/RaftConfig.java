package dev.weir.node.config;

import java.time.Duration;

/** How the replicated logs run. */
public record RaftConfig(
        String host,
        int port,
        Duration electionTimeoutMin,
        Duration electionTimeoutMax,
        Duration appendTimeout,
        Duration stallTimeout,
        long snapshotBytes) {
    public RaftConfig {
        if (electionTimeoutMin.toMillis() < 50 || electionTimeoutMax.compareTo(electionTimeoutMin) <= 0) {
            throw new ConfigException("raft.election-timeout-min, -max: expected at least 50ms and max greater than"
                    + " min, found " + electionTimeoutMin.toMillis() + "ms and " + electionTimeoutMax.toMillis()
                    + "ms");
        }
        if (appendTimeout.isZero() || stallTimeout.isZero()) {
            throw new ConfigException("raft.append-timeout, raft.stall-timeout: expected more than 0");
        }
        if (snapshotBytes < 1 << 20) {
            throw new ConfigException("raft.snapshot-bytes: expected at least 1MiB, found " + snapshotBytes);
        }
    }

    static RaftConfig of(Settings settings) {
        return new RaftConfig(
                settings.optional("raft.host").orElse(settings.text("http.host")),
                settings.port("raft.port"),
                settings.duration("raft.election-timeout-min"),
                settings.duration("raft.election-timeout-max"),
                settings.duration("raft.append-timeout"),
                settings.duration("raft.stall-timeout"),
                settings.bytes("raft.snapshot-bytes"));
    }
}
