package dev.weir.node.route;

import dev.weir.partition.catalog.NodeRecord;
import dev.weir.query.sql.route.Routes;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hears each node once a second, this one too. A node that is slow to answer is not asked again meanwhile. A thread of its own. */
public final class NoticeRounds implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NoticeRounds.class);
    private static final long TICK_MS = 1_000;

    private final String self;
    private final Supplier<Collection<NodeRecord>> nodes;
    private final OwnNotice own;
    private final NoticeSource source;
    private final Routes routes;
    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("weir-routes").daemon().factory());

    public NoticeRounds(
            String self, Supplier<Collection<NodeRecord>> nodes, OwnNotice own, NoticeSource source, Routes routes) {
        this.self = self;
        this.nodes = nodes;
        this.own = own;
        this.source = source;
        this.routes = routes;
    }

    public void start() {
        worker.scheduleWithFixedDelay(this::tick, 0, TICK_MS, TimeUnit.MILLISECONDS);
    }

    private void tick() {
        try {
            if (nodes.get().size() < 2) {
                return;
            }
            own.renew();
            routes.hear(own.notice(), System.nanoTime());
            nodes.get().forEach(this::ask);
        } catch (RuntimeException e) { // the next round must come, whatever this one met
            LOG.error("looking at where files are failed", e);
        }
    }

    private void ask(NodeRecord node) {
        if (node.id().equals(self) || !asked.add(node.id())) {
            return;
        }
        source.ask(node).whenComplete((notice, failure) -> {
            if (failure == null) {
                routes.hear(notice, System.nanoTime());
            }
            asked.remove(node.id());
        });
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }
}
