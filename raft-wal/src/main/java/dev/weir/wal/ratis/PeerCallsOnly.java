package dev.weir.wal.ratis;

import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;

/**
 * Lets only calls between replicas through. Ratis serves its clients and its administration on the same port, where anyone could
 * append an entry or remove a group past everything that guards our own doors.
 */
final class PeerCallsOnly implements ServerInterceptor {
    private static final String SERVICE = "ratis.grpc.RaftServerProtocolService";

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (SERVICE.equals(call.getMethodDescriptor().getServiceName())) {
            return next.startCall(call, headers);
        }
        call.close(Status.PERMISSION_DENIED.withDescription("only replicas are served here"), new Metadata());
        return new ServerCall.Listener<>() {};
    }
}
