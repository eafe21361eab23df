package dev.weir.partition.catalog;

import dev.weir.partition.model.ErrorCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What becomes of operations. Part of {@link CatalogFold}'s rules: pure. */
final class Operations {
    /** Those that have ended, or were only planned, and are kept to be looked at. */
    static final int KEPT_MAX = 100;

    /** Actions of one operation. */
    static final int ACTIONS_MAX = 10_000;

    private final FoldedImage image;
    private final long version;

    Operations(FoldedImage image, long version) {
        this.image = image;
        this.version = version;
    }

    CatalogDecision decide(CatalogCommand.Operation command) {
        return switch (command) {
            case CatalogCommand.StartOperation start -> start(start.operation());
            case CatalogCommand.SteerOperation steer -> steer(steer);
            case CatalogCommand.AdvanceAction advance -> advance(advance);
        };
    }

    private CatalogDecision start(OperationRecord asked) {
        if (image.operation(asked.id()).isPresent() || isRunning(asked)) {
            return CatalogDecision.done(version);
        }
        if (asked.actions().isEmpty() || asked.actions().size() > ACTIONS_MAX) {
            return CatalogDecision.refused(
                    version,
                    ErrorCode.BAD_REQUEST,
                    "operation: expected 1 to " + ACTIONS_MAX + " actions, found "
                            + asked.actions().size());
        }
        if (asked.epoch() != image.epoch()) {
            return stale(asked);
        }
        Optional<CatalogDecision> refusal = refusal(asked);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        List<CatalogChange> changes = new ArrayList<>();
        forgotten().forEach(old -> changes.add(new CatalogChange.OperationRemoved(old.id())));
        changes.add(new CatalogChange.OperationPut(asked));
        return new CatalogDecision(changes, new CatalogReply.Done(version));
    }

    private boolean isRunning(OperationRecord asked) {
        return asked.state() == OperationState.RUNNING
                && image.operations().stream().anyMatch(each -> each.state().isLive() && each.isLike(asked));
    }

    private CatalogDecision stale(OperationRecord asked) {
        return CatalogDecision.refused(
                version,
                ErrorCode.CONFLICT,
                "the plan was made for epoch " + asked.epoch() + " of the partition map, which has epoch "
                        + image.epoch() + " now: make it anew");
    }

    private Optional<CatalogDecision> refusal(OperationRecord asked) {
        Set<Integer> mine = new HashSet<>();
        for (ActionRecord each : asked.actions()) {
            OperationAction action = each.action();
            Optional<String> fault = fault(action);
            if (fault.isEmpty() && !mine.add(action.partition())) {
                fault = Optional.of("partition " + action.partition() + ": expected one action, found two");
            }
            if (fault.isPresent()) {
                return Optional.of(CatalogDecision.refused(version, ErrorCode.BAD_REQUEST, fault.get()));
            }
        }
        return asked.state() == OperationState.PLANNED ? Optional.empty() : conflict(asked);
    }

    /** A partition is changed by one operation at a time. */
    private Optional<CatalogDecision> conflict(OperationRecord asked) {
        Set<Integer> mine = new HashSet<>(asked.partitionsToChange().toList());
        for (OperationRecord other : image.operations()) {
            Optional<Integer> both = other.state().isLive()
                    ? other.partitionsToChange().filter(mine::contains).findFirst()
                    : Optional.empty();
            if (both.isPresent() && !other.id().equals(asked.id())) {
                return Optional.of(CatalogDecision.refused(
                        version,
                        ErrorCode.CONFLICT,
                        "operation " + other.id() + " (" + other.kind() + ") changes partition " + both.get()
                                + " already"));
            }
        }
        return Optional.empty();
    }

    private Optional<String> fault(OperationAction action) {
        PartitionRecord partition = image.partitions().get(action.partition());
        if (partition == null || partition.replicas().isEmpty()) {
            return Optional.of("partition " + action.partition() + " does not exist");
        }
        String on = "partition " + partition.id() + " is held by " + partition.replicas();
        return switch (action) {
            case OperationAction.MoveReplica move -> {
                if (!partition.replicas().contains(move.from())) {
                    yield Optional.of(on + ", not by " + move.from());
                }
                if (partition.replicas().contains(move.to())) {
                    yield Optional.of(on + ", by " + move.to() + " already");
                }
                yield image.nodes().containsKey(move.to())
                        ? Optional.<String>empty()
                        : Optional.of("node " + move.to() + " does not exist");
            }
            case OperationAction.TransferLeader transfer ->
                partition.replicas().contains(transfer.to())
                        ? Optional.<String>empty()
                        : Optional.of(on + ", not by " + transfer.to());
        };
    }

