package dev.weir.wal.ratis;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/** Makes Ratis's gRPC with our address book and our pace of heartbeats. */
final class HostRpcFactory extends GrpcFactory {
    private final Context context;

    /** What the parts that Ratis makes need from the host. */
    record Context(AddressBook book, AddressResolvers resolvers, int heartbeatMs) {}

    HostRpcFactory(Parameters parameters, Context context) {
        super(parameters);
        this.context = context;
    }

    @Override
    public GrpcServices newRaftServerRpc(RaftServer server) {
        GrpcServicesImpl grpc = (GrpcServicesImpl) super.newRaftServerRpc(server);
        return new AddressedRpc(grpc, context.book(), context.resolvers());
    }

    @Override
    public LogAppender newLogAppender(RaftServer.Division division, LeaderState leader, FollowerInfo follower) {
        return new PacedLogAppender(division, leader, follower, context.heartbeatMs());
    }
}
