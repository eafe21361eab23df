package dev.weir.cdc;

import dev.weir.partition.model.RefusedException;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/** Lets a call of any method pass if its caller may read changes, and keeps the tenant with it. */
final class FlightAccess implements ServerInterceptor {
    private static final Context.Key<String> TENANT = Context.key("weir.tenant");
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final FlightCaller caller;

    FlightAccess(FlightCaller caller) {
        this.caller = caller;
    }

    /** Of the call that this thread serves. */
    static String tenant() {
        String tenant = TENANT.get();
        if (tenant == null) {
            throw new IllegalStateException("a method of Flight has no access rule before it");
        }
        return tenant;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        try {
            Context context = Context.current().withValue(TENANT, caller.tenant(headers.get(AUTHORIZATION)));
            return Contexts.interceptCall(context, call, headers, next);
        } catch (RefusedException e) {
            call.close(FlightStatus.of(RequestRefused.of(e.refusal())), new Metadata());
            return new ServerCall.Listener<>() {};
        }
    }
}
