package dev.weir.cdc;

import io.grpc.BindableService;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.arrow.flight.FlightConstants;
import org.apache.arrow.flight.impl.Flight;
import org.apache.arrow.flight.impl.FlightServiceGrpc;
import org.jspecify.annotations.Nullable;

/** Flight's {@code DoGet}: a ticket opens a change stream. Which streams there are others say, Arrow's own service mostly; it takes no data. */
final class FlightStreams {
    private static final Set<String> OF_ARROW = Set.of("Handshake", "GetFlightInfo", "GetSchema");

    private final CdcRoutes streams;
    private final FlightLinger linger;
    private final AtomicInteger open = new AtomicInteger();
    /** Calls that have not ended, those whose start is being sought among them. */
    private final Set<FlightSink> calls = ConcurrentHashMap.newKeySet();

    FlightStreams(CdcRoutes streams, FlightLinger linger) {
        this.streams = streams;
        this.linger = linger;
        streams.metrics()
                .gauge(
                        "weir.cdc.flight.subscribers",
                        "those of weir_cdc_subscribers that read by Flight",
                        open,
                        AtomicInteger::get);
    }

    /** @param arrow Arrow's own service, of these offers */
    ServerServiceDefinition with(BindableService arrow, FlightOffers offers) {
        ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(FlightConstants.SERVICE);
        for (ServerMethodDefinition<?, ?> method : arrow.bindService().getMethods()) {
            if (OF_ARROW.contains(method.getMethodDescriptor().getBareMethodName())) {
                service.addMethod(method);
            }
        }
        return service.addMethod(
                        FlightBytes.answering(FlightServiceGrpc.getListFlightsMethod()),
                        ServerCalls.asyncServerStreamingCall(offers::list))
                .addMethod(
                        FlightBytes.answering(FlightServiceGrpc.getDoGetMethod()),
                        ServerCalls.asyncServerStreamingCall(this::serve))
                .build();
    }

    private void serve(Flight.Ticket ticket, StreamObserver<byte[]> observer) {
        FlightSink sink = new FlightSink(
                (ServerCallStreamObserver<byte[]>) observer, streams.config().subscriberBytesMax(), linger);
        calls.add(sink);
        sink.done().thenRun(() -> calls.remove(sink));
        FlightAnswer answer = new FlightAnswer(sink, FlightAccess.admission());
        try {
            streams.begin(
                    answer,
                    FlightRequest.read(FlightAccess.tenant(), ticket.getTicket().toByteArray()),
                    StreamWatch.NONE);
        } catch (RequestRefused e) {
            answer.refuse(e);
        }
    }

    /** Ends what has not ended by itself, for a node that stops now. */
    void end() {
        calls.forEach(FlightSink::end);
    }

    /** The call is there already: opening it has nothing to say, the stream's first messages do. */
    private final class FlightAnswer implements StreamAnswer {
        private final FlightSink sink;
        private final BooleanSupplier admission;

        FlightAnswer(FlightSink sink, BooleanSupplier admission) {
            this.sink = sink;
            this.admission = admission;
        }

        @Override
        public boolean isAdmitted() {
            return admission.getAsBoolean();
        }

        @Override
        public StreamSink open(@Nullable String cursor, Signal signal) {
            open.incrementAndGet();
            sink.done().thenRun(open::decrementAndGet);
            return sink.raising(signal);
        }

        @Override
        public void refuse(RequestRefused refused) {
            streams.metrics().refused();
            sink.refuse(refused);
        }
    }
}
