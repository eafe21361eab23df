package dev.weir.query.sql;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.query.QueryParameters;
import dev.weir.query.sql.answer.AnswerFormat;
import dev.weir.query.sql.gate.SqlRefusedException;
import dev.weir.query.sql.run.RunningQuery;
import dev.weir.query.sql.run.SqlEngine;
import dev.weir.query.sql.run.SqlRequest;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * {@code POST /api/v1/sql} and {@code GET /api/v1/sql?q=}. Requests arrive on event loops, which never block here: a statement runs on a seat of the
 * engine. A client that leaves cancels its statement.
 */
public final class SqlRoutes {
    private final SqlEngine engine;
    private final SqlCaller caller;

    public SqlRoutes(SqlEngine engine, SqlCaller caller) {
        this.engine = engine;
        this.caller = caller;
    }

    public void mount(Router router) {
        router.post("/api/v1/sql").handler(this::post);
        router.get("/api/v1/sql").handler(this::get);
    }

    private void post(RoutingContext context) {
        // JSON writes some characters with up to six bytes.
        int bodyMax = engine.config().textBytesMax() * 2 + 1024;
        new SqlBody(context.request(), bodyMax)
                .receive(text -> run(context, text, false), refused -> refuse(context.response(), refused));
    }

    private void get(RoutingContext context) {
        String text;
        try {
            text = QueryParameters.single(context.request().params(true), "q");
        } catch (RefusedException e) {
            refuse(context.response(), new SqlRefusedException(e.refusal(), 0));
            return;
        }
        if (text == null || text.isBlank()) {
            refuse(
                    context.response(),
                    SqlRefusedException.nowhere(ErrorCode.BAD_REQUEST, "q is required: the statement"));
            return;
        }
        run(context, text, true);
    }

    private void run(RoutingContext context, String text, boolean readOnly) {
        HttpServerRequest request = context.request();
        HttpServerResponse response = context.response();
        Optional<AnswerFormat> format = AnswerFormat.choose(request.getHeader("Accept"));
        if (format.isEmpty()) {
            SqlErrors.send(
                    response,
                    Refusal.of(ErrorCode.UNSUPPORTED_MEDIA, "Accept: expected one of " + AnswerFormat.OFFERED),
                    OptionalInt.empty(),
                    406);
            return;
        }
        String tenant = caller.tenant(context);
        try {
            SqlParameters parameters = SqlParameters.parse(tenant, request.params(true));
            HttpAnswer answer = new HttpAnswer(
                    response,
                    context.vertx().getOrCreateContext(),
                    format.get(),
                    parameters.answer(),
                    tenant,
                    engine.config().answerBytesMax());
            RunningQuery query = engine.submit(
                    new SqlRequest(tenant, caller.user(context), text, parameters.read(), noWrite(context, readOnly)),
                    answer);
            response.closeHandler(nothing -> query.clientLeft());
            response.exceptionHandler(failure -> query.clientLeft());
        } catch (RefusedException e) {
            refuse(response, new SqlRefusedException(e.refusal(), 0));
        } catch (SqlRefusedException e) {
            refuse(response, e);
        } catch (IllegalArgumentException e) {
            refuse(response, SqlRefusedException.nowhere(ErrorCode.BAD_REQUEST, "query: " + e.getMessage()));
        }
    }

    private Optional<Refusal> noWrite(RoutingContext context, boolean readOnly) {
        if (readOnly) {
            return Optional.of(
                    Refusal.of(ErrorCode.METHOD_NOT_ALLOWED, "GET: send statements that change something by POST"));
        }
        return caller.mayWrite(context)
                ? Optional.empty()
                : Optional.of(Refusal.of(ErrorCode.FORBIDDEN, "this token may not do that, or there is no such thing"));
    }

    private static void refuse(HttpServerResponse response, SqlRefusedException refused) {
        SqlErrors.send(response, refused.refusal(), refused.position());
    }
}
