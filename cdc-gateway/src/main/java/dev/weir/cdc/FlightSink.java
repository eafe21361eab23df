package dev.weir.cdc;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.vertx.core.buffer.Buffer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call of Flight's {@code DoGet} that carries one stream, written to by its subscriber's thread; what is handed over at once is one message.
 *
 * <p>gRPC tells only whether less than a threshold waits for the client. With a threshold of one byte that is: nothing. So what was handed over counts as pending until all of it
 * is out: the bound holds, and no byte is forgotten. A client that takes nothing has its seat until it goes; once its stream has ended, until the linger is over.
 *
 * <p>The lock keeps what gRPC says apart from a message in the making: it may be called by one thread at a time.
 */
final class FlightSink implements StreamSink {
    private final ServerCallStreamObserver<byte[]> call;
    private final SendWindow window;
    private final FlightLinger linger;
    private volatile @Nullable Signal gone;
    private boolean ended;
    /** How it ends, told behind what was sent: once that was said, nothing can break the call off any more. */
    private @Nullable Status last;

    /** Called where the call arrives, which alone may set what is told of it. */
    FlightSink(ServerCallStreamObserver<byte[]> call, int bytesMax, FlightLinger linger) {
        this.call = call;
        this.linger = linger;
        this.window = new SendWindow(bytesMax);
        call.setOnReadyThreshold(1);
        call.setOnReadyHandler(this::looked);
        call.setOnCancelHandler(this::closed);
        call.setOnCloseHandler(this::closed);
    }

    /** From now on the stream's thread is told when the call is over. */
    FlightSink raising(Signal signal) {
        gone = signal;
        return this;
    }

    private synchronized void looked() {
        if (call.isReady()) {
            window.drained();
            tellLast();
        }
    }

    /** Called with the lock held. */
    private void tellLast() {
        Status status = last;
        if (status != null && call.isReady()) {
            last = null;
            call.onError(status.asRuntimeException());
        }
    }

    /** Its last byte is out, or the client has gone. */
    private void closed() {
        window.close();
        Signal signal = gone;
        if (signal != null) {
            signal.raise();
        }
    }

    @Override
    public boolean isOpen() {
        return !window.isClosed();
    }

    @Override
    public CompletionStage<Void> done() {
        return window.done();
    }

    @Override
    public long pendingBytes() {
        return window.pendingBytes();
    }

    @Override
    public boolean hasRoom() {
        return window.hasRoom();
    }

    @Override
    public void awaitRoom(long deadline) {
        window.awaitRoom(deadline);
    }

    @Override
    public void wake() {
        window.wake();
    }

    @Override
    public synchronized void send(Buffer message) {
        if (!ended && isOpen()) {
            window.handedOver(message.length());
            call.onNext(message.getBytes());
        }
    }

    /** A stream of changes has no end: what ends one is always that it can't go on here. */
    @Override
    public void end() {
        end(Status.UNAVAILABLE.withDescription(
                "the node ends this stream: connect again, at any node, after the last cursor"));
    }

    @Override
    public void endShort() {
        cut();
    }

    @Override
    public void cut() {
        end(Status.UNAVAILABLE.withDescription(
                "the stream broke off: go on after the last cursor; the last message may say why"));
    }

    void refuse(RequestRefused refused) {
        end(FlightStatus.of(refused));
    }

    private synchronized void end(Status status) {
        if (!ended) {
            ended = true;
            if (isOpen()) {
                last = status;
                tellLast();
                awaitLast();
            }
        }
    }

    private void awaitLast() {
        try {
            ScheduledFuture<?> timer = linger.after(this::breakOff);
            window.done().thenRun(() -> timer.cancel(false));
        } catch (RejectedExecutionException e) {
            // The event loops have ended before their streams: so has the connection.
            window.close();
        }
    }

    /** Nothing more will reach the client, and what waits for it is let go. */
    private synchronized void breakOff() {
        if (last != null && isOpen()) {
            last = null;
            call.onNext(FlightBytes.RESET);
        }
        window.finish();
    }
}
