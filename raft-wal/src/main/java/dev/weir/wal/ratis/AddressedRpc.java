package dev.weir.wal.ratis;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.protocol.RaftServerAsynchronousProtocol;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ratis's gRPC, with peers found by id through the {@link AddressBook}. Ratis alone would keep the first address that it hears of a
 * peer, from whichever old configuration, for the life of the process.
 */
final class AddressedRpc implements GrpcServices {
    private static final Logger LOG = LoggerFactory.getLogger(AddressedRpc.class);
    /** Between two new connections to a peer that does not answer. */
    private static final long RECONNECT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final GrpcServicesImpl grpc;
    private final AddressBook book;
    private final AddressResolvers resolvers;
    private final Map<RaftPeerId, Long> reconnectedNanos = new ConcurrentHashMap<>();

    AddressedRpc(GrpcServicesImpl grpc, AddressBook book, AddressResolvers resolvers) {
        this.grpc = grpc;
        this.book = book;
        this.resolvers = resolvers;
    }

    GrpcServicesImpl grpc() {
        return grpc;
    }

    @Override
    public void addRaftPeers(Collection<RaftPeer> peers) {
        grpc.addRaftPeers(peers.stream().map(this::byId).toList());
    }

    private RaftPeer byId(RaftPeer peer) {
        String nodeId = peer.getId().toString();
        if (!peer.getAddress().isEmpty()) {
            book.hint(nodeId, peer.getAddress());
        }
        return RaftPeer.newBuilder(peer).setAddress(resolvers.target(nodeId)).build();
    }

    /**
     * Connects anew to a peer that has not answered for long: a half-open connection, or one in back-off, would hold out for minutes
     * after the network is back. Blocks up to some seconds.
     */
    void reconnect(RaftPeerId peer, Exception reason) {
        long now = System.nanoTime();
        Long last = reconnectedNanos.get(peer);
        if (last != null && now - last < RECONNECT_NANOS) {
            return;
        }
        reconnectedNanos.put(peer, now);
        grpc.handleException(peer, reason, true);
    }

    @Override
    public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
        try {
            return grpc.requestVote(request);
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.UNAVAILABLE) {
                reconnect(RaftPeerId.valueOf(request.getServerRequest().getReplyId()), e);
            }
            throw e;
        }
    }

    @Override
    public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request) throws IOException {
        return grpc.appendEntries(request);
    }

    @Override
    public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request) throws IOException {
        return grpc.installSnapshot(request);
    }

    /**
     * A failure is told as a refusal. Ratis ends a transfer of leadership by its time-out; one whose request had failed before Ratis looked at it would never end:
     * the leader would refuse writes for ever.
     */
    @Override
    public StartLeaderElectionReplyProto startLeaderElection(StartLeaderElectionRequestProto request) {
        try {
            return grpc.startLeaderElection(request);
        } catch (IOException | RuntimeException e) {
            LOG.info(
                    "{} could not be asked to lead: {}",
                    request.getServerRequest().getReplyId().toStringUtf8(),
                    e.toString());
            return StartLeaderElectionReplyProto.newBuilder()
                    .setServerReply(refusal(request.getServerRequest()))
                    .build();
        }
    }

    private static RaftRpcReplyProto refusal(RaftRpcRequestProto request) {
        return RaftRpcReplyProto.newBuilder()
                .setRequestorId(request.getRequestorId())
                .setReplyId(request.getReplyId())
                .setRaftGroupId(request.getRaftGroupId())
                .setCallId(request.getCallId())
                .setSuccess(false)
                .build();
    }

    @Override
    public RaftServerAsynchronousProtocol async() {
        return grpc.async();
    }

    @Override
    public void handleException(RaftPeerId peer, Exception reason, boolean reconnect) {
        grpc.handleException(peer, reason, reconnect);
    }

    @Override
    public void notifyNotLeader(RaftGroupId group) {
        grpc.notifyNotLeader(group);
    }

    @Override
    public RpcType getRpcType() {
        return grpc.getRpcType();
    }

    @Override
    public InetSocketAddress getInetSocketAddress() {
        return grpc.getInetSocketAddress();
    }

    @Override
    public InetSocketAddress getClientServerAddress() {
        return grpc.getClientServerAddress();
    }

    @Override
    public InetSocketAddress getAdminServerAddress() {
        return grpc.getAdminServerAddress();
    }

    @Override
    public void start() throws IOException {
        grpc.start();
    }

    @Override
    public void close() throws IOException {
        grpc.close();
    }
}
