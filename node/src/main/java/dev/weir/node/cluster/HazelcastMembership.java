package dev.weir.node.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.replicatedmap.ReplicatedMap;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Membership by Hazelcast, embedded. Starts beside the node and never holds it up: while it is not there, or when it can't
 * start, nobody is seen and no hint is given. What may wait for Hazelcast runs on one thread of its own; what is asked is
 * answered from memory.
 */
public final class HazelcastMembership implements Membership {
    private static final Logger LOG = LoggerFactory.getLogger(HazelcastMembership.class);
    private static final long STOP_TIMEOUT_SECONDS = 10;

    /** Hints that may wait to be told; beyond, they are dropped and counted. */
    private static final int WAITING_MAX = 1_024;

    private final Counter failures;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Set<Integer> led = ConcurrentHashMap.newKeySet();
    private final String nodeId;
    private final Supplier<Config> config;
    private final ThreadPoolExecutor worker;
    private volatile Set<String> up = Set.of();
    private volatile @Nullable HazelcastInstance instance;

    /** Does nothing until {@link #begin}. */
    HazelcastMembership(String nodeId, Supplier<Config> config, MeterRegistry metrics) {
        this.nodeId = nodeId;
        this.config = config;
        this.failures = Counter.builder("weir_membership_failures").register(metrics);
        this.worker = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING_MAX),
                Thread.ofPlatform().name("weir-membership").daemon().factory(),
                (task, pool) -> failures.increment());
        Gauge.builder("weir_membership_nodes", () -> up.size()).register(metrics);
        Gauge.builder("weir_membership_running", () -> instance == null ? 0 : 1).register(metrics);
    }

    /** Begins to start; returns at once. Call it once. */
    void begin() {
        worker.execute(this::open);
    }

    /** The nodes to look for have changed. */
    void seek(List<String> members) {
        later(hazelcast -> hazelcast
                .getConfig()
                .getNetworkConfig()
                .getJoin()
                .getTcpIpConfig()
                .setMembers(members));
    }

    @Override
    public Set<String> up() {
        return up;
    }

    @Override
    public AutoCloseable onChange(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    @Override
    public void announceLeader(int partition) {
        led.add(partition);
        later(hazelcast -> leaderMap(hazelcast).put(partition, nodeId));
    }

    @Override
    public Optional<String> leader(int partition) {
        HazelcastInstance running = instance;
        if (running == null) {
            return led.contains(partition) ? Optional.of(nodeId) : Optional.empty();
        }
        try {
            return Optional.ofNullable(leaderMap(running).get(partition));
        } catch (HazelcastException | IllegalStateException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        worker.shutdownNow();
        try {
            if (!worker.awaitTermination(STOP_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("the membership layer has not ended within {} s", STOP_TIMEOUT_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        HazelcastInstance running = instance;
        instance = null;
        if (running != null) {
            running.getLifecycleService().terminate();
        }
    }

    private void open() {
        try {
            HazelcastInstance started = Hazelcast.newHazelcastInstance(config.get());
            started.getCluster().addMembershipListener(new MembershipListener() {
                @Override
                public void memberAdded(MembershipEvent event) {
                    refresh(started);
                }

                @Override
                public void memberRemoved(MembershipEvent event) {
                    refresh(started);
                }
            });
            ReplicatedMap<Integer, String> map = leaderMap(started);
            led.forEach(partition -> map.put(partition, nodeId));
            instance = started;
            refresh(started);
            LOG.info("membership: {}", up);
        } catch (HazelcastException | IllegalStateException e) {
            failures.increment();
            LOG.warn("the membership layer did not start; the node goes on without its hints: {}", e.getMessage());
        }
    }

    private void later(Consumer<HazelcastInstance> action) {
        worker.execute(() -> {
            HazelcastInstance running = instance;
            if (running == null) {
                return;
            }
            try {
                action.accept(running);
            } catch (HazelcastException | IllegalStateException e) {
                failures.increment();
                LOG.warn("membership: {}", e.getMessage());
            }
        });
    }

    private void refresh(HazelcastInstance hazelcast) {
        up = hazelcast.getCluster().getMembers().stream()
                .map(HazelcastMembership::idOf)
                .flatMap(Optional::stream)
                .collect(Collectors.toUnmodifiableSet());
        listeners.forEach(Runnable::run);
    }

    private static Optional<String> idOf(Member member) {
        return Optional.ofNullable(member.getAttribute(HazelcastSettings.NODE_ID));
    }

    private static ReplicatedMap<Integer, String> leaderMap(HazelcastInstance hazelcast) {
        return hazelcast.getReplicatedMap(HazelcastSettings.LEADERS);
    }
}
