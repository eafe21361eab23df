package dev.weir.node.server;

import dev.weir.node.ingest.BrokenRequest;
import dev.weir.partition.model.Refusal;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Consumer;

/** Receives a request's body of a bounded size; of a larger one nothing more is kept, and it is refused at once. On the request's event loop. */
final class BoundedBody {
    private final RoutingContext context;
    private final int bytesMax;
    private final Refusal larger;
    private final Buffer bytes = Buffer.buffer();
    private boolean refused;

    private BoundedBody(RoutingContext context, int bytesMax, Refusal larger) {
        this.context = context;
        this.bytesMax = bytesMax;
        this.larger = larger;
    }

    /** @param larger what a larger body is answered */
    static void read(RoutingContext context, int bytesMax, Refusal larger, Consumer<Buffer> then) {
        BoundedBody body = new BoundedBody(context, bytesMax, larger);
        context.request()
                .handler(body::add)
                .endHandler(nothing -> {
                    if (!body.refused) {
                        then.accept(body.bytes);
                    }
                })
                .exceptionHandler(failure -> BrokenRequest.cut(context.request()));
    }

    private void add(Buffer part) {
        if (refused) {
            return;
        }
        if (bytes.length() + part.length() > bytesMax) {
            refused = true;
            Answers.refuse(context, larger);
            return;
        }
        bytes.appendBuffer(part);
    }
}
