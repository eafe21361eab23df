package dev.weir.node.cluster;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.PartitionRecord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a partition the replicas that it lacks: a replica is opened on each new node, the group takes them in once they have caught up, and
 * only then the catalog's map says so. What the group itself says is read first, so a run that broke off between the last two steps is
 * finished, not started over. Blocks; called by the controller's thread.
 */
final class ReplicaFiller {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaFiller.class);
    private static final long ASK_TIMEOUT_MS = 10_000;
    private static final long CATCH_UP_TIMEOUT_MS = 120_000;

    private final Catalog catalog;
    private final GroupAdmin admin;
    private final VoterChange change;

    ReplicaFiller(Catalog catalog, GroupAdmin admin) {
        this.catalog = catalog;
        this.admin = admin;
        this.change = new VoterChange(admin, CATCH_UP_TIMEOUT_MS);
    }

    void fill(ControllerStep.FillReplicas step) throws InterruptedException {
        CatalogImage image = catalog.image();
        PartitionRecord partition = image.partitions().get(step.partition());
        if (partition == null || !adds(step, partition)) {
            return;
        }
        GroupAdmin.Configuration now = Stages.get(admin.configuration(partition), ASK_TIMEOUT_MS);
        if (!grownAlready(partition, now)) {
            grow(partition, now, step.replicas());
            now = Stages.get(admin.configuration(partition), ASK_TIMEOUT_MS);
        }
        List<String> replicas = inPlannedOrder(step, now);
        Stages.get(
                catalog.propose(new CatalogCommand.SetReplicas(partition.id(), replicas, image.epoch())),
                ASK_TIMEOUT_MS);
        LOG.info("partition {} is held by {}", partition.id(), replicas);
    }

    /** False where the map has moved on since the plan was made. */
    private static boolean adds(ControllerStep.FillReplicas step, PartitionRecord partition) {
        return step.replicas().size() > partition.replicas().size()
                && step.replicas().containsAll(partition.replicas());
    }

    private static boolean grownAlready(PartitionRecord partition, GroupAdmin.Configuration now) {
        return now.voters().size() > partition.replicas().size() && now.voters().containsAll(partition.replicas());
    }

    /** What the group itself says, in the order of the plan where that names it. */
    private static List<String> inPlannedOrder(ControllerStep.FillReplicas step, GroupAdmin.Configuration now) {
        Set<String> order = new LinkedHashSet<>(step.replicas());
        order.retainAll(now.voters());
        order.addAll(now.voters());
        return List.copyOf(order);
    }

    private void grow(PartitionRecord partition, GroupAdmin.Configuration now, List<String> wanted)
            throws InterruptedException {
        List<NodeRecord> voters = new ArrayList<>();
        List<NodeRecord> coming = new ArrayList<>();
        for (String id : wanted) {
            NodeRecord node = catalog.image().nodes().get(id);
            if (node == null) {
                throw new IllegalStateException("partition " + partition.id() + ": node " + id
                        + " is planned for and no longer in the catalog");
            }
            voters.add(node);
            if (!now.voters().contains(id)) {
                change.openReplica(node, partition);
                coming.add(node);
            }
        }
        change.run(partition, now.leader(), voters, coming);
    }
}
