package dev.weir.node.server;

import dev.weir.partition.model.ErrorCode;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.HostAndPort;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets browser pages of the named origins call and read answers (the CORS protocol of the Fetch standard). Cookies are never asked for: who calls is told by a token
 * or a ticket, so answers never allow credentials.
 *
 * <p>Browsers don't hold WebSockets to that protocol, and send with them a name and password that they keep for this address. So a page of another origin that is not named
 * is refused one: here where callers need no token, else where it shows no ticket ({@link #isForeignSocket}). Else any page that a user looks at could read along.
 */
final class Cors implements Handler<RoutingContext> {
    private static final String FOREIGN_SOCKET = "weir.cors.foreign-socket";
    private static final String ANY = "*";
    private static final String METHODS = "GET, HEAD, POST, PUT, DELETE";
    private static final String REQUEST_HEADERS =
            "Accept, Authorization, Cache-Control, Content-Encoding, Content-Type, Idempotency-Key, Last-Event-ID";
    private static final String ANSWER_HEADERS =
            "Retry-After, Weir-Commit, Weir-Complete-Until, Weir-Cursor, Weir-Dedup, Weir-Generation, Weir-Merged, "
                    + "Weir-Partitions, Weir-Read, Weir-Served-By, Weir-Warning";
    /** Longer ones Chromium cuts to two hours anyway; origins that are taken back are refused after ten minutes. */
    private static final String PREFLIGHT_SECONDS = "600";

    private final Set<String> origins;
    private final boolean callersAreKnown;

    /**
     * @param origins such as {@code https://app.example.org}; {@code *} for all
     * @param callersAreKnown whether authentication is on
     */
    Cors(List<String> origins, boolean callersAreKnown) {
        this.origins = Set.copyOf(origins);
        this.callersAreKnown = callersAreKnown;
    }

    @Override
    public void handle(RoutingContext context) {
        HttpServerRequest request = context.request();
        String origin = request.getHeader("Origin");
        boolean allowed = isAllowed(origin);
        tellCaches(context.response());
        if (allowed) {
            allow(context.response(), origin);
        }
        if (origin == null) {
            context.next();
            return;
        }
        boolean foreignSocket = isSocket(request) && !origins.contains(origin) && !isOwn(origin, request.authority());
        if (allowed && isPreflight(request)) {
            answerPreflight(context.response());
        } else if (!allowed && !callersAreKnown && foreignSocket) {
            Answers.refuse(
                    context,
                    ErrorCode.FORBIDDEN,
                    "a WebSocket of a page from " + origin + ": expected an origin that http.cors.origins names");
        } else {
            context.put(FOREIGN_SOCKET, foreignSocket && callersAreKnown);
            context.next();
        }
    }

    /** Whether a WebSocket is asked for by a page that only a ticket can vouch for: its own token it can't send, and a password would be its user's. */
    static boolean isForeignSocket(RoutingContext context) {
        return Boolean.TRUE.equals(context.get(FOREIGN_SOCKET));
    }

    /** Where all are allowed that is said to everyone, also to who names no origin: a cache may give a page what it has of another. */
    private boolean isAllowed(@Nullable String origin) {
        return origins.contains(ANY) || (origin != null && origins.contains(origin));
    }

    /** Where answers differ by origin caches have to know, also by the answer to who names none. */
    private void tellCaches(HttpServerResponse response) {
        if (!origins.isEmpty() && !origins.contains(ANY)) {
            response.putHeader("Vary", "Origin");
        }
    }

    private void allow(HttpServerResponse response, @Nullable String origin) {
        response.putHeader("Access-Control-Allow-Origin", origins.contains(ANY) ? ANY : origin)
                .putHeader("Access-Control-Expose-Headers", ANSWER_HEADERS);
    }

    private static void answerPreflight(HttpServerResponse response) {
        response.putHeader("Access-Control-Allow-Methods", METHODS)
                .putHeader("Access-Control-Allow-Headers", REQUEST_HEADERS)
                .putHeader("Access-Control-Max-Age", PREFLIGHT_SECONDS)
                .setStatusCode(204)
                .end();
    }

    private static boolean isPreflight(HttpServerRequest request) {
        return request.method().equals(HttpMethod.OPTIONS)
                && request.getHeader("Access-Control-Request-Method") != null;
    }

    private static boolean isSocket(HttpServerRequest request) {
        return "websocket".equalsIgnoreCase(request.getHeader("Upgrade"));
    }

    /** Whether the page came from the address that it calls. */
    private static boolean isOwn(String origin, HostAndPort called) {
        try {
            return called != null
                    && called.toString().equalsIgnoreCase(URI.create(origin).getAuthority());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
