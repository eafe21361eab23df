package dev.weir.wal.ratis;

import dev.weir.wal.LogConfig;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPeer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.statemachine.StateMachine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This node's one Ratis server, and its groups by their ids. Methods that open, close or ask for a change may block. */
final class RatisGroups implements AutoCloseable {
    static final RaftPeerRole[] ANY_ROLE = {RaftPeerRole.FOLLOWER, RaftPeerRole.LISTENER};
    private static final Logger LOG = LoggerFactory.getLogger(RatisGroups.class);
    private static final long SNAPSHOT_TIMEOUT_MS = TimeUnit.MINUTES.toMillis(10);

    private final RaftServer server;
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong callIds = new AtomicLong();
    /** What the server is to make of a group that is being opened. */
    private final Map<RaftGroupId, StateMachine> machines;

    private final Set<RaftGroupId> started;

    private final LogPeer selfPeer;

    private RatisGroups(
            LogPeer selfPeer, RaftServer server, Map<RaftGroupId, StateMachine> machines, Set<RaftGroupId> started) {
        this.selfPeer = selfPeer;
        this.server = server;
        this.machines = machines;
        this.started = started;
    }

    static RatisGroups start(LogConfig config, HostRpcFactory.Context rpc) throws IOException {
        RaftProperties properties = RatisSettings.of(config);
        Path nowhere = config.directory().resolve("none");
        RatisSettings.directory(properties, nowhere.toFile());
        Map<RaftGroupId, StateMachine> machines = new ConcurrentHashMap<>();
        Set<RaftGroupId> started = ConcurrentHashMap.newKeySet();
        Parameters parameters = HostRpcType.parameters(rpc);
        GrpcConfigKeys.Server.setServicesCustomizer(
                parameters, (builder, types) -> builder.intercept(new PeerCalls(started::contains)));
        RaftServer server = RaftServer.newBuilder()
                .setServerId(RaftPeerId.valueOf(config.nodeId()))
                .setProperties(properties)
                .setParameters(parameters)
                .setStateMachineRegistry(machines::get)
                .build();
        RatisSettings.directory(properties, config.directory().toFile());
        server.start();
        return new RatisGroups(new LogPeer(config.nodeId(), config.address()), server, machines, started);
    }

    RaftPeerId self() {
        return server.getId();
    }

    RaftServer.Division open(LogGroupId group, LogMembers members, LogStateMachine machine) throws IOException {
        RaftGroupId groupId = Peers.groupId(group);
        machines.put(groupId, machine);
        try {
            check(server.groupManagement(GroupManagementRequest.newAdd(
                    clientId, self(), nextCallId(), Peers.group(group, members, selfPeer), false)));
        } finally {
            machines.remove(groupId);
        }
        started.add(groupId);
        return server.getDivision(groupId);
    }

    void close(LogGroupId group) throws IOException {
        RaftGroupId groupId = Peers.groupId(group);
        started.remove(groupId);
        for (RaftGroupId open : server.getGroupIds()) {
            if (open.equals(groupId)) {
                check(server.groupManagement(
                        GroupManagementRequest.newRemove(clientId, self(), nextCallId(), groupId, false, false)));
                return;
            }
        }
    }

    /** A sole voter needs no time-out to find out that it leads. */
    void nudge(LogGroupId group) {
        try {
            nudge(server.getDivision(Peers.groupId(group)));
        } catch (IOException | RuntimeException e) {
            LOG.debug("the sole voter waits for its time-out", e);
        }
    }

    private void nudge(RaftServer.Division division) throws IOException {
        if (division.getRaftConf().getCurrentPeers().size() != 1
                || division.getRaftConf().getPeer(self()) == null
                || !division.getRaftConf().getPreviousPeers().isEmpty()) {
            return;
        }
        TermIndex last = division.getRaftLog().getLastEntryTermIndex();
        long term = division.getInfo().getCurrentTerm();
        long index = last == null ? division.getInfo().getLastAppliedIndex() : last.getIndex();
        RaftRpcRequestProto rpc = RaftRpcRequestProto.newBuilder()
                .setRequestorId(self().toByteString())
                .setReplyId(self().toByteString())
                .setRaftGroupId(RaftGroupIdProto.newBuilder()
                        .setId(division.getMemberId().getGroupId().toByteString()))
                .build();
        server.startLeaderElection(StartLeaderElectionRequestProto.newBuilder()
                .setServerRequest(rpc)
                .setLeaderLastEntry(TermIndex.valueOf(term, Math.max(0, index)).toProto())
                .build());
    }

    RaftClientRequest newRequest(LogGroupId group, @Nullable Message message, RaftClientRequest.Type type) {
        return RaftClientRequest.newBuilder()
                .setClientId(clientId)
                .setServerId(self())
                .setGroupId(Peers.groupId(group))
                .setCallId(nextCallId())
                .setMessage(message)
                .setType(type)
                .build();
    }

    CompletableFuture<RaftClientReply> snapshot(LogGroupId group) {
        return ask(
                server::snapshotManagementAsync,
                SnapshotManagementRequest.newCreate(
                        clientId, self(), Peers.groupId(group), nextCallId(), SNAPSHOT_TIMEOUT_MS, 1));
    }

    CompletableFuture<RaftClientReply> setMembers(LogGroupId group, LogMembers members) {
        SetConfigurationRequest.Arguments arguments = SetConfigurationRequest.Arguments.newBuilder()
                .setServersInNewConf(Peers.voters(members))
                .setListenersInNewConf(Peers.listeners(members))
                .setMode(SetConfigurationRequest.Mode.SET_UNCONDITIONALLY)
                .build();
        return ask(
                server::setConfigurationAsync,
                new SetConfigurationRequest(clientId, self(), Peers.groupId(group), nextCallId(), arguments));
    }

    /** To another voter, which must be one; null steps down. */
    CompletableFuture<RaftClientReply> transfer(LogGroupId group, @Nullable String nodeId, long timeoutMs) {
        return ask(
                server::transferLeadershipAsync,
                new TransferLeadershipRequest(
                        clientId,
                        self(),
                        Peers.groupId(group),
                        nextCallId(),
                        nodeId == null ? null : RaftPeerId.valueOf(nodeId),
                        timeoutMs));
    }

    void reconnect(String nodeId, long silentMs) {
        rpc().reconnect(RaftPeerId.valueOf(nodeId), new IOException("no answer for " + silentMs + " ms"));
    }

    AddressedRpc rpc() {
        return (AddressedRpc) server.getServerRpc();
    }

    private interface Request<Q> {
        CompletableFuture<RaftClientReply> send(Q request) throws IOException;
    }

    private static <Q> CompletableFuture<RaftClientReply> ask(Request<Q> to, Q request) {
        try {
            return to.send(request);
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private long nextCallId() {
        return callIds.incrementAndGet();
    }

    private static void check(RaftClientReply reply) throws IOException {
        if (!reply.isSuccess()) {
            throw new IOException("Ratis refused", reply.getException());
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
