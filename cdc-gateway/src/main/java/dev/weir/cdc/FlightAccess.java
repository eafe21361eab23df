package dev.weir.cdc;

import dev.weir.partition.model.RefusedException;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Lets a call of any method pass if its caller may read changes, and keeps the tenant with it. */
final class FlightAccess implements ServerInterceptor {
    private static final Context.Key<String> TENANT = Context.key("weir.tenant");
    private static final Context.Key<BooleanSupplier> ADMISSION = Context.key("weir.admission");
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final FlightCaller caller;

    FlightAccess(FlightCaller caller) {
        this.caller = caller;
    }

    /** Of the call that this thread serves. */
    static String tenant() {
        return kept(TENANT);
    }

    /** Whether the caller of the call that this thread serves may go on reading, for as long as the call goes on. */
    static BooleanSupplier admission() {
        return kept(ADMISSION);
    }

    private static <T> T kept(Context.Key<T> key) {
        T value = key.get();
        if (value == null) {
            throw new IllegalStateException("a method of Flight has no access rule before it");
        }
        return value;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        try {
            String authorization = headers.get(AUTHORIZATION);
            String tenant = caller.tenant(authorization);
            Context context =
                    Context.current().withValues(TENANT, tenant, ADMISSION, () -> mayStill(authorization, tenant));
            return Contexts.interceptCall(context, call, headers, next);
        } catch (RefusedException e) {
            call.close(FlightStatus.of(RequestRefused.of(e.refusal())), new Metadata());
            return new ServerCall.Listener<>() {};
        }
    }

    private boolean mayStill(@Nullable String authorization, String tenant) {
        try {
            return caller.tenant(authorization).equals(tenant);
        } catch (RefusedException e) {
            return false;
        }
    }
}
