package dev.weir.cdc;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.SubscriptionRecord;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coordinates groups, on the node that leads the catalog: gives up members and nodes that are not there, and says which partitions may be read. What it proposes
 * names what it has seen, and is void where that has changed; so two of them at once do no harm, and a new one begins to wait anew. What its own process stood
 * still for is not counted as the others' absence: they may have come back meanwhile, and it did not see it.
 *
 * <p>Threading: a worker of its own calls {@link #tick}.
 */
final class GroupKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupKeeper.class);
    static final Duration TICK = Duration.ofMillis(500);
    /** What counts of the time from one tick to the next, at most: the rest this process has stood still. */
    private static final long SEEN_NANOS_MAX = 2 * TICK.toNanos();

    private final Catalog catalog;
    private final Lineage lineage;
    private final Duration timeout;
    private final BooleanSupplier coordinates;
    private final LongSupplier nanos;
    /** What is absent, as it was seen last, with for how long it has been seen so, in ns. */
    private final Map<Object, Long> absentNanos = new HashMap<>();

    private long tickedAt;

    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().name("cdc-groups").factory());

    private record AbsentNode(String node, long lease) {}

    private record AbsentMember(String tenant, String name, String member, long generation) {}

    /** @param nanos a clock that only runs forward */
    GroupKeeper(Catalog catalog, Lineage lineage, Duration timeout, BooleanSupplier coordinates, LongSupplier nanos) {
        this.catalog = catalog;
        this.lineage = lineage;
        this.timeout = timeout;
        this.coordinates = coordinates;
        this.nanos = nanos;
        this.tickedAt = nanos.getAsLong();
    }

    void start() {
        worker.scheduleWithFixedDelay(this::tickSafely, 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void tickSafely() {
        try {
            tick();
        } catch (RuntimeException e) {
            // The next round looks again.
            LOG.warn("groups can't be looked after: {}", e.toString());
        }
    }

    void tick() {
        long now = nanos.getAsLong();
        long seenFor = Math.min(now - tickedAt, SEEN_NANOS_MAX);
        tickedAt = now;
        if (!coordinates.getAsBoolean()) {
            absentNanos.clear();
            return;
        }
        absentNanos.replaceAll((absent, before) -> before + seenFor);
        CatalogImage image = catalog.image();
        Set<Object> seen = new HashSet<>();
        servingNodes(image).forEach(node -> {
            AbsentNode absent = new AbsentNode(node, image.memberLeases().getOrDefault(node, 0L));
            seen.add(absent);
            if (overdue(absent)) {
                LOG.info("node {} has not renewed its members of groups for {}: they are given up", node, timeout);
                propose(new CatalogCommand.ExpireNode(node, absent.lease()));
            }
        });
        image.allSubscriptions().forEach(each -> seen.addAll(absent(each)));
        absentNanos.keySet().retainAll(seen);
        forEach(image, each -> absent(each).stream().filter(this::overdue).forEach(this::expire));
        // Last, as a leader that does not answer holds it up.
        forEach(image, this::setReady);
    }

    /** One of them that fails does not keep the others waiting. */
    private static void forEach(CatalogImage image, Consumer<SubscriptionRecord> work) {
        image.allSubscriptions().forEach(each -> {
            try {
                work.accept(each);
            } catch (RuntimeException e) {
                // The next round looks again.
                LOG.warn(
                        "the group of subscription {} (tenant {}) can't be looked after: {}",
                        each.name(),
                        each.tenant(),
                        e.toString());
            }
        });
    }

    private static Set<String> servingNodes(CatalogImage image) {
        Set<String> nodes = new HashSet<>(image.memberLeases().keySet());
        image.allSubscriptions()
                .flatMap(each -> each.group().members().values().stream())
                .forEach(member -> {
                    nodes.add(member.stream().node());
                    nodes.add(member.waiting().node());
                });
        nodes.remove("");
        return nodes;
    }

    private static List<AbsentMember> absent(SubscriptionRecord subscription) {
        return subscription.group().members().values().stream()
                .filter(member -> !member.stream().open())
                .map(member -> new AbsentMember(
                        subscription.tenant(), subscription.name(), member.name(), member.generation()))
                .toList();
    }

    private boolean overdue(Object absent) {
        return absentNanos.computeIfAbsent(absent, first -> 0L) >= timeout.toNanos();
    }

    private void expire(AbsentMember absent) {
        LOG.info(
                "member {} of subscription {} (tenant {}) has not come back for {}: its partitions go to others",
                absent.member(),
                absent.name(),
                absent.tenant(),
                timeout);
        propose(new CatalogCommand.ExpireMember(absent.tenant(), absent.name(), absent.member(), absent.generation()));
    }

    private void setReady(SubscriptionRecord subscription) {
        if (subscription.group().members().isEmpty()) {
            return;
        }
        SortedSet<Integer> ready =
                lineage.ready(Position.of(subscription.cursor().next()), SubscriptionDesk.filter(subscription));
        if (!ready.equals(subscription.group().ready())) {
            propose(new CatalogCommand.SetReady(
                    subscription.tenant(), subscription.name(), subscription.generation(), ready));
        }
    }

    /** Not waited for: what has not come true is proposed again. */
    private void propose(CatalogCommand command) {
        catalog.propose(command).whenComplete((reply, failure) -> {
            if (failure != null) {
                LOG.info("groups: {} waits: {}", command.getClass().getSimpleName(), failure.getMessage());
            }
        });
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }
}
