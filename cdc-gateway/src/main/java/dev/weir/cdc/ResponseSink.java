package dev.weir.cdc;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/** The answer of one stream over HTTP, written to by its subscriber's thread. */
final class ResponseSink extends ConnectionSink {
    /** RFC 9113, INTERNAL_ERROR: without a code of an error HTTP/2 clients take a reset for the end of the answer. */
    private static final long INTERNAL_ERROR = 2;

    private final HttpServerResponse response;
    /** On the event loop alone. */
    private boolean cutting;

    /** Called on the context; {@code onClose} is called there when the connection has gone. */
    ResponseSink(Context context, HttpServerResponse response, int bytesMax, Runnable onClose) {
        super(context, bytesMax, onClose);
        this.response = response;
        response.closeHandler(nothing -> closed());
        response.exceptionHandler(cause -> closed());
        if (response.closed()) {
            window.close();
        }
    }

    @Override
    public void send(Buffer buffer) {
        int length = buffer.length();
        window.handedOver(length);
        onLoop(() -> {
            response.write(buffer).onComplete(written -> {
                window.written(length);
                cutWhenWritten();
            });
        });
    }

    @Override
    public void end() {
        onLoop(() -> {
            if (response.ended()) {
                return;
            }
            response.end().onComplete(ended -> window.finish());
            afterLinger(() -> {
                if (window.pendingBytes() > 0) {
                    response.reset(INTERNAL_ERROR);
                }
            });
        });
    }

    /** The frames of events say by themselves where they end. */
    @Override
    public void endShort() {
        end();
    }

    @Override
    public void cut() {
        onLoop(() -> {
            if (response.ended()) {
                return;
            }
            cutting = true;
            cutWhenWritten();
            afterLinger(() -> response.reset(INTERNAL_ERROR));
        });
    }

    private void cutWhenWritten() {
        if (cutting && window.pendingBytes() == 0 && !window.isClosed()) {
            response.reset(INTERNAL_ERROR);
        }
    }
}
