package dev.weir.query.sql.run;

import dev.weir.partition.model.ErrorCode;
import dev.weir.query.sql.gate.SqlRefusedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who gets the next seat: tenants in turn, each with at most {@code sql.tenant-concurrent-max} at once and {@code sql.tenant-queue-max} waiting. Of the free
 * seats the one that was used last gets it: its DuckDB still has what it read of the files, in the processor's cache as well.
 * Submitted to by any thread, taken from by the seats' threads.
 */
final class SeatQueue {
    private final SqlConfig config;
    /** Guards all below. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<String, Tenant> tenants = new LinkedHashMap<>();
    /** Free seats, the one that was used last first; there are none while a job could begin. */
    private final ArrayDeque<Taker> free = new ArrayDeque<>();

    private boolean closed;

    SeatQueue(SqlConfig config) {
        this.config = config;
    }

    /** Work of one tenant. */
    record Job(String tenant, Runnable onClosed, SeatWork work) {}

    /** What is done on a seat. */
    @FunctionalInterface
    interface SeatWork {
        void run(Seat seat);
    }

    private static final class Tenant {
        int running;
        final ArrayDeque<Job> waiting = new ArrayDeque<>();
    }

    /** A seat that waits for its job. */
    private final class Taker {
        private final Condition given = lock.newCondition();
        private @Nullable Job job;

        void give(Job next) {
            job = next;
            given.signal();
        }

        @Nullable
        Job await() throws InterruptedException {
            free.push(this);
            try {
                while (job == null && !closed) {
                    given.await();
                }
            } catch (InterruptedException e) {
                if (job == null) {
                    throw e;
                }
                Thread.currentThread().interrupt();
            } finally {
                free.remove(this);
            }
            return job;
        }
    }

    void submit(Job job) {
        lock.lock();
        try {
            Tenant tenant = tenants.computeIfAbsent(job.tenant, name -> new Tenant());
            int places =
                    tenant.running < config.tenantConcurrentMax() ? config.tenantConcurrentMax() - tenant.running : 0;
            if (closed || tenant.waiting.size() >= config.tenantQueueMax() + places) {
                throw SqlRefusedException.nowhere(
                        ErrorCode.OVERLOADED,
                        closed
                                ? "the node is stopping"
                                : "sql.tenant-queue-max: " + tenant.waiting.size() + " statements wait already, "
                                        + tenant.running + " run");
            }
            tenant.waiting.add(job);
            give();
        } finally {
            lock.unlock();
        }
    }

    /** The next job; null when closed. */
    @Nullable
    Job take() throws InterruptedException {
        lock.lock();
        try {
            Job job = closed ? null : next();
            if (job != null || closed) {
                return job;
            }
            return new Taker().await();
        } finally {
            lock.unlock();
        }
    }

    void done(Job job) {
        lock.lock();
        try {
            Tenant tenant = tenants.get(job.tenant);
            if (tenant != null && --tenant.running == 0 && tenant.waiting.isEmpty()) {
                tenants.remove(job.tenant);
            }
            give();
        } finally {
            lock.unlock();
        }
    }

    int waiting() {
        lock.lock();
        try {
            return tenants.values().stream()
                    .mapToInt(tenant -> tenant.waiting.size())
                    .sum();
        } finally {
            lock.unlock();
        }
    }

    /** Lets a job that was not begun go; false where a seat has it. */
    boolean withdraw(Job job) {
        lock.lock();
        try {
            Tenant tenant = tenants.get(job.tenant);
            return tenant != null && tenant.waiting.remove(job);
        } finally {
            lock.unlock();
        }
    }

    void close() {
        List<Job> left = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            tenants.values().forEach(tenant -> left.addAll(tenant.waiting));
            tenants.values().forEach(tenant -> tenant.waiting.clear());
            free.forEach(taker -> taker.given.signal());
        } finally {
            lock.unlock();
        }
        left.forEach(job -> job.onClosed.run());
    }

    private void give() {
        while (!free.isEmpty()) {
            Job job = next();
            if (job == null) {
                return;
            }
            free.pop().give(job);
        }
    }

    private @Nullable Job next() {
        for (Iterator<Map.Entry<String, Tenant>> all = tenants.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, Tenant> entry = all.next();
            Tenant tenant = entry.getValue();
            if (tenant.running < config.tenantConcurrentMax() && !tenant.waiting.isEmpty()) {
                Job job = tenant.waiting.remove();
                tenant.running++;
                all.remove();
                tenants.put(entry.getKey(), tenant);
                return job;
            }
        }
        return null;
    }
}
