package dev.weir.cdc;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** The connection of a stream that tells of tables as they stood: waits for room, and knows since when it is quiet. Messages of two threads go whole. */
final class HistorySink {
    private final StreamSink sink;
    private final BooleanSupplier readsOn;
    private final long heartbeatNanos;
    private final CdcMetrics metrics;
    private volatile long beatAt;

    HistorySink(StreamSink sink, BooleanSupplier readsOn, Duration heartbeat, CdcMetrics metrics) {
        this.sink = sink;
        this.readsOn = readsOn;
        this.heartbeatNanos = heartbeat.toNanos();
        this.metrics = metrics;
        this.beatAt = System.nanoTime() + heartbeatNanos;
    }

    /** Whether the stream still reads on once there is room; looked at again after a heartbeat at the latest. */
    boolean awaitRoom() {
        while (readsOn.getAsBoolean() && !sink.hasRoom()) {
            sink.awaitRoom(System.nanoTime() + heartbeatNanos);
        }
        return readsOn.getAsBoolean();
    }

    boolean isOpen() {
        return sink.isOpen();
    }

    boolean isQuiet() {
        return System.nanoTime() - beatAt >= 0 && sink.hasRoom();
    }

    void rows(Buffer message, int rows) {
        send(message);
        metrics.history(rows, message.length());
    }

    void send(Buffer message) {
        sink.send(message);
        beatAt = System.nanoTime() + heartbeatNanos;
    }

    void end() {
        sink.end();
    }

    void endShort() {
        sink.endShort();
    }

    void cut() {
        sink.cut();
    }
}
