package dev.weir.cdc;

import com.sun.management.OperatingSystemMXBean;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.feed.FeedDirectory;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /api/v1/cdc/stream}, as HTTP or as a WebSocket (see ops/docs/CDC.md). Made once a node; mounted behind the handler that authenticates.
 *
 * <p>Threading: requests arrive on event loops, which never block here; each stream has a virtual thread.
 */
public final class CdcRoutes {
    static final String ROOT = "/api/v1/cdc";
    public static final String PATH = ROOT + "/stream";
    private static final long DRAIN_MS_MAX = 4_000;

    private final FeedDirectory directory;
    private final CallerTenant caller;
    private final CdcConfig config;
    private final Lineage lineage;
    private final StartResolver resolver;
    private final CdcMetrics metrics;
    private final Subscriber.Shared shared;
    private final Histories histories;
    private final LeaseRoutes leases;
    /** Those that are open, each with whether its caller may go on. */
    private final Map<OpenStream, BooleanSupplier> subscribers = new ConcurrentHashMap<>();

    private final AdmissionWatch admission;
    private final LagWatch lag;
    private final AtomicInteger seats = new AtomicInteger();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private volatile boolean closing;

    public CdcRoutes(
            FeedDirectory directory,
            Catalog catalog,
            CallerTenant caller,
            CdcConfig config,
            HistorySource history,
            MeterRegistry registry) {
        this.directory = directory;
        this.caller = caller;
        this.config = config;
        this.metrics = new CdcMetrics(registry);
        this.lineage = new Lineage(catalog, directory, config.startTimeout());
        Runs runs = new Runs(directory, lineage, config);
        CatchUpPace pace =
                new CatchUpPace(directory, config.catchUpPercent() / 100.0, CdcRoutes::busyShare, System::nanoTime);
        int loadsMax = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
        PageCache<RunKey, EncodedPage> pages = new PageCache<>(config.pagesBytesMax(), loadsMax);
        ArrowPages arrowPages = new ArrowPages(config, catalog, loadsMax, pace);
        this.resolver = new StartResolver(directory, lineage, config.startTimeout(), Clock.systemUTC());
        this.shared = new Subscriber.Shared(
                directory,
                lineage,
                runs,
                pages,
                arrowPages,
                pace,
                new Resolving(directory),
                metrics,
                resolver::oldestCursor);
        HistoryDesk desk = new HistoryDesk(history, catalog, lineage, resolver, Clock.systemUTC());
        this.histories = new Histories(
                new HistoryStream.Parts(history, desk, catalog, directory, resolver, arrowPages, config, metrics),
                this::subscriber);
        this.lag = new LagWatch(directory, Clock.systemUTC());
        lag.start(() -> subscribers.keySet().stream().map(OpenStream::position).toList());
        this.admission = new AdmissionWatch(subscribers, metrics::revoked);
        admission.start();
        gauges(runs, pages);
        gauges(arrowPages);
        gauges(pace);
        histories.gauges(metrics);
        this.leases = new LeaseRoutes(catalog, caller, desk);
    }

    private void gauges(Runs runs, PageCache<RunKey, EncodedPage> pages) {
        metrics.gauge("weir.cdc.subscribers", "open streams", seats, AtomicInteger::get);
        metrics.gauge("weir.cdc.subscribers.limit", "cdc.subscribers", config, CdcConfig::subscribersMax);
        metrics.gauge("weir.cdc.runs", "filters with live subscribers", runs, Runs::size);
        metrics.gauge("weir.cdc.ring.bytes", "frames kept for live subscribers", runs, Runs::ringsBytes);
        metrics.gauge("weir.cdc.ring.limit.bytes", "cdc.ring-bytes-max", config, CdcConfig::ringsBytesMax);
        metrics.gauge("weir.cdc.page.bytes", "encoded pages kept for streams that read back", pages, PageCache::bytes);
        metrics.gauge("weir.cdc.page.limit.bytes", "fixed, no key", config, CdcConfig::pagesBytesMax);
        metrics.gauge("weir.cdc.pending.bytes", "handed to sockets and not yet written", this, CdcRoutes::pendingBytes);
        metrics.gauge(
                "weir.cdc.pending.stream.limit.bytes",
                "cdc.subscriber-bytes-max, of one stream",
                config,
                CdcConfig::subscriberBytesMax);
        metrics.gauge("weir.cdc.lag.events", "events that the slowest stream is behind", this, CdcRoutes::lagEvents);
        metrics.gauge(
                "weir.cdc.lag.seconds",
                "age of the oldest event that some stream has not taken",
                lag,
                LagWatch::seconds);
        metrics.gauge(
                "weir.cdc.queue.events",
                "events that wait for streams in at-most-once mode, those beyond a stream's bound included until it reads on",
                this,
                CdcRoutes::queueEvents);
    }

