package dev.weir.partition.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.CatalogCommand.Wish;
import dev.weir.partition.catalog.OperationAction.MoveReplica;
import dev.weir.partition.catalog.OperationAction.TransferLeader;
import dev.weir.partition.model.ErrorCode;
import dev.weir.wal.LogPosition;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Four partitions on two of three nodes each, so that there is a node to move to. */
final class OperationsTest {
    private FoldedImage image = CatalogSamples.born();

    private CatalogReply propose(CatalogCommand command) {
        CatalogFold.Step step = CatalogFold.step(image, image.version() + 1, CatalogLimits.DEFAULTS, command);
        image = step.image();
        return step.reply();
    }

    private void done(CatalogCommand command) {
        assertThat(propose(command)).isInstanceOf(CatalogReply.Done.class);
    }

    private void refused(CatalogCommand command, ErrorCode code, String message) {
        FoldedImage before = image;
        assertThat(propose(command)).isInstanceOfSatisfying(CatalogReply.Refused.class, no -> {
            assertThat(no.refusal().code()).isEqualTo(code);
            assertThat(no.refusal().message()).contains(message);
        });
        assertThat(List.copyOf(image.operations())).isEqualTo(List.copyOf(before.operations()));
    }

    private List<String> replicas(int partition) {
        return image.partitions().get(partition).replicas();
    }

    private MoveReplica move(int partition) {
        String free = List.of("n1", "n2", "n3").stream()
                .filter(node -> !replicas(partition).contains(node))
                .findFirst()
                .orElseThrow();
        return new MoveReplica(partition, replicas(partition).getFirst(), free);
    }

    private OperationRecord operation(String id, boolean planned, OperationAction... actions) {
        return OperationRecord.of(id, "move", image.epoch(), planned, "k", 7, List.of(actions));
    }

    private void start(String id, OperationAction... actions) {
        done(new CatalogCommand.StartOperation(operation(id, false, actions)));
    }

    private void advance(String id, int action, ActionState state) {
        done(new CatalogCommand.AdvanceAction(id, action, state, state.wireName(), 9));
    }

    private OperationState state(String id) {
        return image.operation(id).orElseThrow().state();
    }

    @Test
    void endsWhenAllItsActionsHaveEnded() {
        start("a", move(0), move(1));
        advance("a", 0, ActionState.RUNNING);
        advance("a", 0, ActionState.DONE);
        assertThat(state("a")).isEqualTo(OperationState.RUNNING);
        advance("a", 1, ActionState.DONE);
        assertThat(state("a")).isEqualTo(OperationState.DONE);
        assertThat(image.operation("a").orElseThrow().endedAtNanos()).isEqualTo(9);

        advance("a", 1, ActionState.FAILED);
        assertThat(state("a")).as("what has ended stays so").isEqualTo(OperationState.DONE);
    }

    @Test
    void hasFailedWhereOneActionHas() {
        start("a", move(0), move(1));
        advance("a", 0, ActionState.FAILED);
        advance("a", 1, ActionState.DONE);
        assertThat(state("a")).isEqualTo(OperationState.FAILED);
    }

    @Test
    void theSameAskedForAgainIsTheOneThatRuns() {
        start("a", move(0));
        start("b", move(0));
        assertThat(image.operations()).extracting(OperationRecord::id).containsExactly("a");
        refused(
                new CatalogCommand.StartOperation(
                        operation("c", false, new TransferLeader(0, replicas(0).getLast()))),
                ErrorCode.CONFLICT,
                "operation a (move) changes partition 0 already");
    }

    @Test
    void refusesWhatCantBe() {
        refused(new CatalogCommand.StartOperation(operation("a", false)), ErrorCode.BAD_REQUEST, "found 0");
        refused(
                new CatalogCommand.StartOperation(operation("a", false, new MoveReplica(9, "n1", "n2"))),
                ErrorCode.BAD_REQUEST,
                "partition 9 does not exist");
        MoveReplica good = move(0);
        refused(
                new CatalogCommand.StartOperation(operation("a", false, new MoveReplica(0, good.to(), good.from()))),
                ErrorCode.BAD_REQUEST,
                "not by " + good.to());
        refused(
                new CatalogCommand.StartOperation(operation(
                        "a", false, new MoveReplica(0, good.from(), replicas(0).getLast()))),
                ErrorCode.BAD_REQUEST,
                "already");
        refused(
                new CatalogCommand.StartOperation(operation("a", false, new MoveReplica(0, good.from(), "n9"))),
                ErrorCode.BAD_REQUEST,
                "node n9 does not exist");
        refused(
                new CatalogCommand.StartOperation(operation("a", false, new TransferLeader(0, good.to()))),
                ErrorCode.BAD_REQUEST,
                "not by " + good.to());
        refused(
                new CatalogCommand.StartOperation(operation("a", false, good, good)),
                ErrorCode.BAD_REQUEST,
                "expected one action, found two");
        refused(new CatalogCommand.SteerOperation("a", Wish.PAUSE, 8), ErrorCode.NOT_FOUND, "no operation a");
    }

