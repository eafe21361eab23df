package dev.weir.cdc;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.SubscriptionRecord;
import dev.weir.partition.model.ErrorCode;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /api/v1/cdc/subscriptions} (see ops/docs/CDC.md). Made once a node; mounted behind the handler that authenticates.
 *
 * <p>Threading: requests arrive on event loops, which never block here; what blocks runs on virtual threads.
 */
public final class SubscriptionRoutes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SubscriptionRoutes.class);
    private static final String ALL = CdcRoutes.ROOT + "/subscriptions";
    private static final String ONE = ALL + "/:name";

    private final CdcRoutes streams;
    private final Catalog catalog;
    private final CallerTenant caller;
    private final SubscriptionDesk desk;
    private final LagReader lags;
    private final SubscriptionMeters meters;
    private final SubscriptionStreams open = new SubscriptionStreams();
    private final MemberStreams members;
    private final GroupKeeper groups;
    private final AutoCloseable registration;

    /**
     * @param node this node's id
     * @param coordinates whether this node looks after groups, and measures all subscriptions for its metrics: one of the cluster does
     */
    public SubscriptionRoutes(
            String node,
            CdcRoutes streams,
            Catalog catalog,
            CallerTenant caller,
            BooleanSupplier coordinates,
            SubscriptionConfig config,
            MeterRegistry registry) {
        this.streams = streams;
        this.catalog = catalog;
        this.caller = caller;
        Clock clock = Clock.systemUTC();
        CursorCommits commits = new CursorCommits(catalog, config, clock);
        this.desk = new SubscriptionDesk(catalog, streams.resolver(), streams.ackCheck(), commits, config, clock);
        this.lags = streams.lagReader(config.history());
        this.meters = new SubscriptionMeters(catalog, lags, coordinates, registry);
        meters.start();
        this.members = new MemberStreams(node, catalog, streams.lineage(), config);
        members.start();
        this.groups =
                new GroupKeeper(catalog, streams.lineage(), config.memberTimeout(), coordinates, System::nanoTime);
        groups.start();
        this.registration = catalog.onChange(image -> {
            open.check(image);
            members.check(image);
        });
        Gauge.builder("weir.cdc.subscription.member.streams", members, MemberStreams::size)
                .description("streams of members of groups, those included that wait for an earlier one to end")
                .register(registry);
        Gauge.builder("weir.cdc.subscription.ends.waiting", members, MemberStreams::endsWaiting)
                .description("words that streams of members have ended, said in the catalog and not answered")
                .register(registry);
        Gauge.builder("weir.cdc.subscription.ends.limit", () -> MemberEnds.OF_OTHERS_MAX)
                .description(
                        "fixed; with so many waiting, nothing is said of streams of an earlier process of this node")
                .register(registry);
        Gauge.builder("weir.cdc.subscription.streams", open, SubscriptionStreams::size)
                .description("open streams of named subscriptions")
                .register(registry);
        Gauge.builder("weir.cdc.subscription.acks.waiting", commits, CursorCommits::waiting)
                .description("acknowledgements that wait to be committed")
                .register(registry);
        Gauge.builder("weir.cdc.subscription.acks.limit", config, SubscriptionConfig::waitingMax)
                .description("fixed; beyond, acknowledgements get 503")
                .register(registry);
        Gauge.builder("weir.cdc.subscription.members.limit", config, SubscriptionConfig::membersMax)
                .description("fixed; members of one group")
                .register(registry);
        Gauge.builder("weir.cdc.subscription.tenant.limit", config, SubscriptionConfig::perTenantMax)
                .description("limits.subscriptions-per-tenant")
                .register(registry);
    }

    public void mount(Router router) {
        router.get(ALL).handler(request -> answer(request, 200, () -> list(caller.of(request))));
        router.put(ONE).handler(this::put);
        router.get(ONE)
                .handler(request -> answer(request, 200, () -> view(desk.find(caller.of(request), name(request)))));
        router.delete(ONE)
                .handler(request -> answer(request, 204, () -> {
                    desk.delete(caller.of(request), name(request));
                    return null;
                }));
        router.get(ONE + "/stream").handler(this::stream);
        router.head(ONE + "/stream").handler(this::stream);
        router.post(ONE + "/ack").handler(this::ack);
        router.post(ONE + "/seek")
                .handler(request -> withBody(
                        request,
                        body -> answer(request, 200, () -> {
                            String to = text(body, "to", "earliest, latest, an RFC 3339 time or a cursor");
                            return view(desk.seek(caller.of(request), name(request), to));
                        })));
    }

    /** As happens every 15 s. */
    void measure() {
        meters.measure();
    }

    private JsonObject list(String tenant) {
        JsonArray all = new JsonArray();
        desk.all(tenant).values().forEach(each -> all.add(view(each)));
        return new JsonObject().put("subscriptions", all);
    }

    private JsonObject view(SubscriptionRecord subscription) {
        return SubscriptionJson.of(subscription, lags.lag(subscription));
    }

    private void put(RoutingContext request) {
        withBody(request, body -> {
            SubscriptionWish wish = typed(() -> SubscriptionWish.read(body));
            Context context = request.vertx().getOrCreateContext();
            blocking(request, context, () -> {
                SubscriptionDesk.Put put = desk.put(caller.of(request), name(request), wish);
                JsonObject json = view(put.subscription());
                context.runOnContext(nothing -> send(request, put.made() ? 201 : 200, json));
            });
        });
    }

    private void ack(RoutingContext request) {
        withBody(request, body -> {
            String cursor = text(body, "cursor", "the id of an event or a checkpoint");
            Long generation = typed(() -> body.getLong("generation"));
            String member = typed(() -> body.getString("member", ""));
            if (!member.isEmpty() && generation == null) {
                throw RequestRefused.of(
                        ErrorCode.BAD_REQUEST,
                        "generation: a member has to say it, expected the header Weir-Generation of its stream");
            }
            Context context = request.vertx().getOrCreateContext();
            blocking(
                    request,
                    context,
                    () -> desk.ack(caller.of(request), name(request), member, cursor, generation)
                            .whenComplete((nothing, failure) -> context.runOnContext(go -> {
                                if (failure == null) {
                                    send(request, 204, null);
                                } else {
                                    fail(request, failure);
                                }
                            })));
        });
    }

    /** The stream at what is acknowledged; {@code Last-Event-ID} has no say, so that a client which comes back gets again what it did not acknowledge. */
    private void stream(RoutingContext request) {
        WebSocketUpgrade.hold(request.request());
        Context context = request.vertx().getOrCreateContext();
        Consumer<Throwable> failed = failure -> streams.refuse(request, refusal(request, failure));
        blocking(context, failed, () -> {
            SubscriptionRecord subscription = desk.find(caller.of(request), name(request));
            MultiMap given = MultiMap.caseInsensitiveMultiMap().addAll(asked(request));
            String member = given.get("member") == null ? "" : given.get("member");
            SubscriptionDesk.checkReader(subscription, member);
            StreamRequest asked = StreamRequestParser.parse(
                    subscription.tenant(),
                    WebSocketUpgrade.format(request.request()),
                    parameters(subscription, given.remove("member")),
                    null);
            if (member.isEmpty()) {
                StreamWatch watch = open.watch(subscription, () -> open.check(catalog.image()));
                context.runOnContext(nothing -> streams.begin(request, asked, watch));
                return;
            }
            MemberStreams.checkName(member);
            if (request.request().method().equals(HttpMethod.HEAD)) {
                // Joining would end the stream that the member has.
                context.runOnContext(nothing -> streams.begin(request, asked, StreamWatch.NONE));
                return;
            }
            streams.checkSeats();
            MemberStreams.Granted granted = members.join(subscription, member, asked);
            context.runOnContext(nothing -> streams.begin(request, granted.request(), granted.watch()));
        });
    }

    private static MultiMap asked(RoutingContext request) {
        try {
            return request.request().params(true);
        } catch (IllegalArgumentException e) {
            throw RequestRefused.of(ErrorCode.BAD_REQUEST, "query: " + e.getMessage());
        }
    }

    private static MultiMap parameters(SubscriptionRecord subscription, MultiMap asked) {
        MultiMap parameters = SubscriptionWish.parameters(subscription.filter());
        for (Map.Entry<String, String> each : asked) {
            String name = each.getKey();
            if (SubscriptionWish.isFilter(name) || name.equals("from") || name.equals("last_event_id")) {
                throw RequestRefused.of(
                        ErrorCode.BAD_REQUEST,
                        "parameter " + name
                                + ": the subscription says what it carries and where it begins; a seek moves it");
            }
            parameters.add(name, each.getValue());
        }
        return parameters.add("from", subscription.cursor().encode(subscription.tenant()));
    }

    private static String name(RoutingContext request) {
        return request.pathParam("name");
    }

    private static String text(JsonObject body, String member, String expected) {
        Object value = body.getValue(member);
        if (!(value instanceof String text) || text.isBlank()) {
            throw RequestRefused.of(ErrorCode.BAD_REQUEST, member + ": expected " + expected + ", found " + value);
        }
        return text;
    }

    /** What reads a member of the body; Vert.x casts it to the type that is expected. */
    private static <T extends @Nullable Object> T typed(Supplier<T> reader) {
        try {
            return reader.get();
        } catch (ClassCastException e) {
            throw RequestRefused.of(
                    ErrorCode.BAD_REQUEST, "a member of the JSON body has the wrong type: " + e.getMessage());
        }
    }

    private void withBody(RoutingContext request, Consumer<JsonObject> then) {
        CompletableFuture<JsonObject> body = SmallBody.read(request.request());
        body.thenAccept(then).whenComplete((nothing, failure) -> {
            if (failure != null) {
                fail(request, failure);
            }
        });
    }

    private void answer(RoutingContext request, int status, Supplier<@Nullable JsonObject> work) {
        Context context = request.vertx().getOrCreateContext();
        blocking(request, context, () -> {
            JsonObject json = work.get();
            context.runOnContext(nothing -> send(request, status, json));
        });
    }

    private static void blocking(RoutingContext request, Context context, Runnable work) {
        blocking(context, failure -> fail(request, failure), work);
    }

    /** @param failed told on the event loop */
    private static void blocking(Context context, Consumer<Throwable> failed, Runnable work) {
        Thread.ofVirtual().name("cdc-subscription").start(() -> {
            try {
                work.run();
            } catch (RuntimeException e) {
                context.runOnContext(nothing -> failed.accept(e));
            }
        });
    }

    private static void send(RoutingContext request, int status, @Nullable JsonObject json) {
        if (request.response().closed() || request.response().headWritten()) {
            return;
        }
        request.response().setStatusCode(status);
        if (json == null) {
            request.response().end();
        } else {
            request.response().putHeader("Content-Type", "application/json").end(json.encode() + "\n");
        }
    }

    private static void fail(RoutingContext request, Throwable failure) {
        RefusalAnswer.send(request.response(), refusal(request, failure));
    }

    private static RequestRefused refusal(RoutingContext request, Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        RequestRefused refused = SubscriptionDesk.refusal(cause);
        if (refused.refusal().code() == ErrorCode.INTERNAL) {
            LOG.warn("request {} {} failed", request.request().method(), request.normalizedPath(), cause);
        }
        return refused;
    }

    @Override
    public void close() throws Exception {
        members.close();
        groups.close();
        meters.close();
        registration.close();
    }
}