    /** The oldest, so that there is room for one more. */
    private List<OperationRecord> forgotten() {
        List<OperationRecord> kept = image.operations().stream()
                .filter(each -> !each.state().isLive())
                .sorted(OperationRecord.BY_START)
                .toList();
        return kept.subList(0, Math.max(0, kept.size() - KEPT_MAX + 1));
    }

    private CatalogDecision steer(CatalogCommand.SteerOperation steer) {
        Optional<OperationRecord> found = image.operation(steer.id());
        if (found.isEmpty()) {
            return CatalogDecision.refused(version, ErrorCode.NOT_FOUND, "no operation " + steer.id() + " is known");
        }
        OperationRecord now = found.get();
        return switch (steer.wish()) {
            case APPLY -> apply(now, steer.nowNanos());
            case PAUSE -> turned(now, OperationState.RUNNING, OperationState.PAUSED);
            case RESUME -> turned(now, OperationState.PAUSED, OperationState.RUNNING);
            case CANCEL -> cancel(now, steer.nowNanos());
        };
    }

    private CatalogDecision apply(OperationRecord now, long nowNanos) {
        if (now.state() != OperationState.PLANNED) {
            return now.state().isLive() ? CatalogDecision.done(version) : not(now, OperationState.PLANNED);
        }
        if (now.epoch() != image.epoch()) {
            return stale(now);
        }
        return conflict(now).orElseGet(() -> put(now.begun(nowNanos)));
    }

    private CatalogDecision turned(OperationRecord now, OperationState from, OperationState to) {
        if (now.state() == to) {
            return CatalogDecision.done(version);
        }
        return now.state() == from ? put(now.withState(to)) : not(now, from);
    }

    private CatalogDecision cancel(OperationRecord now, long nowNanos) {
        if (now.state().hasEnded()) {
            return now.state() == OperationState.CANCELLED
                    ? CatalogDecision.done(version)
                    : not(now, OperationState.RUNNING);
        }
        OperationRecord after = now.withState(OperationState.CANCELLING);
        for (int i = 0; i < after.actions().size(); i++) {
            if (after.actions().get(i).state() == ActionState.WAITING) {
                after = after.with(i, ActionState.CANCELLED, "");
            }
        }
        return put(settled(after, nowNanos));
    }

    private CatalogDecision not(OperationRecord now, OperationState expected) {
        return CatalogDecision.refused(
                version,
                ErrorCode.CONFLICT,
                "operation " + now.id() + " is " + now.state().wireName() + ", expected " + expected.wireName());
    }

    private CatalogDecision advance(CatalogCommand.AdvanceAction advance) {
        Optional<OperationRecord> found = image.operation(advance.id());
        if (found.isEmpty()
                || !found.get().state().isLive()
                || advance.action() < 0
                || advance.action() >= found.get().actions().size()
                || found.get().actions().get(advance.action()).state().hasEnded()) {
            return CatalogDecision.done(version);
        }
        OperationRecord after =
                settled(found.get().with(advance.action(), advance.state(), advance.message()), advance.nowNanos());
        return after.equals(found.get()) ? CatalogDecision.done(version) : put(after);
    }

    /** Once all actions have ended, so has the operation. */
    private static OperationRecord settled(OperationRecord now, long nowNanos) {
        Set<ActionState> states = new HashSet<>();
        now.actions().forEach(each -> states.add(each.state()));
        if (!states.stream().allMatch(ActionState::hasEnded)) {
            return now;
        }
        if (states.contains(ActionState.FAILED)) {
            return now.ended(OperationState.FAILED, nowNanos);
        }
        return now.ended(
                states.contains(ActionState.CANCELLED) ? OperationState.CANCELLED : OperationState.DONE, nowNanos);
    }

    private CatalogDecision put(OperationRecord after) {
        return CatalogDecision.done(version, new CatalogChange.OperationPut(after));
    }
}
