package dev.weir.wal.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.wal.FreePorts;
import dev.weir.wal.LogConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AddressedRpcTest {
    @TempDir
    Path folder;

    /** Thrown, it could leave Ratis with a transfer that never ends. */
    @Test
    void successorThatCannotBeAskedRefuses() throws IOException {
        AddressBook book = new AddressBook();
        LogConfig config = new Cluster(folder, 1).configOf("n1");
        try (AddressResolvers resolvers = AddressResolvers.register(book);
                RatisGroups groups = RatisGroups.start(
                        config, new HostRpcFactory.Context(book, resolvers, RatisSettings.heartbeatMs(config)))) {
            groups.rpc()
                    .addRaftPeers(List.of(RaftPeer.newBuilder()
                            .setId("n2")
                            .setAddress("localhost:" + FreePorts.next())
                            .build()));
            RaftRpcRequestProto request = RaftRpcRequestProto.newBuilder()
                    .setRequestorId(ByteString.copyFromUtf8("n1"))
                    .setReplyId(ByteString.copyFromUtf8("n2"))
                    .setRaftGroupId(RaftGroupIdProto.newBuilder()
                            .setId(RaftGroupId.valueOf(new UUID(1, 2)).toByteString()))
                    .setCallId(7)
                    .build();

            StartLeaderElectionReplyProto reply = groups.rpc()
                    .startLeaderElection(StartLeaderElectionRequestProto.newBuilder()
                            .setServerRequest(request)
                            .build());

            assertThat(reply.getServerReply().getSuccess()).isFalse();
            assertThat(reply.getServerReply().getReplyId()).isEqualTo(request.getReplyId());
            assertThat(reply.getServerReply().getRaftGroupId()).isEqualTo(request.getRaftGroupId());
            assertThat(reply.getServerReply().getCallId()).isEqualTo(7);
        }
    }
}
