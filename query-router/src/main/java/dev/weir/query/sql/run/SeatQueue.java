package dev.weir.query.sql.run;

import dev.weir.partition.model.ErrorCode;
import dev.weir.query.sql.gate.SqlRefusedException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who gets the next seat: tenants in turn, each with at most {@code sql.tenant-concurrent-max} at once and {@code sql.tenant-queue-max} waiting.
 * Submitted to by any thread, taken from by the seats' threads.
 */
final class SeatQueue {
    private final SqlConfig config;
    private final Map<String, Tenant> tenants = new LinkedHashMap<>();
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

    // The monitor guards all of it: seats wait on it for work.
    synchronized void submit(Job job) {
        Tenant tenant = tenants.computeIfAbsent(job.tenant, name -> new Tenant());
        int free = tenant.running < config.tenantConcurrentMax() ? config.tenantConcurrentMax() - tenant.running : 0;
        if (closed || tenant.waiting.size() >= config.tenantQueueMax() + free) {
            throw SqlRefusedException.nowhere(
                    ErrorCode.OVERLOADED,
                    closed
                            ? "the node is stopping"
                            : "sql.tenant-queue-max: " + tenant.waiting.size() + " statements wait already, "
                                    + tenant.running + " run");
        }
        tenant.waiting.add(job);
        notifyAll();
    }

    /** The next job; null when closed. */
    synchronized @Nullable Job take() throws InterruptedException {
        while (!closed) {
            Job job = next();
            if (job != null) {
                return job;
            }
            wait();
        }
        return null;
    }

    synchronized void done(Job job) {
        Tenant tenant = tenants.get(job.tenant);
        if (tenant != null && --tenant.running == 0 && tenant.waiting.isEmpty()) {
            tenants.remove(job.tenant);
        }
        notifyAll();
    }

    synchronized int waiting() {
        return tenants.values().stream()
                .mapToInt(tenant -> tenant.waiting.size())
                .sum();
    }

    /** Lets a job that was not begun go; false where a seat has it. */
    synchronized boolean withdraw(Job job) {
        Tenant tenant = tenants.get(job.tenant);
        return tenant != null && tenant.waiting.remove(job);
    }

    void close() {
        java.util.List<Job> left = new java.util.ArrayList<>();
        synchronized (this) {
            closed = true;
            tenants.values().forEach(tenant -> left.addAll(tenant.waiting));
            tenants.values().forEach(tenant -> tenant.waiting.clear());
            notifyAll();
        }
        left.forEach(job -> job.onClosed.run());
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
