package dev.weir.node.publish;

import dev.weir.partition.delta.Rewrite;
import dev.weir.partition.model.TableSchema;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has files made one where published tables need it: {@link #AT_ONCE} at a time, and those of one day the seldomer the larger they are, so that a table
 * whose old points are written again and again is not rewritten without end. Any thread.
 */
final class Rewrites {
    static final int AT_ONCE = 2;
    /** The same day waits at least so long, and so long again for each {@link #PACE_BYTES} of it. */
    static final Duration PAUSE = Duration.ofSeconds(30);

    static final long PACE_BYTES = 32L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Rewrites.class);

    private final PartitionPort partitions;
    private final LongSupplier nanoTime;
    private final Runnable done;
    /** Guards all below: asked for by the publisher's thread, ended by threads that bring answers. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<Place, Long> notBefore = new HashMap<>();
    private final Map<Integer, List<Order>> wanted = new HashMap<>();
    private final Deque<Order> waiting = new ArrayDeque<>();
    private final Map<Place, Rewrite> running = new HashMap<>();

    private record Place(int tableId, int partition, long day) {}

    private record Order(TableSchema table, Rewrite rewrite) {
        Place place() {
            return new Place(table.tableId(), rewrite.partition(), rewrite.day());
        }
    }

    /** @param done called when nothing waits and nothing runs any more */
    Rewrites(PartitionPort partitions, LongSupplier nanoTime, Runnable done) {
        this.partitions = partitions;
        this.nanoTime = nanoTime;
        this.done = done;
    }

    /** What a table needs now, in place of what it needed before. */
    void want(TableSchema table, List<Rewrite> needed) {
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            notBefore.values().removeIf(time -> now - time >= 0);
            wanted.put(
                    table.tableId(),
                    needed.stream().map(rewrite -> new Order(table, rewrite)).toList());
            waiting.clear();
            wanted.values()
                    .forEach(orders -> orders.stream()
                            .filter(order -> !order.rewrite().equals(running.get(order.place()))
                                    && !notBefore.containsKey(order.place()))
                            .forEach(waiting::add));
            wanted.values().removeIf(List::isEmpty);
        } finally {
            lock.unlock();
        }
        startNext();
    }

    /** Forgets what waits of tables that are not published any more. */
    void keep(Set<Integer> tableIds) {
        lock.lock();
        try {
            wanted.keySet().retainAll(tableIds);
            waiting.removeIf(order -> !tableIds.contains(order.table().tableId()));
        } finally {
            lock.unlock();
        }
    }

    private void startNext() {
        for (Order order : taken()) {
            partitions
                    .rewrite(
                            order.rewrite().partition(),
                            order.table().tableId(),
                            order.rewrite().keys())
                    .whenComplete((rewritten, failure) -> ended(order, failure));
        }
    }

    private List<Order> taken() {
        lock.lock();
        try {
            List<Order> taken = new ArrayList<>();
            for (Order order : List.copyOf(waiting)) {
                // Those of one day go one after the other, each as the one before has left it.
                if (running.size() < AT_ONCE && running.putIfAbsent(order.place(), order.rewrite()) == null) {
                    waiting.remove(order);
                    taken.add(order);
                }
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private void ended(Order order, @Nullable Throwable failure) {
        if (failure != null) {
            LOG.warn(
                    "table {} of tenant {}: {} files of partition {} could not be made one, it is tried again: {}",
                    order.table().name(),
                    order.table().tenant(),
                    order.rewrite().keys().size(),
                    order.rewrite().partition(),
                    String.valueOf(failure.getMessage()));
        }
        boolean idle;
        lock.lock();
        try {
            running.remove(order.place());
            if (waiting.stream().noneMatch(each -> each.place().equals(order.place()))) {
                notBefore.put(
                        order.place(),
                        nanoTime.getAsLong() + pauseNanos(order.rewrite().bytes()));
            }
            idle = waiting.isEmpty() && running.isEmpty();
        } finally {
            lock.unlock();
        }
        startNext();
        if (idle) {
            done.run();
        }
    }

    static long pauseNanos(long bytes) {
        return PAUSE.toNanos() * (1 + bytes / PACE_BYTES);
    }
}
