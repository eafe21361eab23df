package dev.weir.partition.catalog;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A long change of the cluster that somebody asked for.
 *
 * @param kind in what way it was asked for: what an operator typed
 * @param epoch of the partition map that it was planned for
 * @param by who asked, as a token's id; empty where authentication is off
 * @param startedAtNanos when it was asked for, or applied where it was planned first, ns since 1970
 * @param endedAtNanos 0 while it has not ended
 * @param actions in the order in which they begin
 */
public record OperationRecord(
        String id,
        String kind,
        long epoch,
        OperationState state,
        String by,
        long startedAtNanos,
        long endedAtNanos,
        List<ActionRecord> actions) {
    /** In the order in which they were asked for. */
    public static final Comparator<OperationRecord> BY_START =
            Comparator.comparingLong(OperationRecord::startedAtNanos).thenComparing(OperationRecord::id);

    public OperationRecord {
        actions = List.copyOf(actions);
    }

    /** @param planned to be looked at first, and applied later */
    public static OperationRecord of(
            String id,
            String kind,
            long epoch,
            boolean planned,
            String by,
            long nowNanos,
            List<OperationAction> actions) {
        return new OperationRecord(
                id,
                kind,
                epoch,
                planned ? OperationState.PLANNED : OperationState.RUNNING,
                by,
                nowNanos,
                0,
                actions.stream().map(ActionRecord::waiting).toList());
    }

    /** Partitions that it has begun to change, or will. */
    public Stream<Integer> partitionsToChange() {
        return actions.stream()
                .filter(each -> !each.state().hasEnded())
                .map(each -> each.action().partition());
    }

    /** Whether both would do the same. */
    public boolean isLike(OperationRecord other) {
        return kind.equals(other.kind) && plan().equals(other.plan());
    }

    private List<OperationAction> plan() {
        return actions.stream().map(ActionRecord::action).toList();
    }

    OperationRecord withState(OperationState now) {
        return new OperationRecord(id, kind, epoch, now, by, startedAtNanos, endedAtNanos, actions);
    }

    OperationRecord begun(long nowNanos) {
        return new OperationRecord(id, kind, epoch, OperationState.RUNNING, by, nowNanos, 0, actions);
    }

    OperationRecord with(int action, ActionState now, String message) {
        List<ActionRecord> all = new ArrayList<>(actions);
        all.set(action, new ActionRecord(all.get(action).action(), now, message));
        return new OperationRecord(id, kind, epoch, state, by, startedAtNanos, endedAtNanos, all);
    }

    OperationRecord ended(OperationState how, long nowNanos) {
        return new OperationRecord(id, kind, epoch, how, by, startedAtNanos, nowNanos, actions);
    }
}