    private void gauges(ArrowPages pages) {
        metrics.gauge("weir.cdc.arrow.page.bytes", "record batches kept for streams", pages, ArrowPages::cachedBytes);
        metrics.gauge(
                "weir.cdc.arrow.page.limit.bytes", "cdc.arrow-pages-bytes-max", config, CdcConfig::arrowPagesBytesMax);
        metrics.gauge(
                "weir.cdc.arrow.memory.bytes",
                "off the heap, for batches in the making",
                pages,
                ArrowPages::memoryBytes);
        metrics.gauge(
                "weir.cdc.arrow.memory.limit.bytes",
                "fixed; a batch that needs more ends its streams",
                config,
                any -> CdcConfig.ARROW_MEMORY_MAX);
    }

    private void gauges(CatchUpPace pace) {
        metrics.gauge(
                "weir.cdc.catch.up.share",
                "of one processor, that pages for streams which are behind may take now; 0 for no limit",
                pace,
                CatchUpPace::share);
        metrics.total(
                "weir.cdc.catch.up.waited",
                "seconds",
                "that streams which are behind have waited for writers",
                pace,
                CatchUpPace::waitedSeconds);
    }

    private static double busyShare() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getCpuLoad();
    }

    /** What the server that {@link #mount} is for has to be able to do. */
    public static HttpServerOptions prepare(HttpServerOptions options) {
        return WebSocketUpgrade.prepare(options);
    }

    public void mount(Router router) {
        router.get(PATH).handler(this::stream);
        router.head(PATH).handler(this::stream);
        leases.mount(router);
    }

    /** As {@link #close(Duration)}, all at once. */
    public CompletionStage<Void> close() {
        return close(Duration.ZERO);
    }

    /**
     * Ends all streams gracefully (a checkpoint, then the end) and refuses new ones; completes when the last bytes of all are out, or 4 s after the last was
     * ended: who takes none then is cut off by the end of the node.
     *
     * @param spread over how much time their ends are spread, at most
     */
    public CompletionStage<Void> close(Duration spread) {
        closing = true;
        lag.close();
        admission.close();
        Thread.ofVirtual().name("cdc-stop").start(StopWaves.of(subscribers.keySet(), spread)::run);
        if (seats.get() == 0) {
            drained.complete(null);
        }
        return drained.completeOnTimeout(null, spread.toMillis() + DRAIN_MS_MAX, TimeUnit.MILLISECONDS);
    }

    /** What is wrong with parameters that a stream is to be bound to later; empty where it can be opened with them. */
    public Optional<Refusal> fault(String tenant, String query) {
        try {
            MultiMap parameters = BoundParameters.forTicket(query);
            StreamRequestParser.parse(tenant, StreamRequestParser.formatOf(parameters), parameters, null);
            return Optional.empty();
        } catch (RequestRefused e) {
            return Optional.of(e.refusal());
        } catch (IllegalArgumentException e) {
            return Optional.of(Refusal.of(ErrorCode.BAD_REQUEST, "query: " + e.getMessage()));
        }
    }

    private void stream(RoutingContext request) {
        StreamRequest asked;
        try {
            asked = StreamRequestParser.parse(
                    caller.of(request),
                    WebSocketUpgrade.format(request.request()),
                    parameters(request),
                    request.request().getHeader("Last-Event-ID"));
        } catch (RequestRefused e) {
            refuse(request, e);
            return;
        } catch (IllegalArgumentException e) {
            refuse(request, RequestRefused.of(ErrorCode.BAD_REQUEST, "query: " + e.getMessage()));
            return;
        }
        begin(request, asked, StreamWatch.NONE);
    }

    /** Serves a stream, also one that another route was asked for. On the request's event loop. */
    void begin(RoutingContext request, StreamRequest asked, StreamWatch watch) {
        WebSocketUpgrade.hold(request.request());
        begin(new HttpAnswer(request, asked, watch, request.vertx().getOrCreateContext()), asked, watch);
    }

    /** Serves a stream that was asked for by any carrier. Any thread; the stream has one of its own. */
    void begin(StreamAnswer answer, StreamRequest asked, StreamWatch watch) {
        try {
            checkSeats();
        } catch (RequestRefused e) {
            watch.finished();
            answer.refuse(e);
            return;
        }
        seats.incrementAndGet();
        Thread.ofVirtual().name("cdc-subscriber").start(() -> serve(answer, asked, watch));
    }

    /** A request that came over HTTP, on its way to become a stream. */
    private final class HttpAnswer implements StreamAnswer {
        private final RoutingContext request;
        private final StreamRequest asked;
        private final StreamWatch watch;
        private final Context context;
        private final BooleanSupplier admission;

        HttpAnswer(RoutingContext request, StreamRequest asked, StreamWatch watch, Context context) {
            this.request = request;
            this.asked = asked;
            this.watch = watch;
            this.context = context;
            this.admission = caller.admission(request);
        }

        @Override
        public boolean isAdmitted() {
            return admission.getAsBoolean();
        }

        @Override
        public boolean isHead() {
            return request.request().method().equals(HttpMethod.HEAD);
        }

        @Override
        public StreamSink open(@Nullable String cursor, Signal signal) {
            context.runOnContext(nothing -> watch.headers().forEach(request.response()::putHeader));
            return opened(request, asked, cursor, context, signal);
        }

        @Override
        public void refuse(RequestRefused refused) {
            context.runOnContext(nothing -> CdcRoutes.this.refuse(request, refused));
        }
    }

    StartResolver resolver() {
        return resolver;
    }

    LagReader lagReader(HistoryLimits limits) {
        return new LagReader(directory, lineage, limits, Clock.systemUTC());
    }

    Lineage lineage() {
        return lineage;
    }

    CdcConfig config() {
        return config;
    }

    CdcMetrics metrics() {
        return metrics;
    }

    AckCheck ackCheck() {
        return new AckCheck(directory, lineage, config.startTimeout());
    }

    private MultiMap parameters(RoutingContext request) {
        MultiMap address = request.request().params(true);
        return caller.boundQuery(request)
                .map(query -> BoundParameters.of(query, address))
                .orElse(address);
    }

    /** Any thread. {@link #begin} looks again. */
    void checkSeats() {
        if (closing) {
            throw RequestRefused.of(ErrorCode.STARTING, "the node is stopping");
        }
        if (seats.get() >= config.subscribersMax()) {
            throw RequestRefused.of(
                    ErrorCode.OVERLOADED,
                    "cdc.subscribers: " + config.subscribersMax() + " streams are open on this node");
        }
    }

    /** The stream's thread, from the request to the end. Its seat is free when the last byte of the answer is out. */
    private void serve(StreamAnswer answer, StreamRequest asked, StreamWatch watch) {
        AtomicReference<CompletionStage<Void>> answered =
                new AtomicReference<>(CompletableFuture.completedFuture(null));
        try {
            Position start = startInLog(asked);
            if (start == null && !answer.isHead()) {
                histories.serve(
                        asked,
                        (cursor, signal) -> {
                            StreamSink sink = answer.open(cursor, signal);
                            answered.set(sink.done());
                            return sink;
                        },
                        stream -> serve(stream, answer, watch));
                return;
            }
            Signal signal = new Signal();
            String cursor =
                    start == null ? null : start.encode(asked.key().filter().tenant());
            StreamSink sink = answer.open(cursor, signal);
            if (answer.isHead() || start == null) {
                sink.end();
                answered.set(sink.done());
                return;
            }
            OpenStream stream = subscriber(asked, start, sink, signal);
            answered.set(sink.done());
            serve(stream, answer, watch);
        } catch (RequestRefused e) {
            answer.refuse(e);
        } catch (RuntimeException | Error e) {
            answer.refuse(RequestRefused.of(ErrorCode.INTERNAL, "the stream failed: " + e));
            throw e;
        } finally {
            Objects.requireNonNull(answered.get()).thenRun(() -> leaveSeat(watch));
        }
    }

    private void leaveSeat(StreamWatch watch) {
        try {
            watch.finished();
        } finally {
            if (seats.decrementAndGet() == 0 && closing) {
                drained.complete(null);
            }
        }
    }

    /** Null where the stream begins with history. */
    private @Nullable Position startInLog(StreamRequest asked) {
        if (asked.start() instanceof Start.Backfill backfill) {
            return resolver.resolveInLog(asked.key().filter(), backfill).orElse(null);
        }
        return asked.start().isHistory() ? null : resolver.resolve(asked);
    }

    private OpenStream subscriber(StreamRequest asked, Position start, StreamSink sink, Signal signal) {
        if (asked.arrow().isEmpty()) {
            return new Subscriber(asked, start, config, shared, sink, signal);
        }
        return new ArrowSubscriber(asked, asked.arrow().get(), start, config, shared, sink, signal);
    }

    private void serve(OpenStream subscriber, StreamAnswer answer, StreamWatch watch) {
        subscribers.put(subscriber, answer::isAdmitted);
        watch.opened(subscriber);
        try {
            if (closing) {
                subscriber.stop();
            }
            subscriber.run();
        } finally {
            subscribers.remove(subscriber);
            watch.ended(subscriber);
        }
    }

    private StreamSink opened(
            RoutingContext request, StreamRequest asked, @Nullable String cursor, Context context, Signal signal) {
        // A client that has left while the start was sought is not heard of again.
        CompletableFuture<StreamSink> opened = new CompletableFuture<StreamSink>()
                .orTimeout(config.startTimeout().toMillis(), TimeUnit.MILLISECONDS);
        if (!WebSocketUpgrade.isAsked(request.request())) {
            onLoop(context, opened, () -> open(request, asked, cursor, context, signal, opened));
            return opened.join();
        }
        onLoop(context, opened, () -> upgrade(request, asked, cursor, context, signal, opened));
        try {
            return opened.join();
        } catch (CompletionException e) {
            throw RequestRefused.of(ErrorCode.BAD_REQUEST, "Upgrade: websocket: the handshake failed: " + e.getCause());
        }
    }

    /** An opening that throws, or is not wanted any more when its turn comes, keeps nobody waiting. */
    private static void onLoop(Context context, CompletableFuture<StreamSink> opened, Runnable opening) {
        context.runOnContext(nothing -> {
            if (opened.isDone()) {
                return;
            }
            try {
                opening.run();
            } catch (RuntimeException | Error e) {
                opened.completeExceptionally(e);
            }
        });
    }

    /** On the event loop: headers and the first bytes; those of an Arrow stream, its schema, its subscriber sends at once. */
    private void open(
            RoutingContext request,
            StreamRequest asked,
            @Nullable String cursor,
            Context context,
            Signal signal,
            CompletableFuture<StreamSink> opened) {
        HttpServerResponse response = request.response();
        ResponseSink sink = new ResponseSink(context, response, config.subscriberBytesMax(), signal::raise);
        if (sink.isOpen()) {
            StreamFormat format = asked.arrow().isPresent() ? StreamFormat.ARROW : StreamFormat.SSE;
            response.putHeader("Content-Type", format.contentType())
                    .putHeader("Cache-Control", "no-cache, no-transform")
                    .putHeader("X-Accel-Buffering", "no");
            putHeaders(response, asked, cursor);
            if (!request.request().method().equals(HttpMethod.HEAD)) {
                response.setChunked(true);
                if (asked.arrow().isEmpty()) {
                    sink.send(SseText.opening(retryMs()));
                }
            }
        }
        if (!opened.complete(sink)) {
            sink.cut();
        }
    }

    private static void putHeaders(HttpServerResponse response, StreamRequest asked, @Nullable String cursor) {
        if (asked.delivery().mode() == DeliveryMode.EXACTLY_ONCE) {
            response.putHeader("Weir-Dedup", "partition,seq");
        }
        if (cursor != null) {
            response.putHeader("Weir-Cursor", cursor);
        }
    }

    /** On the event loop: the handshake and the first message; a refused one has no stream. */
    private void upgrade(
            RoutingContext request,
            StreamRequest asked,
            @Nullable String cursor,
            Context context,
            Signal signal,
            CompletableFuture<StreamSink> opened) {
        boolean isText = asked.arrow().isEmpty();
        putHeaders(request.response(), asked, cursor);
        String generation = request.response().headers().get(StreamWatch.GENERATION);
        request.request().toWebSocket().onComplete(done -> {
            if (done.failed()) {
                opened.completeExceptionally(done.cause());
                return;
            }
            WebSocketSink sink = new WebSocketSink(
                    context,
                    done.result(),
                    request.request().connection(),
                    isText,
                    config.subscriberBytesMax(),
                    signal::raise);
            if (isText) {
                String opening = JsonMessages.opening(cursor, generation, retryMs());
                sink.send(List.of(opening), opening.length());
            }
            if (!opened.complete(sink)) {
                sink.cut();
            }
        });
    }

    /** Each client its own delay, so that they do not all come back at once. */
    private long retryMs() {
        long middle = config.retry().toMillis();
        return middle / 2 + ThreadLocalRandom.current().nextLong(middle + 1);
    }

    /** Of a stream, also one that another route was asked for. On the request's event loop. */
    void refuse(RoutingContext request, RequestRefused refused) {
        metrics.refused();
        if (!request.request().isEnded()) {
            request.request().resume();
        }
        RefusalAnswer.send(request.response(), refused);
    }

    private double pendingBytes() {
        return subscribers.keySet().stream().mapToLong(OpenStream::pendingBytes).sum();
    }

    private double lagEvents() {
        return subscribers.keySet().stream()
                .mapToLong(subscriber -> lag(subscriber.position()))
                .max()
                .orElse(0);
    }

    private double queueEvents() {
        return subscribers.keySet().stream()
                .filter(OpenStream::drops)
                .mapToLong(subscriber -> lag(subscriber.position()))
                .sum();
    }

    private long lag(Position position) {
        long lag = 0;
        for (int i = 0; i < position.size(); i++) {
            long applied = directory
                    .feed(position.partitionAt(i))
                    .map(PartitionFeed::nextSeq)
                    .orElse(0L);
            lag += Math.max(0, applied - position.nextAt(i));
        }
        return lag;
    }
}
