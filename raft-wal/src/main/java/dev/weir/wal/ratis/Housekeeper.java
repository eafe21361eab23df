package dev.weir.wal.ratis;

import java.util.Collection;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks after all replicas several times a second, and after the disk on a thread of its own, since asking it may hang. */
final class Housekeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeper.class);
    private static final long TICK_MS = 100;
    private static final long DISK_MS = 500;

    private final ScheduledExecutorService ticks;
    private final ScheduledExecutorService disk;
    private final Collection<GroupReplica> replicas;

    private Housekeeper(String nodeId, Collection<GroupReplica> replicas) {
        this.replicas = replicas;
        this.ticks = thread("weir-log-tick-" + nodeId);
        this.disk = thread("weir-log-disk-" + nodeId);
    }

    static Housekeeper start(String nodeId, Collection<GroupReplica> replicas, FreeSpace freeSpace) {
        Housekeeper housekeeper = new Housekeeper(nodeId, replicas);
        housekeeper.ticks.scheduleWithFixedDelay(housekeeper::tick, TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
        housekeeper.disk.scheduleWithFixedDelay(freeSpace::refresh, DISK_MS, DISK_MS, TimeUnit.MILLISECONDS);
        return housekeeper;
    }

    private static ScheduledExecutorService thread(String name) {
        return Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name(name).factory());
    }

    private void tick() {
        long now = System.nanoTime();
        for (GroupReplica replica : replicas) {
            try {
                replica.tick(now);
            } catch (RuntimeException e) { // one group's trouble must not end the watch over the others
                LOG.error("group {}: watch failed", replica.id(), e);
            }
        }
    }

    @Override
    public void close() {
        ticks.shutdownNow();
        disk.shutdownNow();
    }
}
