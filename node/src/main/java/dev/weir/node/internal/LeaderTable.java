package dev.weir.node.internal;

import dev.weir.partition.catalog.PartitionRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Who is thought to lead which partition. Hints only: each is corrected by the answer of whoever is asked. Thread-safe. */
public final class LeaderTable {
    private final LocalPartitions local;
    /** While a partition moves, a node may lead that the map does not name: every so many tries that one is asked, the other times those of the map. */
    private static final int OUTSIDE_EVERY = 4;

    private final String self;
    private final IntFunction<Optional<String>> rumours;
    private final Map<Integer, String> hints = new ConcurrentHashMap<>();

    /** @param rumours what the membership layer says */
    public LeaderTable(String self, LocalPartitions local, IntFunction<Optional<String>> rumours) {
        this.self = self;
        this.local = local;
        this.rumours = rumours;
    }

    public void learn(int partition, @Nullable String nodeId) {
        if (nodeId != null && !nodeId.isEmpty()) {
            hints.put(partition, nodeId);
        }
    }

    /** The node did not lead, or could not be reached. */
    public void unlearn(int partition, String nodeId) {
        hints.remove(partition, nodeId);
    }

    /** Whom to ask: who is thought to lead, else the replicas in turn. */
    public String target(PartitionRecord record, int attempt) {
        String known = leader(record.id());
        if (known == null && attempt == 0) {
            known = rumours.apply(record.id()).orElse(null);
        }
        List<String> replicas = record.replicas();
        boolean outside = known != null && !replicas.contains(known);
        if (known != null && (!outside || attempt % OUTSIDE_EVERY == 0)) {
            return known;
        }
        if (attempt == 0 && replicas.contains(self)) {
            return self;
        }
        int turn = outside ? attempt - 1 - attempt / OUTSIDE_EVERY : attempt;
        return replicas.get(Math.floorMod(turn + record.id(), replicas.size()));
    }

    /** Null where nobody is known to lead. */
    public @Nullable String leader(int partition) {
        LocalPartition here = local.find(partition).orElse(null);
        if (here != null) {
            if (here.leads()) {
                return self;
            }
            String followed = here.leader();
            if (followed != null && !followed.equals(self)) {
                return followed;
            }
        }
        return hints.get(partition);
    }
}
