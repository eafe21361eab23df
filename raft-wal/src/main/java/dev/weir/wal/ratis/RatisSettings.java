package dev.weir.wal.ratis;

import dev.weir.wal.LogConfig;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** The settings of Ratis, all in one place: what follows from {@link LogConfig}, and what we always want. */
final class RatisSettings {
    /** Log files are small, so that old ones can go and their entries do not fill the heap. */
    static final int SEGMENT_BYTES = 4 << 20;
    /** Zeros written ahead, so that not every sync has to write the file's length too: measured best, from none to a whole file. */
    private static final int PREALLOCATED_BYTES = 256 << 10;
    /** Room in Ratis's entry for what stands around the caller's bytes. */
    private static final int ENTRY_OVERHEAD_BYTES = 64 << 10;
    /** Never less, so that a lower limit set later does not make older entries unreadable. */
    private static final int ENTRY_LIMIT_BYTES = 2 << 20;
    /** More requests than this may not wait in one group, however small. */
    static final int PENDING_MAX = 4096;

    private RatisSettings() {}

    static RaftProperties of(LogConfig config) {
        if (config.electionTimeoutMax().compareTo(config.electionTimeoutMin()) <= 0) {
            throw new IllegalArgumentException("electionTimeoutMax " + config.electionTimeoutMax()
                    + ": expected more than electionTimeoutMin " + config.electionTimeoutMin());
        }
        RaftProperties properties = new RaftProperties();
        rpc(properties, config);
        elections(properties, config);
        log(properties, config);
        snapshots(properties);
        limits(properties, config);
        return properties;
    }

    /** Set only once the server is built: it would open every group that it finds in the folder. */
    static void directory(RaftProperties properties, File directory) {
        RaftServerConfigKeys.setStorageDir(properties, List.of(directory));
    }

    /** Several heartbeats fit into an election timeout, so that one lost second does not end a leadership. */
    static int heartbeatMs(LogConfig config) {
        return Math.max(10, (int) config.electionTimeoutMin().toMillis() / 6);
    }

    private static void rpc(RaftProperties properties, LogConfig config) {
        RaftConfigKeys.Rpc.setType(properties, new HostRpcType());
        GrpcConfigKeys.Server.setHost(properties, config.bindHost());
        GrpcConfigKeys.Server.setPort(
                properties, HostPort.parse(config.address()).port());
        GrpcConfigKeys.setMessageSizeMax(properties, size(entryLimit(config) + (4 << 20)));
        GrpcConfigKeys.Server.setLeaderOutstandingAppendsMax(properties, 16);
        RaftServerConfigKeys.Rpc.setRequestTimeout(properties, time(Duration.ofSeconds(3)));
        RaftServerConfigKeys.Rpc.setSlownessTimeout(properties, time(Duration.ofSeconds(10)));
    }

    private static void elections(RaftProperties properties, LogConfig config) {
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, time(config.electionTimeoutMin()));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, time(config.electionTimeoutMax()));
        RaftServerConfigKeys.LeaderElection.setPreVote(properties, true);
        RaftServerConfigKeys.LeaderElection.setMemberMajorityAdd(properties, true);
        // How long a leader that lost its majority abstains, and the longest pause of the process that keeps a
        // leadership.
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(
                properties, time(config.electionTimeoutMax().multipliedBy(2)));
        // Ratis would close for good after a pause of a minute: a stopped process must go on when it is continued.
        RaftServerConfigKeys.setCloseThreshold(properties, time(Duration.ofDays(3650)));
        RaftServerConfigKeys.setStagingCatchupGap(properties, 64);
        RaftServerConfigKeys.setStagingTimeout(properties, time(Duration.ofSeconds(10)));
        RaftServerConfigKeys.Read.setOption(properties, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
        RaftServerConfigKeys.Read.setLeaderLeaseEnabled(properties, true);
        RaftServerConfigKeys.Read.setTimeout(properties, time(config.appendTimeout()));
    }

    private static void log(RaftProperties properties, LogConfig config) {
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, size(SEGMENT_BYTES));
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, size(PREALLOCATED_BYTES));
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, 1);
        RaftServerConfigKeys.Log.setSegmentCacheSizeMax(properties, size(2 * SEGMENT_BYTES));
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, size(entryLimit(config)));
        RaftServerConfigKeys.Log.setWriteBufferSize(properties, size(entryLimit(config) + 64));
        // Ratis would log the commit index after each commit: twice the entries, twice the syncs.
        RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
        // On, a follower appends from the JVM's common pool, where anybody's blocking task would stop it.
        RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(properties, false);
        RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, false);
        RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, "1ms,5, 300ms,10, 1s,1000000000");
    }

    private static void snapshots(RaftProperties properties) {
        RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(properties, false);
        // Taken on our request, by bytes; by itself Ratis takes one only when a group stops.
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, Long.MAX_VALUE);
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, true);
        RaftServerConfigKeys.Snapshot.setTriggerWhenRemoveEnabled(properties, true);
        RaftServerConfigKeys.Snapshot.setCreationGap(properties, 1L);
    }

    /** Ratis's own limits lie above ours, which answer better. A full queue to the disk would block whoever holds the group's lock. */
    private static void limits(RaftProperties properties, LogConfig config) {
        long pending = config.pendingBytesMax() + entryLimit(config);
        RaftServerConfigKeys.Write.setElementLimit(properties, PENDING_MAX);
        RaftServerConfigKeys.Write.setByteLimit(properties, size(pending + (1 << 20)));
        RaftServerConfigKeys.Log.setQueueElementLimit(properties, 16 * PENDING_MAX);
        RaftServerConfigKeys.Log.setQueueByteLimit(properties, size(Math.max(64L << 20, 2 * pending)));
        // We never send a request twice: its reply need not be remembered.
        RaftServerConfigKeys.RetryCache.setExpiryTime(properties, time(Duration.ofMillis(200)));
        RaftServerConfigKeys.Read.ReadAfterWriteConsistent.setWriteIndexCacheExpiryTime(
                properties, time(Duration.ofSeconds(60)));
    }

    private static int entryLimit(LogConfig config) {
        return Math.max(ENTRY_LIMIT_BYTES, config.entryBytesMax() + ENTRY_OVERHEAD_BYTES);
    }

    private static SizeInBytes size(long bytes) {
        return SizeInBytes.valueOf(bytes);
    }

    private static TimeDuration time(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }
}
