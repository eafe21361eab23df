package dev.weir.cdc;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.SubscriptionRecord;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The meters {@code weir_cdc_subscription_*} of each subscription, measured on one node of the cluster, the one that leads the catalog; so sums over nodes
 * are right. A thread of its own measures.
 */
final class SubscriptionMeters implements AutoCloseable {
    /** Of how many subscriptions each has meters of its own; the number by state counts all that were measured. */
    static final int SUBSCRIPTIONS_MAX = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(SubscriptionMeters.class);
    private static final Duration PERIOD = Duration.ofSeconds(15);

    private final Catalog catalog;
    private final LagReader lags;
    private final BooleanSupplier measures;
    private final MultiGauge events;
    private final MultiGauge bytes;
    private final MultiGauge seconds;
    private final MultiGauge secondsToRetention;
    private final MultiGauge states;
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().name("cdc-subscription-meters").factory());

    private record Measured(SubscriptionRecord subscription, SubscriptionLag lag) {}

    SubscriptionMeters(Catalog catalog, LagReader lags, BooleanSupplier measures, MeterRegistry registry) {
        this.catalog = catalog;
        this.lags = lags;
        this.measures = measures;
        events = gauge(registry, "lag.events", "events that are not acknowledged");
        bytes = gauge(registry, "lag.bytes", "log that holds events which are not acknowledged");
        seconds = gauge(registry, "lag.seconds", "since the oldest event that is not acknowledged");
        secondsToRetention =
                gauge(registry, "seconds.to.retention", "until the log may no longer reach back to it; an estimate");
        states = gauge(registry, "count", "subscriptions, by state");
    }

    private static MultiGauge gauge(MeterRegistry registry, String name, String words) {
        return MultiGauge.builder("weir.cdc.subscription." + name)
                .description(words)
                .register(registry);
    }

    void start() {
        worker.scheduleWithFixedDelay(this::measureSafely, 1, PERIOD.toSeconds(), TimeUnit.SECONDS);
    }

    private void measureSafely() {
        try {
            measure();
        } catch (RuntimeException e) {
            // The next round measures again; what was measured last stays until then.
            LOG.warn("subscriptions can't be measured: {}", e.toString());
        }
    }

    void measure() {
        List<Measured> all = new ArrayList<>();
        if (measures.getAsBoolean()) {
            catalog.image()
                    .allSubscriptions()
                    .limit(SUBSCRIPTIONS_MAX)
                    .forEach(each -> all.add(new Measured(each, lags.lag(each))));
        }
        show(events, all, lag -> lag.events());
        show(bytes, all, lag -> lag.bytes());
        show(seconds, all, SubscriptionLag::seconds);
        show(
                secondsToRetention,
                all,
                lag -> lag.secondsToRetention().isEmpty()
                        ? Double.POSITIVE_INFINITY
                        : lag.secondsToRetention().getAsLong());
        count(all);
    }

    private static void show(MultiGauge gauge, List<Measured> all, ToDoubleFunction<SubscriptionLag> value) {
        gauge.register(
                all.stream()
                        .map(each -> MultiGauge.Row.of(
                                Tags.of(
                                        "tenant",
                                        each.subscription().tenant(),
                                        "subscription",
                                        each.subscription().name()),
                                value.applyAsDouble(each.lag())))
                        .toList(),
                true);
    }

    private void count(List<Measured> all) {
        Map<SubscriptionState, Integer> counts = new EnumMap<>(SubscriptionState.class);
        for (SubscriptionState state : SubscriptionState.values()) {
            counts.put(state, 0);
        }
        all.forEach(each -> counts.merge(each.lag().state(), 1, Integer::sum));
        states.register(
                counts.entrySet().stream()
                        .map(each ->
                                MultiGauge.Row.of(Tags.of("state", each.getKey().word()), each.getValue()))
                        .toList(),
                true);
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }
}
