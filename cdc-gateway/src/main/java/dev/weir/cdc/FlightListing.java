package dev.weir.cdc;

import io.grpc.stub.ServerCallStreamObserver;
import java.util.Iterator;
import java.util.function.Function;

/** Answers a call of {@code ListFlights} at its client's pace: an offer is made when the call has room for it. Called by one thread at a time. */
final class FlightListing {
    private final ServerCallStreamObserver<byte[]> call;
    private final Iterator<String> tables;
    private final Function<String, byte[]> offer;
    private boolean ended;

    private FlightListing(
            ServerCallStreamObserver<byte[]> call, Iterator<String> tables, Function<String, byte[]> offer) {
        this.call = call;
        this.tables = tables;
        this.offer = offer;
    }

    /** Called where the call arrives, which alone may set what is told of it. */
    static void begin(ServerCallStreamObserver<byte[]> call, Iterator<String> tables, Function<String, byte[]> offer) {
        FlightListing listing = new FlightListing(call, tables, offer);
        call.setOnReadyHandler(listing::goOn);
        call.setOnCancelHandler(() -> {});
        listing.goOn();
    }

    private void goOn() {
        while (!ended && call.isReady()) {
            if (tables.hasNext()) {
                call.onNext(offer.apply(tables.next()));
            } else {
                ended = true;
                call.onCompleted();
            }
        }
    }
}
