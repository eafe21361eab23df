package dev.weir.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.model.RefusedException;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

final class ReplicaFillerTest {
    private static final ControllerStep.FillReplicas STEP =
            new ControllerStep.FillReplicas(0, List.of("n2", "n1", "n3"));

    private final FoldedCatalog catalog = new FoldedCatalog();
    private final ScriptedGroup group = new ScriptedGroup();
    private final ReplicaFiller filler = new ReplicaFiller(catalog, group);

    @Test
    void opensThenTakesInThenWritesTheMap() throws InterruptedException {
        filler.fill(STEP);

        assertThat(group.calls).containsExactly("open n2", "open n3", "voters n2 n1 n3 at n1");
        assertThat(replicas()).containsExactly("n2", "n1", "n3");
    }

    @Test
    void runThatBrokeOffBeforeTheMapIsFinished() throws InterruptedException {
        group.voters = List.of("n1", "n3", "n4");

        filler.fill(STEP);

        assertThat(group.calls).isEmpty();
        assertThat(replicas()).as("what the group has, not what was planned").containsExactly("n1", "n3", "n4");
    }

    @Test
    void unreachableNodeIsNamedAndNothingChanges() {
        group.unreachable = "n3";

        assertThatThrownBy(() -> filler.fill(STEP))
                .isInstanceOfSatisfying(
                        VoterChange.NodeUnreachableException.class,
                        e -> assertThat(e.nodeId()).isEqualTo("n3"));
        assertThat(group.voters).containsExactly("n1");
        assertThat(replicas()).containsExactly("n1");
    }

    @Test
    void stepOfAnOldPlanDoesNothing() throws InterruptedException {
        catalog.propose(new CatalogCommand.SetReplicas(0, List.of("n1", "n4", "n5"), 1));

        filler.fill(STEP);

        assertThat(group.calls).isEmpty();
        assertThat(replicas()).containsExactly("n1", "n4", "n5");
    }

    @Test
    void mapThatMovesOnMeanwhileRefuses() {
        group.meanwhile =
                () -> catalog.propose(new CatalogCommand.SetReplicas(1, List.of("n1", "n2"), catalog.image.epoch()));

        assertThatThrownBy(() -> filler.fill(STEP))
                .isInstanceOf(CompletionException.class)
                .hasRootCauseInstanceOf(RefusedException.class);
        assertThat(replicas()).containsExactly("n1");
    }

    private List<String> replicas() {
        return catalog.image.partitions().get(0).replicas();
    }
}
