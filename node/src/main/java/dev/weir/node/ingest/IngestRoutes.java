package dev.weir.node.ingest;

import dev.weir.node.ingest.WriteRoute.Request;
import dev.weir.node.ingest.letter.LetterBox;
import dev.weir.node.ingest.letter.LetterForm;
import dev.weir.node.ingest.letter.LetterMeters;
import dev.weir.node.ingest.letter.LetterReplay;
import dev.weir.node.ingest.letter.LetterWriter;
import dev.weir.node.ingest.letter.RefusedRows;
import dev.weir.node.ingest.rows.JsonOptions;
import dev.weir.node.ingest.rows.JsonRows;
import dev.weir.node.ingest.rows.LineOptions;
import dev.weir.node.ingest.rows.LineRows;
import dev.weir.node.ingest.rows.NameCaches;
import dev.weir.node.ingest.rows.Precision;
import dev.weir.node.ingest.write.RowWriter;
import dev.weir.node.ingest.write.Workbench;
import dev.weir.node.ingest.write.WriteOrder;
import dev.weir.node.ingest.write.WriteResult;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.RefusedException;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The ingest front door: {@code /api/v1/write}, {@code /api/v2/write}, {@code /write}, {@code /api/v1/delete}, and what Influx's clients ask besides
 * ({@code /ping}, {@code /health}, {@code /query}). What each answers is in ops/docs/INGEST.md.
 *
 * <p>Handlers that run before must have let the request pass for its tenant, must not have read its body, and the server must not inflate bodies by
 * itself. {@code /ping} and {@code /health} ask for no tenant.
 */
public final class IngestRoutes {
    private static final int WORKBENCH_PLACES_MIN = 2;

    private final IngestPorts ports;
    private final IngestLimits limits;
    private final TenantOf tenantOf;
    private final NameCaches caches;
    private final WriteRoute writes;
    private final DeleteRoute deletes;
    private final InfluxRoutes influx;
    private final RowWriter writer;
    private final LetterWriter letterWriter;
    private final LetterBox letters;

    public IngestRoutes(IngestPorts ports, IngestLimits limits, TenantOf tenantOf) {
        this.ports = ports;
        this.limits = limits;
        this.tenantOf = tenantOf;
        this.caches = new NameCaches(limits.seriesCacheBytes());
        BytesBudget budget = new BytesBudget(limits.budgetBytes());
        Workbench bench = new Workbench(
                Math.max(WORKBENCH_PLACES_MIN, Runtime.getRuntime().availableProcessors()));
        IngestMeters meters = new IngestMeters(ports.meters(), budget, bench);
        this.writer = new RowWriter(ports.catalog(), ports.writes(), ports.batches(), bench);
        this.letterWriter = new LetterWriter(
                ports.catalog(), writer, caches, ports.batches().next().node());
        this.letters = new LetterBox(letterWriter, bench, limits.letters(), new LetterMeters(ports.meters()));
        this.writes =
                new WriteRoute(limits, budget, bench, new WriteRoute.Ways(writer, letters), ports.clock(), meters);
        this.deletes = new DeleteRoute(ports, budget);
        this.influx = new InfluxRoutes(ports.catalog(), tenantOf, budget, ports.checks());
    }

    public void mount(Router router) {
        post(router, "/api/v1/write", this::json);
        post(router, "/api/v2/write", exchange -> lines(exchange, false));
        post(router, "/write", exchange -> lines(exchange, true));
        post(router, "/api/v1/delete", exchange -> deletes.take(exchange, tenantOf.of(exchange.routing())));
        influx.mount(router);
    }

    /**
     * Writes rows as {@code POST /api/v1/write} would; blocks.
     *
     * @param lines NDJSON, one row a line
     * @param nowNanos time of rows that bring none
     */
    public WriteResult write(String tenant, byte[] lines, long nowNanos) throws InterruptedException {
        JsonOptions options = new JsonOptions(Precision.NANOSECONDS, true, limits.rowBytesMax(), null);
        WriteOrder order = new WriteOrder(
                tenant, () -> new JsonRows(lines, lines.length, options, caches, tenant), nowNanos, null);
        WriteResult result = writer.write(order);
        letters.keep(new RefusedRows(lines, lines.length, new LetterForm.Json(options), order, result));
        return result;
    }

    /** Writes the texts of dead letters again. */
    public LetterReplay replay() {
        return new LetterReplay(writer, caches);
    }

    /** Keeps rows that are set aside. */
    public LetterWriter letterWriter() {
        return letterWriter;
    }

    private void post(Router router, String path, Consumer<Exchange> taker) {
        router.route(HttpMethod.POST, path).handler(guarded(taker));
        router.route(path)
                .handler(routing -> BodyReceiver.ignore(
                        new Exchange(routing),
                        Answer.refusal(ErrorCode.METHOD_NOT_ALLOWED, path + " takes POST")
                                .with("Allow", "POST")));
    }

    /** Turns refusals of parameters into answers. */
    static Handler<RoutingContext> guarded(Consumer<Exchange> taker) {
        return routing -> {
            Exchange exchange = new Exchange(routing);
            try {
                taker.accept(exchange);
            } catch (RefusedException e) {
                BodyReceiver.ignore(exchange, Answer.refusal(e.refusal()));
            }
        };
    }

    private void lines(Exchange exchange, boolean firstVersion) {
        TenantOf.Caller caller = tenantOf.of(exchange.routing());
        WriteParameters.checkBucket(exchange, caller, ports.catalog().image(), firstVersion);
        LineOptions options = WriteParameters.lines(exchange, limits.rowBytesMax());
        String tenant = caller.tenant();
        writes.take(new Request(
                exchange,
                tenant,
                (body, length) -> () -> new LineRows(body, length, options, caches, tenant),
                new LetterForm.Lines(options),
                WriteParameters.idempotencyKey(exchange),
                "lines " + options.precision() + (options.dropNotANumber() ? " drop" : "")));
    }

    private void json(Exchange exchange) {
        String tenant = tenantOf.of(exchange.routing()).tenant();
        JsonOptions options = WriteParameters.json(exchange, limits.rowBytesMax());
        writes.take(new Request(
                exchange,
                tenant,
                (body, length) -> () -> new JsonRows(body, length, options, caches, tenant),
                new LetterForm.Json(options),
                WriteParameters.idempotencyKey(exchange),
                meaning(options)));
    }

    private static String meaning(JsonOptions options) {
        JsonOptions.Flat flat = options.flat();
        String shape = flat == null
                ? ""
                : flat.measurement() + '\n' + flat.timeKey() + '\n' + String.join(",", new TreeSet<>(flat.tags()));
        return "json " + options.precision() + (options.lines() ? " lines " : " ") + shape;
    }
}
