package dev.weir.cdc;

import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** Answers that are bytes already. */
final class FlightBytes implements MethodDescriptor.Marshaller<byte[]> {
    /** No message, since all others have bytes: where it is sent the call is reset, and forgets what waits for its client. gRPC has no other way for servers to do so. */
    static final byte[] RESET = new byte[0];

    private FlightBytes() {}

    /** The method, answered by bytes. */
    static <Q> MethodDescriptor<Q, byte[]> answering(MethodDescriptor<Q, ?> method) {
        return method.toBuilder(method.getRequestMarshaller(), new FlightBytes())
                .build();
    }

    @Override
    public InputStream stream(byte[] message) {
        if (message.length == 0) {
            throw Status.CANCELLED.withDescription("the client takes nothing").asRuntimeException();
        }
        return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream message) {
        throw new UnsupportedOperationException("this end sends answers, it reads none");
    }
}
