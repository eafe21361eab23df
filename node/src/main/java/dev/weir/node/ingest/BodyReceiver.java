package dev.weir.node.ingest;

import dev.weir.partition.model.RefusedException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/**
 * Receives one body into memory, on the request's event loop. A body that is refused on the way is answered at once and read to its end all the same,
 * so that its sender sees the answer and not a reset; one that goes on for ever is cut off.
 */
final class BodyReceiver {
    private static final long RECEIVE_MS_MAX = 120_000;
    /** Bytes of a refused body that are read and thrown away before its connection is closed. */
    private static final long DISCARD_BYTES_MAX = 256L << 20;

    private final Exchange exchange;
    private final GrowingBody body;
    private final Consumer<GrowingBody> then;
    private long discarded;
    private boolean refused;
    private boolean done;

    private BodyReceiver(Exchange exchange, GrowingBody body, Consumer<GrowingBody> then) {
        this.exchange = exchange;
        this.body = body;
        this.then = then;
    }

    /** @param then takes the whole body, on the event loop, and releases it; not called where it was refused or the connection broke */
    static void receive(Exchange exchange, GrowingBody body, Consumer<GrowingBody> then) {
        BodyReceiver receiver = new BodyReceiver(exchange, body, then);
        receiver.listen();
        receiver.expectDeclared();
    }

    /** Answers without having looked at the body. */
    static void ignore(Exchange exchange, Answer answer) {
        BodyReceiver receiver =
                new BodyReceiver(exchange, new GrowingBody(new BytesBudget(0), 0, ""), GrowingBody::release);
        receiver.listen();
        receiver.refuse(answer);
    }

    private void listen() {
        HttpServerRequest request = exchange.request();
        long timer = exchange.later(RECEIVE_MS_MAX, () -> BrokenRequest.cut(request));
        request.exceptionHandler(broken -> {
            exchange.cancel(timer);
            end();
        });
        request.handler(this::chunk);
        request.endHandler(end -> {
            exchange.cancel(timer);
            if (!refused && !done) {
                done = true;
                then.accept(body);
            }
        });
        request.resume();
    }

    private void expectDeclared() {
        String declared = exchange.request().getHeader("Content-Length");
        if (declared == null) {
            return;
        }
        try {
            body.expect(Long.parseLong(declared));
        } catch (RefusedException e) {
            refuse(Answer.refusal(e.refusal()));
        } catch (NumberFormatException e) {
            // HTTP itself refuses such a length.
        }
    }

    private void chunk(Buffer chunk) {
        if (refused) {
            discarded += chunk.length();
            if (discarded > DISCARD_BYTES_MAX) {
                BrokenRequest.cut(exchange.request());
            }
            return;
        }
        try {
            int from = 0;
            while (from < chunk.length()) {
                int count = Math.min(body.room(), chunk.length() - from);
                chunk.getBytes(from, from + count, body.bytes(), body.length());
                body.grown(count);
                from += count;
            }
        } catch (RefusedException e) {
            refuse(Answer.refusal(e.refusal()));
        }
    }

    private void refuse(Answer answer) {
        refused = true;
        end();
        exchange.answer(answer);
    }

    private void end() {
        if (!done) {
            done = true;
            body.release();
        }
    }
}
