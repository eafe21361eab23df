package dev.weir.cdc;

import io.vertx.core.buffer.Buffer;
import java.util.concurrent.CompletionStage;

/**
 * What carries a stream to its client: an HTTP answer, a WebSocket or a call of Flight. Takes whole frames, as Server-Sent Events or as messages of Arrow's IPC format or of Flight
 * have them, and tells when it has enough.
 *
 * <p>Threading: {@link #awaitRoom} is for the stream's thread, the others for any.
 */
interface StreamSink {
    boolean isOpen();

    /** Completes when the last byte is out, the connection has gone, or the client took nothing for too long. */
    CompletionStage<Void> done();

    /** Handed over and not yet in the socket. */
    long pendingBytes();

    boolean hasRoom();

    /** Waits for room, for the connection's end, for {@link #wake}, or for that time. */
    void awaitRoom(long deadline);

    void wake();

    void send(Buffer buffer);

    /** Ends the stream in order, after what was sent. */
    void end();

    /** Ends a stream of which not all came, after what was sent; all of that is whole, and its last frame may say why. */
    void endShort();

    /** Ends the stream so that the client can't take it as complete; after what was sent. */
    void cut();
}
