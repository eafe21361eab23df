package dev.weir.query.sql.run;

import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What waits and runs on this node, for SHOW QUERIES and KILL QUERY. Any thread. */
public final class QueryRegistry {
    private static final long INTERRUPT_EVERY_MS = 20;

    private final Map<String, RunningQuery> queries = new ConcurrentHashMap<>();
    private final AtomicLong counter = new AtomicLong();
    private final String node;
    private final Clock clock;
    private final ScheduledExecutorService timer;

    QueryRegistry(String node, Clock clock, ScheduledExecutorService timer) {
        this.node = node;
        this.clock = clock;
        this.timer = timer;
    }

    /** The tenant's statements here, oldest first. */
    public List<RunningQuery> of(String tenant) {
        return queries.values().stream()
                .filter(query -> query.tenant().equals(tenant))
                .sorted(Comparator.comparing(RunningQuery::since))
                .toList();
    }

    /** Cancels a statement of the tenant; false where none of that id is here. */
    public boolean kill(String tenant, String id) {
        RunningQuery query = queries.get(id);
        return query != null
                && query.tenant().equals(tenant)
                && query.cancellation().fire(Cancellation.Reason.KILLED);
    }

    int count(String tenant) {
        return (int) queries.values().stream()
                .filter(query -> query.tenant().equals(tenant))
                .count();
    }

    public int size() {
        return queries.size();
    }

    RunningQuery add(String tenant, String user, String text) {
        String id = node + "-" + counter.incrementAndGet();
        RunningQuery query = new RunningQuery(id, tenant, user, text, clock.instant());
        queries.put(id, query);
        query.cancellation().onCancel(() -> interruptUntilGone(query));
        return query;
    }

    void remove(RunningQuery query) {
        query.runs(null);
        queries.remove(query.id());
    }

    void stopAll() {
        queries.values().forEach(query -> query.cancellation().fire(Cancellation.Reason.STOPPING));
    }

    private void interruptUntilGone(RunningQuery query) {
        query.interrupt();
        if (queries.containsKey(query.id()) && !timer.isShutdown()) {
            timer.schedule(() -> interruptUntilGone(query), INTERRUPT_EVERY_MS, TimeUnit.MILLISECONDS);
        }
    }
}
