package dev.weir.wal.ratis;

import java.util.function.Predicate;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;

/**
 * Lets only calls between replicas through. Ratis serves its clients and its administration on the same port, where anyone could
 * append an entry or remove a group past everything that guards our own doors.
 *
 * <p>A notice to install a snapshot is kept away from a group that is still starting: Ratis takes it up half way, and then the group
 * fails to start.
 */
final class PeerCalls implements ServerInterceptor {
    private static final String SERVICE = "ratis.grpc.RaftServerProtocolService";

    private final Predicate<RaftGroupId> started;

    PeerCalls(Predicate<RaftGroupId> started) {
        this.started = started;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String method = call.getMethodDescriptor().getBareMethodName();
        if (!SERVICE.equals(call.getMethodDescriptor().getServiceName())) {
            call.close(Status.PERMISSION_DENIED.withDescription("only replicas are served here"), new Metadata());
            return new ServerCall.Listener<>() {};
        }
        ServerCall.Listener<Q> listener = next.startCall(call, headers);
        return "installSnapshot".equals(method) ? new StartedOnly<>(call, listener) : listener;
    }

    private final class StartedOnly<Q, A> extends SimpleForwardingServerCallListener<Q> {
        private final ServerCall<Q, A> call;
        private boolean refused;

        StartedOnly(ServerCall<Q, A> call, ServerCall.Listener<Q> listener) {
            super(listener);
            this.call = call;
        }

        @Override
        public void onMessage(Q message) {
            if (message instanceof InstallSnapshotRequestProto request
                    && !started.test(RaftGroupId.valueOf(
                            request.getServerRequest().getRaftGroupId().getId()))) {
                refused = true;
                call.close(Status.UNAVAILABLE.withDescription("the group is starting"), new Metadata());
                return;
            }
            super.onMessage(message);
        }

        @Override
        public void onHalfClose() {
            if (!refused) {
                super.onHalfClose();
            }
        }
    }
}
