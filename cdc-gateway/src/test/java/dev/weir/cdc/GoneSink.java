package dev.weir.cdc;

import io.vertx.core.buffer.Buffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Of a client that has gone already. */
final class GoneSink implements StreamSink {
    @Override
    public boolean isOpen() {
        return false;
    }

    @Override
    public CompletionStage<Void> done() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public long pendingBytes() {
        return 0;
    }

    @Override
    public boolean hasRoom() {
        return true;
    }

    @Override
    public void awaitRoom(long deadline) {}

    @Override
    public void wake() {}

    @Override
    public void send(Buffer buffer) {}

    @Override
    public void end() {}

    @Override
    public void endShort() {}

    @Override
    public void cut() {}
}