    @Test
    void aPlanIsAppliedWhileTheMapIsAsItWas() {
        done(new CatalogCommand.StartOperation(operation("a", true, move(0))));
        done(new CatalogCommand.StartOperation(operation("b", true, move(0))));
        assertThat(state("a")).isEqualTo(OperationState.PLANNED);
        done(new CatalogCommand.SteerOperation("a", Wish.APPLY, 8));
        assertThat(state("a")).isEqualTo(OperationState.RUNNING);
        refused(new CatalogCommand.SteerOperation("b", Wish.APPLY, 8), ErrorCode.CONFLICT, "operation a");

        List<String> turned = List.of(replicas(1).getLast(), replicas(1).getFirst());
        done(new CatalogCommand.SetReplicas(1, turned, image.epoch()));
        refused(new CatalogCommand.SteerOperation("b", Wish.APPLY, 8), ErrorCode.CONFLICT, "make it anew");
        done(new CatalogCommand.SteerOperation("a", Wish.APPLY, 8));
        refused(
                new CatalogCommand.StartOperation(
                        OperationRecord.of("c", "move", image.epoch() - 1, false, "", 7, List.of(move(2)))),
                ErrorCode.CONFLICT,
                "make it anew");
    }

    @Test
    void isPausedAndGoesOn() {
        start("a", move(0));
        done(new CatalogCommand.SteerOperation("a", Wish.PAUSE, 8));
        done(new CatalogCommand.SteerOperation("a", Wish.PAUSE, 8));
        assertThat(state("a")).isEqualTo(OperationState.PAUSED);
        done(new CatalogCommand.SteerOperation("a", Wish.RESUME, 8));
        assertThat(state("a")).isEqualTo(OperationState.RUNNING);
        advance("a", 0, ActionState.DONE);
        refused(new CatalogCommand.SteerOperation("a", Wish.PAUSE, 8), ErrorCode.CONFLICT, "is done, expected running");
    }

    @Test
    void aCancelledOneUndoesWhatItHasBegun() {
        start("a", move(0), move(1));
        advance("a", 0, ActionState.RUNNING);
        done(new CatalogCommand.SteerOperation("a", Wish.CANCEL, 8));
        assertThat(state("a")).isEqualTo(OperationState.CANCELLING);
        assertThat(image.operation("a").orElseThrow().actions())
                .extracting(ActionRecord::state)
                .containsExactly(ActionState.RUNNING, ActionState.CANCELLED);
        advance("a", 0, ActionState.CANCELLED);
        assertThat(state("a")).isEqualTo(OperationState.CANCELLED);
        done(new CatalogCommand.SteerOperation("a", Wish.CANCEL, 8));

        start("b", move(1));
        done(new CatalogCommand.SteerOperation("b", Wish.CANCEL, 8));
        assertThat(state("b")).as("it had begun nothing").isEqualTo(OperationState.CANCELLED);
    }

    @Test
    void theOldestOfThoseThatHaveEndedAreForgotten() {
        start("first", move(1));
        for (int i = 0; i < Operations.KEPT_MAX + 5; i++) {
            String id = "%03d".formatted(i);
            start(id, move(0));
            done(new CatalogCommand.SteerOperation(id, Wish.CANCEL, 8));
        }
        assertThat(image.operations()).hasSize(Operations.KEPT_MAX + 1);
        assertThat(image.operation("004")).isEmpty();
        assertThat(image.operation("005")).isPresent();
        assertThat(state("first")).as("it runs").isEqualTo(OperationState.RUNNING);
    }

    @Test
    void snapshotsKeepThem() {
        start("a", move(0), new TransferLeader(1, replicas(1).getLast()));
        advance("a", 0, ActionState.RUNNING);
        byte[] bytes = new CatalogSnapshot(new LogPosition(1, 7), image, new ReplyMemory()).encode();
        assertThat(CatalogSnapshot.decode("s", bytes).image()).isEqualTo(image);
    }
}
