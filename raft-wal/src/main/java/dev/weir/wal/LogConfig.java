package dev.weir.wal;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How a {@link LogHost} runs.
 *
 * @param nodeId this node's stable id
 * @param bindHost the address that the raft port listens on
 * @param address {@code host:port} under which other nodes reach this one's raft port
 * @param directory where the groups' folders lie
 * @param electionTimeoutMin shortest time without a heartbeat after which a follower stands for election
 * @param electionTimeoutMax longest such time; must be greater than the minimum
 * @param appendTimeout after which an append whose outcome is open fails with {@code UNKNOWN}
 * @param stallTimeout after which a leader whose appends make no progress hands leadership over
 * @param entryBytesMax largest entry, bytes
 * @param pendingBytesMax bytes of entries that may wait in one group, then {@code OVERLOADED}
 * @param snapshotEveryBytes log bytes after which a snapshot is taken and the log is cut
 * @param diskReserveBytes free space below which appends fail with {@code DISK_FULL}
 */
public record LogConfig(
        String nodeId,
        String bindHost,
        String address,
        Path directory,
        Duration electionTimeoutMin,
        Duration electionTimeoutMax,
        Duration appendTimeout,
        Duration stallTimeout,
        int entryBytesMax,
        long pendingBytesMax,
        long snapshotEveryBytes,
        long diskReserveBytes) {
    /** Values that survive a stall of one second, and replace a dead leader within two and a half. */
    public static LogConfig defaults(String nodeId, String bindHost, String address, Path directory) {
        return new LogConfig(
                nodeId,
                bindHost,
                address,
                directory,
                Duration.ofMillis(1200),
                Duration.ofMillis(1500),
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                1 << 20,
                16L << 20,
                64L << 20,
                256L << 20);
    }
}
