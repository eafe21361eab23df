package dev.weir.query;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.read.PartitionReads;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * {@code GET /api/v1/latest} and {@code GET /api/v1/series}. Answer as {@code /api/v1/sql} will: {@code columns}, {@code rows}, {@code row_count};
 * or NDJSON or CSV by {@code Accept}. The header {@code Weir-Read} carries the cut as a cursor.
 *
 * <p>Threading: requests arrive on event loops, which never block here; each read has a virtual thread, at most {@code read.concurrent-max}.
 */
public final class ReadRoutes {
    private static final String OFFERED = "application/json, application/x-ndjson, text/csv";

    private final CallerTenant caller;
    private final TableReader reader;
    private final ReadConfig config;
    private final Semaphore seats;

    public ReadRoutes(Catalog catalog, PartitionReads reads, CallerTenant caller, ReadConfig config) {
        this.caller = caller;
        this.reader = new TableReader(catalog, reads, config);
        this.config = config;
        this.seats = new Semaphore(config.concurrentMax());
    }

    public void mount(Router router) {
        router.get("/api/v1/latest").handler(request -> read(request, TableReader.Kind.LATEST));
        router.get("/api/v1/series").handler(request -> read(request, TableReader.Kind.SERIES));
    }

    private void read(RoutingContext request, TableReader.Kind kind) {
        HttpServerResponse response = request.response();
        Optional<RowFormat> format = RowFormat.choose(request.request().getHeader("Accept"));
        if (format.isEmpty()) {
            refuse(response, Refusal.of(ErrorCode.UNSUPPORTED_MEDIA, "Accept: expected one of " + OFFERED), 406);
            return;
        }
        ReadRequest asked;
        try {
            asked = ReadRequest.parse(caller.of(request), request.request().params(true));
        } catch (RefusedException e) {
            refuse(response, e.refusal());
            return;
        } catch (IllegalArgumentException e) {
            refuse(response, Refusal.of(ErrorCode.BAD_REQUEST, "query: " + e.getMessage()));
            return;
        }
        if (!seats.tryAcquire()) {
            refuse(
                    response,
                    Refusal.of(
                            ErrorCode.OVERLOADED,
                            "read.concurrent-max: " + config.concurrentMax() + " reads are running"));
            return;
        }
        Context context = request.vertx().getOrCreateContext();
        Thread.ofVirtual().name("read").start(() -> answer(response, context, kind, asked, format.get()));
    }

    /** The read's thread. */
    private void answer(
            HttpServerResponse response, Context context, TableReader.Kind kind, ReadRequest asked, RowFormat format) {
        try {
            Table table = reader.read(kind, asked);
            Buffer body = new TableWriter(table, asked.int64AsString()).write(format);
            String cut = table.cut().encode(asked.tenant());
            context.runOnContext(nothing -> {
                if (!response.closed()) {
                    response.putHeader("Content-Type", format.contentType())
                            .putHeader("Weir-Read", cut)
                            .end(body);
                }
            });
        } catch (RefusedException e) {
            context.runOnContext(nothing -> refuse(response, e.refusal()));
        } catch (RuntimeException | Error e) {
            context.runOnContext(nothing -> refuse(response, Refusal.of(ErrorCode.INTERNAL, "the read failed: " + e)));
            throw e;
        } finally {
            seats.release();
        }
    }

    private static void refuse(HttpServerResponse response, Refusal refusal) {
        refuse(response, refusal, refusal.code().status());
    }

    private static void refuse(HttpServerResponse response, Refusal refusal, int status) {
        if (response.closed() || response.ended()) {
            return;
        }
        if (refusal.retryAfterMs() > 0) {
            response.putHeader("Retry-After", Long.toString((refusal.retryAfterMs() + 999) / 1000));
        }
        String message = new String(JsonStringEncoder.getInstance().quoteAsString(refusal.message()));
        response.setStatusCode(status)
                .putHeader("Content-Type", "application/json")
                .end("{\"error\":\"" + message + "\",\"code\":\""
                        + refusal.code().wireName() + "\"}\n");
    }
}
