package dev.weir.node.cluster;

import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.OperationRecord;
import dev.weir.partition.catalog.TableDrop;
import dev.weir.partition.placement.PlacementPlanner;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPeer;
import dev.weir.wal.LogStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What has to be done, from what is known now. Pure: two controllers that see the same plan the same. */
final class ControllerPlan {
    /** How many entries a listener may be behind to count as caught up. */
    static final long LAG_MAX = 64;

    private ControllerPlan() {}

    /**
     * @param joiners nodes that ask to be added to the catalog's group
     * @param avoided nodes that did not answer lately: they get no new replica for now
     */
    record View(CatalogImage image, LogStatus catalog, Collection<NodeRecord> joiners, Set<String> avoided) {}

    static List<ControllerStep> steps(View view) {
        if (!view.image.born()) {
            return List.of();
        }
        List<ControllerStep> steps = new ArrayList<>();
        catalogMembers(view).ifPresent(members -> steps.add(new ControllerStep.SetCatalogMembers(members)));
        for (TableDrop drop : view.image.drops()) {
            steps.add(new ControllerStep.FinishDrop(drop));
        }
        Set<String> candidates = new HashSet<>(view.image.nodes().keySet());
        candidates.removeAll(view.avoided);
        Set<Integer> changing = view.image.operations().stream()
                .filter(each -> each.state().isLive())
                .flatMap(OperationRecord::partitionsToChange)
                .collect(Collectors.toSet());
        for (PlacementPlanner.Fill fill :
                PlacementPlanner.fill(view.image.partitions().values(), view.image.replicationFactor(), candidates)) {
            if (!changing.contains(fill.partition())) {
                steps.add(new ControllerStep.FillReplicas(fill.partition(), fill.replicas()));
            }
        }
        return steps;
    }

    /**
     * The catalog's members as they should be, where that differs: every node holds the log; voters are raised from one to three in one step,
     * once three nodes are there and two listeners have caught up. Nobody is taken out here.
     */
    private static Optional<LogMembers> catalogMembers(View view) {
        LogMembers now = view.catalog.members();
        Map<String, LogPeer> addresses = addresses(view);
        List<LogPeer> voters = readdressed(now.voters(), addresses);
        List<LogPeer> listeners = readdressed(now.listeners(), addresses);
        Set<String> held = new HashSet<>();
        voters.forEach(peer -> held.add(peer.nodeId()));
        listeners.forEach(peer -> held.add(peer.nodeId()));
        for (LogPeer peer : addresses.values()) {
            if (!held.contains(peer.nodeId())) {
                listeners.add(peer);
            }
        }
        raise(view, voters, listeners);
        LogMembers wanted = new LogMembers(voters, listeners);
        return wanted.equals(now) ? Optional.empty() : Optional.of(wanted);
    }

    private static void raise(View view, List<LogPeer> voters, List<LogPeer> listeners) {
        int missing = CatalogGroupPlan.VOTERS - voters.size();
        if (missing <= 0 || view.image.nodes().size() < CatalogGroupPlan.VOTERS) {
            return;
        }
        List<LogPeer> ready = listeners.stream()
                .filter(peer -> caughtUp(view, peer))
                .limit(missing)
                .toList();
        if (ready.size() == missing) {
            listeners.removeAll(ready);
            voters.addAll(ready);
        }
    }

    private static boolean caughtUp(View view, LogPeer peer) {
        Long stored = view.catalog.followers().get(peer.nodeId());
        return stored != null
                && stored + LAG_MAX >= view.catalog.committedIndex()
                && view.image.nodes().containsKey(peer.nodeId())
                && !view.avoided.contains(peer.nodeId());
    }

    private static Map<String, LogPeer> addresses(View view) {
        Map<String, LogPeer> addresses = new TreeMap<>();
        view.joiners.forEach(node -> addresses.put(node.id(), new LogPeer(node.id(), node.raftAddress())));
        view.image
                .nodes()
                .values()
                .forEach(node -> addresses.put(node.id(), new LogPeer(node.id(), node.raftAddress())));
        return addresses;
    }

    private static List<LogPeer> readdressed(List<LogPeer> peers, Map<String, LogPeer> addresses) {
        List<LogPeer> result = new ArrayList<>();
        peers.forEach(peer -> result.add(addresses.getOrDefault(peer.nodeId(), peer)));
        return result;
    }
}
