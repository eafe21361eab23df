package dev.weir.node.cluster;

import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.PartitionRecord;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes who votes in a partition's log. While new voters catch up they are asked again and again to open their replicas: one that restarts meanwhile has no
 * other reason to, since the map does not name it yet, and the leader would wait for it. Blocks.
 */
final class VoterChange {
    private static final Logger LOG = LoggerFactory.getLogger(VoterChange.class);
    private static final long OPEN_TIMEOUT_MS = 15_000;
    private static final long ASK_AGAIN_MS = 2_000;

    private final GroupAdmin admin;
    private final long timeoutMs;

    /** @param timeoutMs as long as new voters may take to get all that a partition has; another change goes on where one has ended */
    VoterChange(GroupAdmin admin, long timeoutMs) {
        this.admin = admin;
        this.timeoutMs = timeoutMs;
    }

    /** A node could not be given a replica; another one may be tried. */
    static final class NodeUnreachableException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final String nodeId;

        NodeUnreachableException(String nodeId, Throwable cause) {
            super("node " + nodeId + ": " + Stages.message(cause), cause);
            this.nodeId = nodeId;
        }

        String nodeId() {
            return nodeId;
        }
    }

    /** @throws NodeUnreachableException it does not open one, or does not say so */
    void openReplica(NodeRecord node, PartitionRecord partition) throws InterruptedException {
        try {
            Stages.get(admin.openReplica(node, partition), OPEN_TIMEOUT_MS);
        } catch (CompletionException e) {
            throw new NodeUnreachableException(node.id(), e);
        }
    }

    /**
     * @param coming those of the voters that are new; their replicas are open
     * @throws CompletionException it can't be said that it is done
     */
    void run(PartitionRecord partition, String leader, List<NodeRecord> voters, List<NodeRecord> coming)
            throws InterruptedException {
        CompletableFuture<Void> changed = new CompletableFuture<>();
        admin.setVoters(leader, partition, voters).whenComplete((done, failure) -> {
            if (failure == null) {
                changed.complete(null);
            } else {
                changed.completeExceptionally(failure);
            }
        });
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (!isOver(changed, coming.isEmpty() ? timeoutMs : ASK_AGAIN_MS)) {
            if (System.nanoTime() - deadline > 0) {
                throw new CompletionException(new TimeoutException("no new voters within " + timeoutMs + " ms"));
            }
            coming.forEach(node -> openAgain(node, partition));
        }
    }

    private static boolean isOver(CompletableFuture<Void> changed, long waitMs) throws InterruptedException {
        try {
            changed.get(waitMs, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new CompletionException(Stages.cause(e));
        }
    }

    /** Not waited for: the node may be on its way up. */
    private void openAgain(NodeRecord node, PartitionRecord partition) {
        admin.openReplica(node, partition).whenComplete((done, failure) -> {
            if (failure != null) {
                LOG.debug("node {} does not open partition {} yet: {}", node.id(), partition.id(), failure.toString());
            }
        });
    }
}
