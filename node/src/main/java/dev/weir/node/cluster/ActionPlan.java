package dev.weir.node.cluster;

import dev.weir.partition.catalog.ActionState;
import dev.weir.partition.catalog.OperationAction;
import dev.weir.partition.catalog.OperationAction.MoveReplica;
import dev.weir.partition.catalog.OperationAction.TransferLeader;
import dev.weir.partition.catalog.PartitionRecord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What comes next for an action, from what the map and the partition's own log say now; so whoever goes on after a crash does the step that is missing. Pure.
 *
 * <pre>
 *   move:  add the new voter ──▶ hand leadership over, if the old one has it ──▶ map ──▶ remove the old voter
 * </pre>
 *
 * The log has a quorum in each of these states, with one node down where three hold the partition; and what the map names always votes. Once the map says so,
 * a move is finished and not taken back.
 *
 * @param mapped the nodes that the map names
 * @param now what the partition's log says
 * @param undo what was begun is to be taken back, where that is still possible
 * @param tries steps of this action that have failed in a row: who could not take leadership over is not the only one asked
 */
record ActionPlan(List<String> mapped, GroupAdmin.Configuration now, boolean undo, int tries) {
    private static final int TRIES_OF_A_LEADER = 3;

    static ActionPlan of(PartitionRecord partition, GroupAdmin.Configuration now, boolean undo, int tries) {
        return new ActionPlan(partition.replicas(), now, undo, tries);
    }

    ActionStep next(OperationAction action) {
        return switch (action) {
            case MoveReplica move -> move(move.from(), move.to());
            case TransferLeader transfer -> transfer(transfer.to());
        };
    }

    private ActionStep move(String from, String to) {
        boolean hasOld = mapped.contains(from);
        boolean hasNew = mapped.contains(to);
        if (hasNew && !hasOld) {
            return leave(from, ActionState.DONE);
        }
        if (hasNew || !hasOld) {
            return heldOtherwise();
        }
        if (undo) {
            return leave(to, ActionState.CANCELLED);
        }
        if (!now.voters().contains(to)) {
            // A leader may wait for ever for a voter that has lost what it was sent already; another one begins from
            // what that has.
            boolean stuck = tries > 0 && tries % TRIES_OF_A_LEADER == 0 && mapped.size() > 1;
            return stuck ? handOver(mapped) : new ActionStep.AddVoter(to);
        }
        if (now.leader().equals(from)) {
            // To one that the map names before and after, where there is one: writers look for leaders there first.
            List<String> order = new ArrayList<>(mapped);
            order.add(to);
            return handOver(order);
        }
        List<String> wanted = new ArrayList<>(mapped);
        wanted.replaceAll(node -> node.equals(from) ? to : node);
        return new ActionStep.SetMap(wanted);
    }

    /** Until the node votes no more: then the action has ended so. */
    private ActionStep leave(String node, ActionState ended) {
        if (!now.voters().contains(node)) {
            return new ActionStep.End(ended, "held by " + String.join(", ", mapped));
        }
        return now.leader().equals(node) ? handOver(mapped) : new ActionStep.RemoveVoter(node);
    }

    /** To one of them that votes: the first, where nothing has failed yet. */
    private ActionStep handOver(List<String> order) {
        List<String> candidates = order.stream()
                .filter(node -> now.voters().contains(node) && !node.equals(now.leader()))
                .toList();
        return candidates.isEmpty()
                ? new ActionStep.End(ActionState.FAILED, "nobody else votes who could lead")
                : new ActionStep.HandOver(candidates.get(tries % candidates.size()));
    }

    private ActionStep transfer(String to) {
        if (!mapped.contains(to)) {
            return heldOtherwise();
        }
        boolean leads = now.leader().equals(to);
        if (leads && mapped.getFirst().equals(to)) {
            return new ActionStep.End(ActionState.DONE, "led by " + to);
        }
        if (undo) {
            return new ActionStep.End(ActionState.CANCELLED, "led by " + now.leader());
        }
        if (!leads) {
            return new ActionStep.HandOver(to);
        }
        Set<String> order = new LinkedHashSet<>(List.of(to));
        order.addAll(mapped);
        return new ActionStep.SetMap(List.copyOf(order));
    }

    private ActionStep heldOtherwise() {
        return new ActionStep.End(
                ActionState.FAILED, "the partition is held by " + String.join(", ", mapped) + " meanwhile");
    }
}
