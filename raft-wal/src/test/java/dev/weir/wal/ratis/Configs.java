package dev.weir.wal.ratis;

import dev.weir.wal.LogConfig;
import java.nio.file.Path;
import java.time.Duration;

/** Configurations that differ from another in one thing. */
final class Configs {
    private Configs() {}

    static LogConfig elections(LogConfig c, Duration min, Duration max) {
        return new LogConfig(
                c.nodeId(),
                c.bindHost(),
                c.address(),
                c.directory(),
                min,
                max,
                c.appendTimeout(),
                c.stallTimeout(),
                c.entryBytesMax(),
                c.pendingBytesMax(),
                c.snapshotEveryBytes(),
                c.diskReserveBytes());
    }

    static LogConfig snapshotEvery(LogConfig c, long bytes) {
        return new LogConfig(
                c.nodeId(),
                c.bindHost(),
                c.address(),
                c.directory(),
                c.electionTimeoutMin(),
                c.electionTimeoutMax(),
                c.appendTimeout(),
                c.stallTimeout(),
                c.entryBytesMax(),
                c.pendingBytesMax(),
                bytes,
                c.diskReserveBytes());
    }

    static LogConfig reserve(LogConfig c, long bytes) {
        return new LogConfig(
                c.nodeId(),
                c.bindHost(),
                c.address(),
                c.directory(),
                c.electionTimeoutMin(),
                c.electionTimeoutMax(),
                c.appendTimeout(),
                c.stallTimeout(),
                c.entryBytesMax(),
                c.pendingBytesMax(),
                c.snapshotEveryBytes(),
                bytes);
    }

    static LogConfig pending(LogConfig c, long bytes) {
        return new LogConfig(
                c.nodeId(),
                c.bindHost(),
                c.address(),
                c.directory(),
                c.electionTimeoutMin(),
                c.electionTimeoutMax(),
                c.appendTimeout(),
                c.stallTimeout(),
                c.entryBytesMax(),
                bytes,
                c.snapshotEveryBytes(),
                c.diskReserveBytes());
    }

    static LogConfig timeouts(LogConfig c, Duration append, Duration stall) {
        return new LogConfig(
                c.nodeId(),
                c.bindHost(),
                c.address(),
                c.directory(),
                c.electionTimeoutMin(),
                c.electionTimeoutMax(),
                append,
                stall,
                c.entryBytesMax(),
                c.pendingBytesMax(),
                c.snapshotEveryBytes(),
                c.diskReserveBytes());
    }

    static LogConfig directory(LogConfig c, Path directory) {
        return new LogConfig(
                c.nodeId(),
                c.bindHost(),
                c.address(),
                directory,
                c.electionTimeoutMin(),
                c.electionTimeoutMax(),
                c.appendTimeout(),
                c.stallTimeout(),
                c.entryBytesMax(),
                c.pendingBytesMax(),
                c.snapshotEveryBytes(),
                c.diskReserveBytes());
    }
}
