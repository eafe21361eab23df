package dev.weir.node.ingest;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/** A request whose body does not come, or is not wanted: over HTTP/2 others share its connection, and go on. */
public final class BrokenRequest {
    /** RFC 9113, CANCEL. */
    private static final long CANCEL = 8;

    private BrokenRequest() {}

    /** On its event loop. */
    public static void cut(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            request.response().reset(CANCEL);
        } else {
            request.connection().close();
        }
    }
}
