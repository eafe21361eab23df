package dev.weir.wal.payload;

import dev.weir.wal.FreePorts;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Ratis servers of one JVM that hold the same groups, over gRPC on loopback. */
final class PayloadCluster implements AutoCloseable {
    private static final long SNAPSHOT_EVERY_ENTRIES = 1024;

    private final PayloadWay way;
    private final List<RaftServer> servers = new ArrayList<>();
    private final List<RaftGroupId> groups = new ArrayList<>();
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();

    PayloadCluster(PayloadWay way, Path directory, int serverCount, int groupCount, int logSegmentMib)
            throws IOException {
        this.way = way;
        List<RaftPeer> peers = new ArrayList<>();
        for (int i = 0; i < serverCount; i++) {
            peers.add(RaftPeer.newBuilder()
                    .setId("n" + i)
                    .setAddress("127.0.0.1:" + FreePorts.next())
                    .build());
        }
        for (RaftPeer peer : peers) {
            servers.add(start(peer, directory.resolve(peer.getId().toString()), logSegmentMib));
        }
        for (int i = 0; i < groupCount; i++) {
            RaftGroupId id =
                    RaftGroupId.valueOf(UUID.nameUUIDFromBytes(("group " + i).getBytes(StandardCharsets.US_ASCII)));
            groups.add(id);
            for (RaftServer server : servers) {
                addGroup(server, RaftGroup.valueOf(id, peers));
            }
        }
    }

    List<RaftGroupId> groups() {
        return groups;
    }

    /** Waits until each group has a leader that serves. */
    void awaitLeaders() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        for (RaftGroupId group : groups) {
            while (leader(group) == null) {
                if (System.nanoTime() > deadline) {
                    throw new IOException("no leader of " + group + " within 60 s");
                }
                Thread.onSpinWait();
            }
        }
    }

    CompletableFuture<RaftClientReply> append(RaftGroupId group, ByteString payload) throws IOException {
        RaftServer leader = leader(group);
        if (leader == null) {
            throw new IOException("no leader of " + group);
        }
        return leader.submitClientRequestAsync(RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(leader.getId())
                .setGroupId(group)
                .setCallId(calls.incrementAndGet())
                .setMessage(Message.valueOf(payload))
                .setType(RaftClientRequest.writeRequestType())
                .build());
    }

    PayloadState leaderState(RaftGroupId group) throws IOException {
        return (PayloadState) leader(group).getDivision(group).getStateMachine();
    }

    /** Waits until every replica has applied what the leader has. */
    void awaitApplied() throws IOException, InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        for (RaftGroupId group : groups) {
            long index = leader(group).getDivision(group).getInfo().getLastAppliedIndex();
            for (RaftServer server : servers) {
                while (server.getDivision(group).getInfo().getLastAppliedIndex() < index) {
                    if (System.nanoTime() > deadline) {
                        throw new TimeoutException("replica " + server.getId() + " lags");
                    }
                    TimeUnit.MILLISECONDS.sleep(5);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (RaftServer server : servers) {
            server.close();
        }
    }

    private RaftServer leader(RaftGroupId group) throws IOException {
        for (RaftServer server : servers) {
            if (server.getDivision(group).getInfo().isLeaderReady()) {
                return server;
            }
        }
        return null;
    }

    private RaftServer start(RaftPeer peer, Path directory, int logSegmentMib) throws IOException {
        RaftServer server = RaftServer.newBuilder()
                .setServerId(peer.getId())
                .setOption(RaftStorage.StartupOption.RECOVER)
                .setStateMachineRegistry(group -> way.newState())
                .setProperties(properties(peer, directory.toFile(), logSegmentMib))
                .build();
        server.start();
        return server;
    }

    private void addGroup(RaftServer server, RaftGroup group) throws IOException {
        for (RaftGroupId known : server.getGroupIds()) {
            if (known.equals(group.getGroupId())) {
                return;
            }
        }
        RaftClientReply reply = server.groupManagement(
                GroupManagementRequest.newAdd(client, server.getId(), calls.incrementAndGet(), group));
        if (!reply.isSuccess()) {
            throw new IOException("group " + group + ": " + reply);
        }
    }

    private RaftProperties properties(RaftPeer peer, File directory, int logSegmentMib) {
        RaftProperties properties = new RaftProperties();
        RaftServerConfigKeys.setStorageDir(properties, List.of(directory));
        GrpcConfigKeys.Server.setPort(
                properties, Integer.parseInt(peer.getAddress().split(":")[1]));
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, TimeDuration.valueOf(1200, TimeUnit.MILLISECONDS));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, TimeDuration.valueOf(1800, TimeUnit.MILLISECONDS));
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(logSegmentMib + "MB"));
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf("1MB"));
        RaftServerConfigKeys.Log.setWriteBufferSize(properties, SizeInBytes.valueOf("2MB"));
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, SizeInBytes.valueOf("1MB"));
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, 2);
        RaftServerConfigKeys.Log.setSegmentCacheSizeMax(properties, SizeInBytes.valueOf("16MB"));
        RaftServerConfigKeys.Log.StateMachineData.setSync(properties, false);
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, SNAPSHOT_EVERY_ENTRIES);
        RaftServerConfigKeys.Snapshot.setCreationGap(properties, 1);
        boolean purge = way != PayloadWay.LOG;
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, purge);
        RaftServerConfigKeys.Log.setPurgeGap(properties, purge ? 1 : Integer.MAX_VALUE);
        return properties;
    }

    /** A payload of pseudo-random bytes, so that nothing compresses. */
    static ByteString payload(int bytes, long seed) {
        byte[] payload = new byte[bytes];
        ByteBuffer buffer = ByteBuffer.wrap(payload);
        long state = seed;
        while (buffer.remaining() >= 8) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            buffer.putLong(state ^ (state >>> 29));
        }
        return org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations.unsafeWrap(payload);
    }
}
