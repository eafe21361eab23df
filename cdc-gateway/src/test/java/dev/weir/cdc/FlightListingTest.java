package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.stub.ServerCallStreamObserver;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** However many tables there are, no more is made than the call has room for. */
final class FlightListingTest {
    private static final List<String> TABLES = List.of("a", "b", "c", "d", "e");

    private final Call call = new Call();

    @Test
    void makesOffersWhileThereIsRoom() {
        call.room = 2;
        FlightListing.begin(call, TABLES.iterator(), table -> table.getBytes(StandardCharsets.UTF_8));
        assertThat(call.sent).containsExactly("a", "b");
        call.ready.run();
        assertThat(call.sent).hasSize(2);

        call.room = 1;
        call.ready.run();
        assertThat(call.sent).containsExactly("a", "b", "c");
        assertThat(call.completed).isZero();

        call.room = 10;
        call.ready.run();
        call.ready.run();
        assertThat(call.sent).isEqualTo(TABLES);
        assertThat(call.completed).isEqualTo(1);
    }

    private static final class Call extends ServerCallStreamObserver<byte[]> {
        private final List<String> sent = new ArrayList<>();
        private Runnable ready = () -> {};
        private int room;
        private int completed;

        @Override
        public boolean isReady() {
            return room > 0;
        }

        @Override
        public void onNext(byte[] message) {
            room--;
            sent.add(new String(message, StandardCharsets.UTF_8));
        }

        @Override
        public void onCompleted() {
            completed++;
        }

        @Override
        public void onError(Throwable failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void setOnReadyHandler(Runnable handler) {
            ready = handler;
        }

        @Override
        public void setOnCancelHandler(Runnable handler) {}

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void setCompression(String compression) {}

        @Override
        public void setMessageCompression(boolean enable) {}

        @Override
        public void disableAutoInboundFlowControl() {}

        @Override
        public void request(int count) {}
    }
}
