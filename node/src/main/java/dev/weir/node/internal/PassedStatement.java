package dev.weir.node.internal;

import dev.weir.partition.model.ErrorCode;
import dev.weir.query.sql.SqlRoutes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerResponse;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One statement at another node.
 *
 * <pre>
 * sent ──103──▶ taken ──status──▶ flowing ──last byte──▶ answered
 *   │             │                  └── breaks off: so does the answer to the client
 *   └─────────────┴── fails, or is not taken in time, or is declined: not taken, the client has got nothing yet
 * </pre>
 *
 * <p>All of it happens on the event loop of the client's connection.
 */
final class PassedStatement {
    /** To connect and be told that the statement was taken. */
    static final int TAKEN_MS_MAX = 1_000;

    private static final int UNAVAILABLE = 503;

    /** RFC 9113: without a code of an error HTTP/2 clients take a reset for the end of the answer. */
    private static final long INTERNAL_ERROR = 2;

    private final Vertx vertx;
    private final HttpServerResponse response;
    private final End end;
    private long timer = -1;
    private @Nullable HttpClientRequest request;
    /** The other node's fate no longer matters: the client has its answer, or another way was taken. */
    private boolean settled;

    private boolean flowing;

    /** How it ends; one of both is called, once. */
    interface End {
        /** The client has all that it will get. */
        void answered();

        /** @param distrust the node may be dead */
        void notTaken(boolean distrust);
    }

    PassedStatement(Vertx vertx, HttpServerResponse response, End end) {
        this.vertx = vertx;
        this.response = response;
        this.end = end;
    }

    void begin(Future<HttpClientRequest> connecting, Buffer message) {
        timer = vertx.setTimer(TAKEN_MS_MAX, late -> notTaken(true));
        response.closeHandler(gone -> clientLeft());
        response.exceptionHandler(failure -> clientLeft());
        connecting.onComplete(connected -> {
            if (connected.failed()) {
                notTaken(true);
            } else if (settled) {
                connected.result().reset();
            } else {
                ask(connected.result(), message);
            }
        });
    }

    private void ask(HttpClientRequest asking, Buffer message) {
        request = asking;
        asking.earlyHintsHandler(taken -> vertx.cancelTimer(timer));
        asking.send(message).onComplete(answered -> {
            if (answered.failed()) {
                notTaken(true);
            } else {
                take(answered.result());
            }
        });
    }

    private void take(HttpClientResponse answer) {
        vertx.cancelTimer(timer);
        answer.exceptionHandler(brokenOff -> {}); // by us, or told to whoever reads the answer
        if (settled) {
            return;
        }
        if (answer.getHeader(SqlRoutes.SERVED_BY) == null) {
            // Not an answer to a statement: the node is starting, or knows no such call.
            notTaken(true);
        } else if (answer.statusCode() == UNAVAILABLE) {
            answer.body().onComplete(body -> {
                if (body.failed() || isOverloaded(body.result())) {
                    notTaken(false);
                } else if (!settled) {
                    finish();
                    head(answer);
                    response.end(body.result());
                }
            });
        } else {
            flow(answer);
        }
    }

    private static boolean isOverloaded(Buffer body) {
        return body.toString().contains("\"code\":\"" + ErrorCode.OVERLOADED.wireName() + "\"");
    }

    private void flow(HttpClientResponse answer) {
        flowing = true;
        head(answer);
        if (answer.getHeader("Content-Length") == null) {
            response.setChunked(true);
        }
        // A pipe that ended the answer after a failure would make a part look whole.
        answer.pipe().endOnFailure(false).to(response).onComplete(done -> {
            if (settled) {
                return;
            }
            finish();
            if (done.failed()) {
                cancel();
                response.reset(INTERNAL_ERROR);
            }
        });
    }

    private void head(HttpClientResponse answer) {
        response.setStatusCode(answer.statusCode());
        for (Map.Entry<String, String> header : answer.headers()) {
            String name = header.getKey();
            if (!name.equalsIgnoreCase("Transfer-Encoding") && !name.equalsIgnoreCase("Connection")) {
                response.putHeader(name, header.getValue());
            }
        }
    }

    private void clientLeft() {
        if (!settled) {
            finish();
            cancel();
        }
    }

    private void notTaken(boolean distrust) {
        if (settled || flowing) {
            return;
        }
        settled = true;
        vertx.cancelTimer(timer);
        cancel();
        end.notTaken(distrust);
    }

    private void finish() {
        settled = true;
        vertx.cancelTimer(timer);
        end.answered();
    }

    private void cancel() {
        HttpClientRequest asked = request;
        if (asked != null) {
            asked.reset();
        }
    }
}
