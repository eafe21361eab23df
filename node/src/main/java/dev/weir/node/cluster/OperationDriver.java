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
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
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
    private static final Duration TICK = Duration.ofSeconds(1);
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
    private final Signal signal = new Signal();
    private final Retries retries = new Retries();
    /** By action, how often in a row a step of it has failed here. */
    private final Map<String, Integer> failures = new HashMap<>();

    private final Thread thread;
    private volatile boolean closed;

    /** @param leads whether this node leads the catalog */
    public OperationDriver(Catalog catalog, GroupAdmin admin, BooleanSupplier leads, InstantSource clock) {
        this.catalog = catalog;
        this.admin = admin;
        this.change = new VoterChange(admin, CATCH_UP_TIMEOUT_MS);
        this.leads = leads;
        this.clock = clock;
        this.thread = Thread.ofPlatform().name("weir-operations").daemon().unstarted(this::loop);
    }

    public void start() {
        catalog.onChange(image -> signal.raise());
        thread.start();
    }

    /** Ends the loop; a step that is under way is broken off, and another driver goes on from there. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void loop() {
        while (!closed) {
            try {
                if (!round()) {
                    signal.await(TICK);
                }
            } catch (InterruptedException e) {
                if (!closed) {
                    LOG.warn("operations were interrupted without being closed; they go on");
                }
            } catch (RuntimeException e) {
                LOG.error("operations: a fault of ours, tried again", e);
                Signal.pause(TICK);
            }
        }
    }

    /** Takes one step; false where there is none now. */
    boolean round() throws InterruptedException {
        if (!leads.getAsBoolean()) {
            return false;
        }
        for (Due due : due(catalog.image())) {
            if (closed) {
                return false;
            }
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
    }

    private static List<Due> due(CatalogImage image) {
        List<Due> all = new ArrayList<>();
        image.operations().stream()
                .filter(each -> each.state() == OperationState.RUNNING || each.state() == OperationState.CANCELLING)
                .sorted(Comparator.comparingLong(OperationRecord::startedAtNanos)
                        .thenComparing(OperationRecord::id))
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

    private void step(Due due) throws InterruptedException {
        try {
            ActionStep step = next(due);
            if (step instanceof ActionStep.End end) {
                say(due, end.state(), end.message());
                LOG.info(
                        "operation {}: {} {}: {}", due.operation(), due.action().action(), end.state(), end.message());
            } else {
                say(due, ActionState.RUNNING, step.message());
                LOG.info("operation {}: partition {}: {}", due.operation(), partitionId(due), step.message());
                perform(due, step);
            }
            retries.succeeded(due.name());
            failures.remove(due.name());
        } catch (CompletionException | IllegalStateException e) {
            retries.failed(due.name(), System.nanoTime());
            failures.merge(due.name(), 1, Integer::sum);
            String why = "tried again: " + shortened(Stages.message(e));
            LOG.warn("operation {}: partition {}: {}", due.operation(), partitionId(due), why);
            sayQuietly(due, why);
        }
    }

    private static String shortened(String message) {
        return message.length() <= MESSAGE_MAX ? message : message.substring(0, MESSAGE_MAX) + "…";
    }

    private static int partitionId(Due due) {
        return due.action().action().partition();
    }

    private ActionStep next(Due due) throws InterruptedException {
        PartitionRecord partition = catalog.image().partitions().get(partitionId(due));
        if (partition == null || partition.replicas().isEmpty()) {
            return new ActionStep.End(ActionState.FAILED, "the partition has ended");
        }
        GroupAdmin.Configuration now = Stages.get(admin.configuration(partition), ASK_TIMEOUT_MS);
        return ActionPlan.of(partition, now, due.undo(), failures.getOrDefault(due.name(), 0))
                .next(due.action().action());
    }

    private void perform(Due due, ActionStep step) throws InterruptedException {
        CatalogImage image = catalog.image();
        PartitionRecord partition = image.partitions().get(partitionId(due));
        if (partition == null) {
            return;
        }
        GroupAdmin.Configuration now = Stages.get(admin.configuration(partition), ASK_TIMEOUT_MS);
        switch (step) {
            case ActionStep.AddVoter add -> {
                List<String> voters = new ArrayList<>(now.voters());
                voters.remove(add.node());
                voters.add(add.node());
                openReplica(add.node(), partition);
                change.run(partition, now.leader(), nodes(voters), nodes(List.of(add.node())));
            }
            case ActionStep.RemoveVoter remove -> {
                List<String> voters = new ArrayList<>(now.voters());
                voters.remove(remove.node());
                change.run(partition, now.leader(), nodes(voters), List.of());
            }
            case ActionStep.HandOver hand -> {
                if (!partition.replicas().contains(hand.node())) {
                    // It has no other reason to open it after a restart.
                    openReplica(hand.node(), partition);
                }
                Stages.get(admin.handOver(now.leader(), partition, hand.node()), ASK_TIMEOUT_MS);
            }
            case ActionStep.SetMap set ->
                Stages.get(
                        catalog.propose(new CatalogCommand.SetReplicas(partition.id(), set.replicas(), image.epoch())),
                        ASK_TIMEOUT_MS);
            case ActionStep.End end -> throw new IllegalArgumentException("an end is said, not performed");
        }
    }

    private void openReplica(String node, PartitionRecord partition) throws InterruptedException {
        Stages.get(admin.openReplica(node(node), partition), ASK_TIMEOUT_MS);
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
        if (due.action().state() != state || !due.action().message().equals(message)) {
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
