package dev.weir.wal.ratis;

import java.util.Set;
import java.util.function.Predicate;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Lets only calls between replicas through. Ratis serves its clients and its administration on the same port, where anyone could
 * append an entry or remove a group past everything that guards our own doors.
 *
 * <p>Entries, notices to install a snapshot and requests for votes are kept away from a group that is not open, or still starting: Ratis
 * logs an error with its stack for each, and takes a notice up half way, after which the group fails to start.
 */
final class PeerCalls implements ServerInterceptor {
    private static final String SERVICE = "ratis.grpc.RaftServerProtocolService";

    private static final Set<String> GUARDED = Set.of("appendEntries", "installSnapshot", "requestVote");

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
        return GUARDED.contains(method) ? new StartedOnly<>(call, listener) : listener;
    }

    private final class StartedOnly<Q, A> extends SimpleForwardingServerCallListener<Q> {
        private final ServerCall<Q, A> call;
        /** Null until the first message. A stream is one leader's to one group. */
        private @Nullable Boolean admitted;

        StartedOnly(ServerCall<Q, A> call, ServerCall.Listener<Q> listener) {
            super(listener);
            this.call = call;
        }

        @Override
        public void onMessage(Q message) {
            if (admitted == null) {
                admitted = started.test(RaftGroupId.valueOf(group(message)));
                if (!admitted) {
                    call.close(refusal(message).withDescription("the group is not open here"), new Metadata());
                }
            }
            if (admitted) {
                super.onMessage(message);
            }
        }

        @Override
        public void onHalfClose() {
            if (admitted == null || admitted) {
                super.onHalfClose();
            }
        }
    }

    /** A candidate takes UNAVAILABLE for a broken connection. */
    private static Status refusal(Object message) {
        return message instanceof RequestVoteRequestProto ? Status.FAILED_PRECONDITION : Status.UNAVAILABLE;
    }

    private static ByteString group(Object message) {
        return switch (message) {
            case AppendEntriesRequestProto append ->
                append.getServerRequest().getRaftGroupId().getId();
            case InstallSnapshotRequestProto install ->
                install.getServerRequest().getRaftGroupId().getId();
            case RequestVoteRequestProto vote ->
                vote.getServerRequest().getRaftGroupId().getId();
            default -> throw new IllegalArgumentException("unexpected message " + message.getClass());
        };
    }
}
