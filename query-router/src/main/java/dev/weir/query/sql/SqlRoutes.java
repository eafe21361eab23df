package dev.weir.query.sql;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.query.QueryParameters;
import dev.weir.query.sql.answer.AnswerFormat;
import dev.weir.query.sql.gate.SqlRefusedException;
import dev.weir.query.sql.route.RoutedStatement;
import dev.weir.query.sql.route.StatementRouter;
import dev.weir.query.sql.run.RunningQuery;
import dev.weir.query.sql.run.SqlEngine;
import dev.weir.query.sql.run.SqlRequest;
import dev.weir.query.sql.statement.StatementParser;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * {@code POST /api/v1/sql} and {@code GET /api/v1/sql?q=}. Requests arrive on event loops, which never block here: a statement runs on a seat of the
 * engine. A client that leaves cancels its statement. What only reads may be answered by another node, see {@link StatementRouter}.
 */
public final class SqlRoutes {
    /** The node that answered. */
    public static final String SERVED_BY = "Weir-Served-By";

    private final SqlEngine engine;
    private final SqlCaller caller;
    private final StatementRouter router;

    public SqlRoutes(SqlEngine engine, SqlCaller caller, StatementRouter router) {
        this.engine = engine;
        this.caller = caller;
        this.router = router;
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
        String accept = request.getHeader("Accept");
        RoutedStatement statement = new RoutedStatement(
                caller.tenant(context),
                caller.user(context),
                text,
                accept == null ? "" : accept,
                SqlParameters.passedOn(request.params(true)));
        Optional<String> target = StatementParser.isOurs(text) ? Optional.empty() : router.target(statement.tenant());
        Runnable here = () -> answer(context, statement, noWrite(context, readOnly));
        if (target.isPresent()) {
            router.send(target.get(), statement, response, here);
        } else {
            here.run();
        }
    }

    /** Answers here what another node got: statements are given on once at most. To be called on the event loop. */
    public void answerRouted(RoutingContext context, RoutedStatement statement) {
        // The other node waits for a word that the statement was taken, however long its answer takes.
        context.response().writeEarlyHints(HttpHeaders.headers());
        answer(
                context,
                statement,
                Optional.of(
                        Refusal.of(ErrorCode.METHOD_NOT_ALLOWED, "statements that change something are not routed")));
    }

    private void answer(RoutingContext context, RoutedStatement statement, Optional<Refusal> noWrite) {
        HttpServerResponse response = context.response();
        response.putHeader(SERVED_BY, engine.node());
        Optional<AnswerFormat> format = AnswerFormat.choose(statement.accept().isEmpty() ? null : statement.accept());
        if (format.isEmpty()) {
            SqlErrors.send(
                    response,
                    Refusal.of(ErrorCode.UNSUPPORTED_MEDIA, "Accept: expected one of " + AnswerFormat.OFFERED),
                    OptionalInt.empty(),
                    406);
            return;
        }
        String tenant = statement.tenant();
        try {
            SqlParameters parameters = SqlParameters.parse(tenant, SqlParameters.of(statement.parameters()));
            HttpAnswer answer = new HttpAnswer(
                    response,
                    context.vertx().getOrCreateContext(),
                    format.get(),
                    parameters.answer(),
                    tenant,
                    engine.config().answerBytesMax());
            RunningQuery query = engine.submit(
                    new SqlRequest(tenant, statement.user(), statement.text(), parameters.read(), noWrite), answer);
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
