package dev.weir.node.lead;

import dev.weir.partition.catalog.NodeRecord;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Asks all other nodes for their pulse, each at most once at a time. Called by one thread; answers come on any. */
final class PulseRound {
    /** An answer that took longer says nothing of a clock: one of the two processes may have stood still. */
    private static final long TRAVEL_MS_MAX = 1_000;

    private final String self;
    private final Supplier<Collection<NodeRecord>> nodes;
    private final PulseSource source;
    private final InstantSource clock;
    private final Pulses pulses;
    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    PulseRound(
            String self,
            Supplier<Collection<NodeRecord>> nodes,
            PulseSource source,
            InstantSource clock,
            Pulses pulses) {
        this.self = self;
        this.nodes = nodes;
        this.source = source;
        this.clock = clock;
        this.pulses = pulses;
    }

    void ask() {
        Collection<NodeRecord> present = nodes.get();
        pulses.keepOnly(present.stream().map(NodeRecord::id).collect(Collectors.toSet()));
        for (NodeRecord node : present) {
            if (!node.id().equals(self) && asked.add(node.id())) {
                ask(node);
            }
        }
    }

    private void ask(NodeRecord node) {
        long askedNanos = System.nanoTime();
        source.ask(node).whenComplete((pulse, failure) -> {
            long nowNanos = System.nanoTime();
            long travelMs = (nowNanos - askedNanos) / 2_000_000;
            if (failure == null && travelMs <= TRAVEL_MS_MAX) {
                pulses.heard(node.id(), pulse, pulse.clockMs() + travelMs - clock.millis(), nowNanos);
            }
            asked.remove(node.id());
        });
    }
}
