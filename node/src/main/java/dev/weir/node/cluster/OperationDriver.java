package dev.weir.node.cluster;

import dev.weir.partition.catalog.ActionRecord;
import dev.weir.partition.catalog.ActionState;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.OperationRecord;
import dev.weir.partition.catalog.OperationState;
import dev.weir.partition.catalog.PartitionRecord;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out on the catalog's leader the operations that run: one action at a time, in the order in which they were asked for. What can't be done now is
 * tried again until it can or is cancelled, while others go on; why, is said in the operation.
 *
 * <p>One thread, woken by a new image and by a timer; idle on every other node. It may be wrong about leading, and two may run at once: see {@link ActionPlan}.
 */
public final class OperationDriver implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OperationDriver.class);
    private static final long ASK_TIMEOUT_MS = 15_000;
    /** As long as a node may take to get all that a partition has; another try goes on where one has ended. */
    private static final long CATCH_UP_TIMEOUT_MS = 150_000;

    /** Characters of a failure that are kept in the catalog. */
    private static final int MESSAGE_MAX = 300;

    private final Catalog catalog;
    private final GroupAdmin admin;
    private final VoterChange change;
    private final BooleanSupplier leads;
    private final InstantSource clock;
    private final Retries retries = new Retries();
    /** By action, how often in a row a step of it has failed here. */
    private final Map<String, Integer> failures = new HashMap<>();

    private final RoundLoop loop = new RoundLoop("weir-operations", this::round);

    /** @param leads whether this node leads the catalog */
    public OperationDriver(Catalog catalog, GroupAdmin admin, BooleanSupplier leads, InstantSource clock) {
        this.catalog = catalog;
        this.admin = admin;
        this.change = new VoterChange(admin, CATCH_UP_TIMEOUT_MS);
        this.leads = leads;
        this.clock = clock;
    }

    public void start() {
        catalog.onChange(image -> loop.wake());
        loop.start();
    }

    /** Ends the loop; a step that is under way is broken off, and another driver goes on from there. */
    @Override
    public void close() {
        loop.close();
    }

    /** Takes one step; false where there is none now. */
    boolean round() throws InterruptedException {
        if (!leads.getAsBoolean()) {
            return false;
        }
        for (Due due : due(catalog.image())) {
            if (!retries.waits(due.name(), System.nanoTime())) {
                step(due);
                return true;
            }
        }
        return false;
    }

    /** An action of an operation that may be taken further. */
    private record Due(String operation, int index, ActionRecord action, boolean undo) {
        String name() {
            return operation + "/" + index + (undo ? " back" : "");
        }

        int partition() {
            return action.action().partition();
        }
    }

    private static List<Due> due(CatalogImage image) {
        List<Due> all = new ArrayList<>();
        image.operations().stream()
                .filter(each -> each.state() == OperationState.RUNNING || each.state() == OperationState.CANCELLING)
                .sorted(OperationRecord.BY_START)
                .forEach(each -> {
                    for (int i = 0; i < each.actions().size(); i++) {
                        ActionRecord action = each.actions().get(i);
                        if (!action.state().hasEnded()) {
                            all.add(new Due(each.id(), i, action, each.state() == OperationState.CANCELLING));
                        }
                    }
                });
        return all;
    }

    /**
     * What a step is found from, and done with: where the map has moved on since, the catalog refuses the step.
     *
     * @param now what the partition's log says
     */
    private record Seen(CatalogImage image, PartitionRecord partition, GroupAdmin.Configuration now) {}

    private void step(Due due) throws InterruptedException {
        try {
            take(due);
            retries.succeeded(due.name());
            failures.remove(due.name());
        } catch (VoterChange.NodeUnreachableException e) {
            // No leader's fault: another one would not reach it either.
            failed(due, e);
        } catch (CompletionException | IllegalStateException e) {
            failures.merge(due.name(), 1, Integer::sum);
            failed(due, e);
        }
    }

    private void failed(Due due, RuntimeException failure) throws InterruptedException {
        retries.failed(due.name(), System.nanoTime());
        String why = "tried again: " + shortened(Stages.message(failure));
        LOG.warn("operation {}: partition {}: {}", due.operation(), due.partition(), why);
        sayQuietly(due, why);
    }

    private void take(Due due) throws InterruptedException {
        CatalogImage image = catalog.image();
        PartitionRecord partition = image.partitions().get(due.partition());
        if (partition == null || partition.replicas().isEmpty()) {
            end(due, new ActionStep.End(ActionState.FAILED, "the partition has ended"));
            return;
        }
        Seen seen = new Seen(image, partition, Stages.get(admin.configuration(partition), ASK_TIMEOUT_MS));
        ActionStep step = ActionPlan.of(partition, seen.now(), due.undo(), failures.getOrDefault(due.name(), 0))
                .next(due.action().action());
        if (step instanceof ActionStep.End end) {
            if (end.state() == ActionState.CANCELLED) {
                settle(seen);
            }
            end(due, end);
        } else {
            say(due, ActionState.RUNNING, step.message());
            LOG.info("operation {}: partition {}: {}", due.operation(), due.partition(), step.message());
            perform(seen, step);
        }
    }

    private void end(Due due, ActionStep.End end) throws InterruptedException {
        say(due, end.state(), end.message());
        LOG.info("operation {}: {} {}: {}", due.operation(), due.action().action(), end.state(), end.message());
    }

    /** A change of voters that was begun and not heard of would still come true: the log refuses this one until it has, or has failed. */
    private void settle(Seen seen) throws InterruptedException {
        change.run(seen.partition(), seen.now().leader(), nodes(seen.now().voters()), List.of());
    }

    private static String shortened(String message) {
        return message.length() <= MESSAGE_MAX ? message : message.substring(0, MESSAGE_MAX) + "…";
    }

    private void perform(Seen seen, ActionStep step) throws InterruptedException {
        PartitionRecord partition = seen.partition();
        GroupAdmin.Configuration now = seen.now();
        switch (step) {
            case ActionStep.AddVoter add -> {
                List<String> voters = new ArrayList<>(now.voters());
                voters.add(add.node());
                change.openReplica(node(add.node()), partition);
                change.run(partition, now.leader(), nodes(voters), nodes(List.of(add.node())));
            }
            case ActionStep.RemoveVoter remove -> {
                List<String> voters = new ArrayList<>(now.voters());
                voters.remove(remove.node());
                change.run(partition, now.leader(), nodes(voters), List.of());
            }
            case ActionStep.HandOver hand -> handOver(seen, hand.node());
            case ActionStep.SetMap set ->
                Stages.get(
                        catalog.propose(new CatalogCommand.SetReplicas(
                                partition.id(), set.replicas(), seen.image().epoch())),
                        ASK_TIMEOUT_MS);
            case ActionStep.End end -> throw new IllegalArgumentException("an end is said, not performed");
        }
    }

    private void handOver(Seen seen, String node) throws InterruptedException {
        if (!seen.partition().replicas().contains(node)) {
            // It has no other reason to open it after a restart.
            try {
                change.openReplica(node(node), seen.partition());
            } catch (VoterChange.NodeUnreachableException e) {
                // It counts: the next try goes to another one.
                throw new CompletionException(e);
            }
        }
        Stages.get(admin.handOver(seen.now().leader(), seen.partition(), node), ASK_TIMEOUT_MS);
    }

    private List<NodeRecord> nodes(List<String> ids) {
        return ids.stream().map(this::node).toList();
    }

    private NodeRecord node(String id) {
        NodeRecord node = catalog.image().nodes().get(id);
        if (node == null) {
            throw new IllegalStateException("node " + id + " is not in the catalog");
        }
        return node;
    }

    private void say(Due due, ActionState state, String message) throws InterruptedException {
        ActionRecord said = catalog.image()
                .operation(due.operation())
                .map(now -> now.actions().get(due.index()))
                .orElse(due.action());
        if (said.state() != state || !said.message().equals(message)) {
            Stages.get(
                    catalog.propose(
                            new CatalogCommand.AdvanceAction(due.operation(), due.index(), state, message, nowNanos())),
                    ASK_TIMEOUT_MS);
        }
    }

    /** Of a step that has failed: where this can't be said either, the step is tried again all the same. */
    private void sayQuietly(Due due, String message) throws InterruptedException {
        try {
            say(due, ActionState.RUNNING, message);
        } catch (CompletionException e) {
            LOG.debug("operation {}: nothing can be said of it", due.operation(), e);
        }
    }

    private long nowNanos() {
        return Math.multiplyExact(clock.millis(), 1_000_000L);
    }
}
