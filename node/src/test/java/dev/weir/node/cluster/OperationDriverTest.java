package dev.weir.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.partition.catalog.ActionState;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogCommand.Wish;
import dev.weir.partition.catalog.OperationAction;
import dev.weir.partition.catalog.OperationRecord;
import dev.weir.partition.catalog.OperationState;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Partition 0 is held by n1, n2, n3 and led by n1; n4 and n5 are there. */
final class OperationDriverTest {
    private static final OperationAction.MoveReplica MOVE = new OperationAction.MoveReplica(0, "n1", "n4");
    private static final int ROUNDS_MAX = 50;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final FoldedCatalog catalog = new FoldedCatalog();
    private final ScriptedGroup group = new ScriptedGroup();
    private int steps;

    private OperationDriver driver() {
        return new OperationDriver(catalog, group, () -> true, InstantSource.system());
    }

    @BeforeEach
    void threeReplicas() {
        catalog.propose(new CatalogCommand.SetReplicas(0, List.of("n1", "n2", "n3"), catalog.image.epoch()));
        group.voters = List.of("n1", "n2", "n3");
    }

    private void start(OperationAction action) {
        catalog.propose(new CatalogCommand.StartOperation(
                OperationRecord.of("o", action.kind(), catalog.image.epoch(), false, "", 1, List.of(action))));
    }

    private void steer(Wish wish) {
        catalog.propose(new CatalogCommand.SteerOperation("o", wish, 2));
    }

    private OperationState state() {
        return catalog.image.operation("o").orElseThrow().state();
    }

    private List<String> replicas() {
        return catalog.image.partitions().get(0).replicas();
    }

    private static void drive(OperationDriver driver) throws InterruptedException {
        for (int i = 0; i < ROUNDS_MAX && driver.round(); i++) {
            // Each round is one step.
        }
    }

    @Test
    void movesWithoutAMomentInWhichTheMapNamesWhoDoesNotVote() throws InterruptedException {
        start(MOVE);
        catalog.meanwhile = () -> assertThat(group.voters).containsAll(replicas());
        group.meanwhile = catalog.meanwhile;
        drive(driver());
        assertThat(group.calls)
                .containsExactly("open n4", "voters n1 n2 n3 n4 at n1", "leader n2", "voters n2 n3 n4 at n2");
        assertThat(replicas()).containsExactly("n4", "n2", "n3");
        assertThat(state()).isEqualTo(OperationState.DONE);
    }

    @Test
    void handsLeadershipOver() throws InterruptedException {
        start(new OperationAction.TransferLeader(0, "n3"));
        drive(driver());
        assertThat(group.calls).containsExactly("leader n3");
        assertThat(replicas()).containsExactly("n3", "n1", "n2");
        assertThat(state()).isEqualTo(OperationState.DONE);
    }

    /** The one who carries it out dies right after the n-th thing that it has done; another goes on. */
    @Test
    void isFinishedWhereverItBreaksOff() throws InterruptedException {
        int calls = 0;
        for (int crash = 1; calls == crash - 1; crash++) {
            OperationDriverTest world = new OperationDriverTest();
            world.threeReplicas();
            world.start(MOVE);
            world.breakOffAt(crash);
            calls = world.steps;
            drive(world.driver());
            assertThat(world.replicas()).as("broken off at " + crash).containsExactly("n4", "n2", "n3");
            assertThat(world.group.voters).containsExactly("n2", "n3", "n4");
            assertThat(world.state()).isEqualTo(OperationState.DONE);
        }
        assertThat(calls).as("steps of a move").isGreaterThan(8);
    }

    /** Cancelled at each step: either all is as it was, or it was finished already. */
    @Test
    void isTakenBackOrFinishedWhereverItIsCancelled() throws InterruptedException {
        int calls = 0;
        boolean wasDone = false;
        for (int at = 1; calls == at - 1; at++) {
            OperationDriverTest world = new OperationDriverTest();
            world.threeReplicas();
            world.start(MOVE);
            world.breakOffAt(at);
            calls = world.steps;
            world.steer(Wish.CANCEL);
            drive(world.driver());
            assertThat(world.group.voters)
                    .as("cancelled at " + at)
                    .containsExactlyInAnyOrderElementsOf(world.replicas());
            boolean done = world.state() == OperationState.DONE;
            assertThat(done || world.state() == OperationState.CANCELLED).isTrue();
            assertThat(world.replicas())
                    .containsExactlyElementsOf(done ? List.of("n4", "n2", "n3") : List.of("n1", "n2", "n3"));
            assertThat(wasDone && !done).as("once done it stays so").isFalse();
            wasDone = done;
        }
        assertThat(wasDone).isTrue();
    }

    /** Ends with the driver in the middle of whatever it does. */
    private void breakOffAt(int step) throws InterruptedException {
        Runnable counted = () -> {
            if (++steps == step) {
                throw new BrokenOff();
            }
        };
        group.meanwhile = counted;
        catalog.meanwhile = counted;
        try {
            drive(driver());
        } catch (BrokenOff e) {
            // As wanted.
        }
        group.meanwhile = () -> {};
        catalog.meanwhile = () -> {};
    }

