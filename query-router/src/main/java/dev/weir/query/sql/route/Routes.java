package dev.weir.query.sql.route;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Decides which node answers a tenant's statement, from what nodes said of themselves lately. In the tenant's rendezvous order, the first that is warm
 * (it holds at least half as much of the tenant's files as the warmest node) and not busy; where all warm nodes are busy, the first of all that is not
 * busy, which so becomes warm; where all are busy, the one with the shortest queue. A tenant with few bytes in files is answered where it asks.
 *
 * <p>Any thread. A node of which nothing was heard for {@link #HEARD_NANOS_MAX} gets nothing.
 */
public final class Routes {
    /** Three notices may be lost. */
    static final long HEARD_NANOS_MAX = 3_500_000_000L;

    private final String self;
    private final RouteConfig config;
    private final IntSupplier busyHere;
    private final Map<String, Heard> heard = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> sent = new ConcurrentHashMap<>();

    /** @param busyHere statements that wait or run on this node now */
    public Routes(String self, RouteConfig config, IntSupplier busyHere) {
        this.self = self;
        this.config = config;
        this.busyHere = busyHere;
    }

    private record Heard(NodeNotice notice, long atNanos) {}

    /** A node has said how it stands; this node too. */
    public void hear(NodeNotice notice, long nowNanos) {
        heard.put(notice.node(), new Heard(notice, nowNanos));
    }

    /** A node did not take a statement: it gets none before it says something again. */
    public void distrust(String node) {
        heard.remove(node);
    }

    /** A statement goes to the node. */
    public void begin(String node) {
        sent.computeIfAbsent(node, id -> new AtomicInteger()).incrementAndGet();
    }

    /** It was answered, or is not awaited any more. */
    public void end(String node) {
        sent.computeIfAbsent(node, id -> new AtomicInteger()).decrementAndGet();
    }

    /** Statements of this node's clients that are at others. */
    public int sent() {
        return sent.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    /** The node that should answer; empty: this one. */
    public Optional<String> target(String tenant, long nowNanos) {
        if (config.mode() == RouteConfig.Mode.LOCAL) {
            return Optional.empty();
        }
        List<NodeNotice> known = known(nowNanos);
        if (known.stream().mapToLong(notice -> notice.stored(tenant)).sum() < config.bytesMin()) {
            return Optional.empty();
        }
        return choose(tenant, known).filter(node -> !node.equals(self));
    }

    private List<NodeNotice> known(long nowNanos) {
        Collection<Heard> all = heard.values();
        return all.stream()
                .filter(each -> each.notice().node().equals(self) || nowNanos - each.atNanos() <= HEARD_NANOS_MAX)
                .map(Heard::notice)
                .toList();
    }

    private Optional<String> choose(String tenant, List<NodeNotice> known) {
        List<String> order =
                Rendezvous.order(tenant, known.stream().map(NodeNotice::node).toList());
        List<NodeNotice> inOrder = new ArrayList<>(known);
        inOrder.sort(Comparator.comparingInt(notice -> order.indexOf(notice.node())));
        long warmest =
                known.stream().mapToLong(notice -> notice.held(tenant)).max().orElse(0);
        return inOrder.stream()
                .filter(notice -> notice.held(tenant) >= warmest / 2)
                .filter(notice -> !isBusy(notice))
                .findFirst()
                .or(() -> inOrder.stream().filter(notice -> !isBusy(notice)).findFirst())
                .or(() -> inOrder.stream().min(Comparator.comparingDouble(this::queue)))
                .map(NodeNotice::node);
    }

    private boolean isBusy(NodeNotice notice) {
        return busy(notice) >= notice.seats();
    }

    private double queue(NodeNotice notice) {
        return (double) busy(notice) / notice.seats();
    }

    /** What a node said is up to a second old; what was sent to it since is known here. */
    private int busy(NodeNotice notice) {
        if (notice.node().equals(self)) {
            return busyHere.getAsInt();
        }
        AtomicInteger ours = sent.get(notice.node());
        return Math.max(notice.busy(), ours == null ? 0 : ours.get());
    }
}
