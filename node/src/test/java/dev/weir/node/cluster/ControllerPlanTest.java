package dev.weir.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogFold;
import dev.weir.partition.catalog.CatalogLimits;
import dev.weir.partition.catalog.FoldedImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.placement.PlacementPlanner;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPeer;
import dev.weir.wal.LogStatus;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ControllerPlanTest {
    private FoldedImage image = born("n1");

    @Test
    void nothingToDoInAHealthyCluster() {
        image = born("n1", "n2", "n3");

        assertThat(steps(status(List.of("n1", "n2", "n3"), List.of(), Map.of()), List.of(), Set.of()))
                .isEmpty();
    }

    @Test
    void nothingBeforeBirth() {
        image = FoldedImage.empty();

        assertThat(steps(status(List.of("n1"), List.of(), Map.of()), List.of(BootWorld.record("n2")), Set.of()))
                .isEmpty();
    }

    @Test
    void joinerBecomesListener() {
        assertThat(steps(status(List.of("n1"), List.of(), Map.of()), List.of(BootWorld.record("n2")), Set.of()))
                .containsExactly(members(List.of("n1"), List.of("n2")));
    }

    @Test
    void votersAreRaisedToThreeInOneStepOnceListenersHaveCaughtUp() {
        start("n2");
        start("n3");
        List<String> listeners = List.of("n2", "n3");

        assertThat(members(status(List.of("n1"), listeners, Map.of("n2", 100L, "n3", 5L))))
                .as("n3 lags")
                .isEmpty();
        assertThat(members(status(List.of("n1"), listeners, Map.of("n2", 100L, "n3", 99L))))
                .containsExactly(members(List.of("n1", "n2", "n3"), List.of()));
    }

    @Test
    void fourthAndFifthNodeListen() {
        image = born("n1", "n2", "n3");
        start("n4");

        assertThat(members(status(List.of("n1", "n2", "n3"), List.of("n4"), Map.of("n4", 100L))))
                .isEmpty();
        assertThat(steps(
                        status(List.of("n1", "n2", "n3"), List.of("n4"), Map.of()),
                        List.of(BootWorld.record("n5")),
                        Set.of()))
                .contains(members(List.of("n1", "n2", "n3"), List.of("n4", "n5")));
    }

    @Test
    void memberWhoseAddressChangedIsReaddressed() {
        NodeRecord moved = new NodeRecord("n1", "elsewhere", 1, 99, 3, 0);
        step(new CatalogCommand.NodeStarted(moved));

        assertThat(members(status(List.of("n1"), List.of(), Map.of())))
                .containsExactly(new ControllerStep.SetCatalogMembers(
                        LogMembers.voters(List.of(new LogPeer("n1", "elsewhere:99")))));
    }

    @Test
    void missingReplicasAreFilledOnNodesThatAnswer() {
        start("n2");
        start("n3");

        List<ControllerStep> steps =
                steps(status(List.of("n1"), List.of("n2", "n3"), Map.of()), List.of(), Set.of("n3"));

        assertThat(steps).hasSize(2).allSatisfy(step -> {
            assertThat(step).isInstanceOf(ControllerStep.FillReplicas.class);
            assertThat(((ControllerStep.FillReplicas) step).replicas()).containsExactlyInAnyOrder("n1", "n2");
        });
    }

    @Test
    void unfinishedDropsAreFinished() {
        step(new CatalogCommand.AgreeSchema("default", "cpu", List.of()));
        step(new CatalogCommand.DropTable("default", "cpu", "x"));

        assertThat(steps(status(List.of("n1"), List.of(), Map.of()), List.of(), Set.of()))
                .containsExactly(
                        new ControllerStep.FinishDrop(image.drops().iterator().next()));
    }

    private static FoldedImage born(String... ids) {
        List<NodeRecord> nodes = List.of(ids).stream().map(BootWorld::record).toList();
        CatalogCommand birth = new CatalogCommand.Birth("c", 3, nodes, PlacementPlanner.birth(2, 3, List.of(ids)));
        return CatalogFold.step(FoldedImage.empty(), 1, CatalogLimits.DEFAULTS, birth)
                .image();
    }

    private void start(String id) {
        step(new CatalogCommand.NodeStarted(BootWorld.record(id)));
    }

    private void step(CatalogCommand command) {
        image = CatalogFold.step(image, image.version() + 1, CatalogLimits.DEFAULTS, command)
                .image();
    }

    private List<ControllerStep> steps(LogStatus status, List<NodeRecord> joiners, Set<String> avoided) {
        return ControllerPlan.steps(new ControllerPlan.View(image, status, joiners, avoided));
    }

    private List<ControllerStep> members(LogStatus status) {
        return steps(status, List.of(), Set.of()).stream()
                .filter(ControllerStep.SetCatalogMembers.class::isInstance)
                .toList();
    }

    private static ControllerStep members(List<String> voters, List<String> listeners) {
        return new ControllerStep.SetCatalogMembers(new LogMembers(peers(voters), peers(listeners)));
    }

    private static LogStatus status(List<String> voters, List<String> listeners, Map<String, Long> followers) {
        return new LogStatus(
                LogStatus.Role.LEADER,
                1,
                "n1",
                true,
                100,
                100,
                followers,
                new LogMembers(peers(voters), peers(listeners)),
                "running",
                0,
                0);
    }

    private static List<LogPeer> peers(List<String> ids) {
        return ids.stream()
                .map(BootWorld::record)
                .map(node -> new LogPeer(node.id(), node.raftAddress()))
                .toList();
    }
}