    private static final class BrokenOff extends Error {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void takesNoStepWhilePaused() throws InterruptedException {
        start(MOVE);
        OperationDriver driver = driver();
        driver.round();
        steer(Wish.PAUSE);
        assertThat(driver.round()).isFalse();
        steer(Wish.RESUME);
        drive(driver);
        assertThat(state()).isEqualTo(OperationState.DONE);
    }

    @Test
    void saysWhyItCantGoOnAndTriesAgain() throws InterruptedException {
        start(MOVE);
        group.unreachable = "n4";
        OperationDriver driver = driver();
        driver.round();
        assertThat(driver.round()).as("it waits a little").isFalse();
        assertThat(catalog.image
                        .operation("o")
                        .orElseThrow()
                        .actions()
                        .getFirst()
                        .message())
                .isEqualTo("tried again: node n4: connection refused");
        assertThat(state()).isEqualTo(OperationState.RUNNING);
        assertThat(group.voters).containsExactly("n1", "n2", "n3");

        group.unreachable = "";
        drive(driver());
        assertThat(state()).isEqualTo(OperationState.DONE);
    }

    /** Of the image that the step was found in: a map that has moved on meanwhile is not overwritten. */
    @Test
    void aMapThatMovesOnBetweenPlanAndStepStays() throws InterruptedException {
        start(MOVE);
        group.voters = List.of("n1", "n2", "n3", "n4");
        group.leader = "n2";
        List<String> elsewhere = List.of("n2", "n3", "n1");
        catalog.meanwhile = () -> {
            catalog.meanwhile = () -> {};
            catalog.propose(new CatalogCommand.SetReplicas(0, elsewhere, catalog.image.epoch()));
        };
        OperationDriver driver = driver();
        driver.round();
        assertThat(replicas()).isEqualTo(elsewhere);
        drive(driver());
        assertThat(replicas()).containsExactly("n2", "n3", "n4");
    }

    @Test
    void saysEachTimeWhyItIsTriedAgain() throws InterruptedException {
        start(MOVE);
        group.unreachable = "n4";
        for (int tries = 0; tries < 4; tries++) {
            driver().round();
            assertThat(catalog.image
                            .operation("o")
                            .orElseThrow()
                            .actions()
                            .getFirst()
                            .message())
                    .isEqualTo("tried again: node n4: connection refused");
        }
    }

    /** A change of voters that nobody heard the end of would come true after the cancel. */
    @Test
    void aCancelWaitsUntilNoChangeOfVotersIsUnderWay() throws InterruptedException {
        start(MOVE);
        driver().round();
        group.voters = List.of("n1", "n2", "n3");
        steer(Wish.CANCEL);
        group.busy = true;
        driver().round();
        assertThat(state()).isEqualTo(OperationState.CANCELLING);
        group.busy = false;
        drive(driver());
        assertThat(state()).isEqualTo(OperationState.CANCELLED);
    }

    @Test
    void whoIsNotReachedMakesNobodyElseLead() throws InterruptedException {
        start(MOVE);
        group.unreachable = "n4";
        OperationDriver driver = new OperationDriver(catalog, group, () -> true, InstantSource.system());
        for (int tries = 0; tries < 3; tries++) {
            await().atMost(PATIENCE).until(driver::round);
        }
        assertThat(group.leader).isEqualTo("n1");
        await().atMost(PATIENCE).until(driver::round);
        assertThat(group.calls).isEmpty();
    }

    @Test
    void anotherLeaderTakesInWhomOneCantTakeIn() {
        GroupAdmin.Configuration now = new GroupAdmin.Configuration("n1", List.of("n1", "n2", "n3"));
        for (int tries = 0; tries < 7; tries++) {
            ActionStep step = new ActionPlan(now.voters(), now, false, tries).next(MOVE);
            assertThat(step)
                    .isInstanceOf(tries == 3 || tries == 6 ? ActionStep.HandOver.class : ActionStep.AddVoter.class);
        }
    }

    @Test
    void failsWhereTheMapHasMovedOn() throws InterruptedException {
        start(MOVE);
        catalog.propose(new CatalogCommand.SetReplicas(0, List.of("n2", "n3"), catalog.image.epoch()));
        drive(driver());
        assertThat(state()).isEqualTo(OperationState.FAILED);
        assertThat(catalog.image
                        .operation("o")
                        .orElseThrow()
                        .actions()
                        .getFirst()
                        .state())
                .isEqualTo(ActionState.FAILED);
        assertThat(group.calls).isEmpty();
    }

    @Test
    void doesNothingWhereItDoesNotLead() throws InterruptedException {
        start(MOVE);
        OperationDriver idle = new OperationDriver(catalog, group, () -> false, InstantSource.system());
        assertThat(idle.round()).isFalse();
        assertThat(group.calls).isEmpty();
    }
}
