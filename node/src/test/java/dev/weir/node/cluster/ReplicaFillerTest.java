package dev.weir.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogFold;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.CatalogLimits;
import dev.weir.partition.catalog.CatalogReply;
import dev.weir.partition.catalog.FoldedImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.placement.PlacementPlanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
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
                        ReplicaFiller.NodeUnreachableException.class,
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

    /** A group that does what it is told and notes it. */
    private static final class ScriptedGroup implements GroupAdmin {
        private final List<String> calls = new ArrayList<>();
        private List<String> voters = List.of("n1");
        private String unreachable = "";
        private Runnable meanwhile = () -> {};

        @Override
        public CompletionStage<Configuration> configuration(PartitionRecord partition) {
            return CompletableFuture.completedFuture(new Configuration("n1", voters));
        }

        @Override
        public CompletionStage<Void> openReplica(NodeRecord node, PartitionRecord partition) {
            if (node.id().equals(unreachable)) {
                return CompletableFuture.failedFuture(new IOException("connection refused"));
            }
            calls.add("open " + node.id());
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<Void> setVoters(String leader, PartitionRecord partition, List<NodeRecord> wanted) {
            voters = wanted.stream().map(NodeRecord::id).toList();
            calls.add("voters " + String.join(" ", voters) + " at " + leader);
            meanwhile.run();
            return CompletableFuture.completedFuture(null);
        }
    }

    /** A catalog without a log. */
    private static final class FoldedCatalog implements Catalog {
        private FoldedImage image = start();

        private static FoldedImage start() {
            CatalogCommand birth = new CatalogCommand.Birth(
                    "c", 3, List.of(BootWorld.record("n1")), PlacementPlanner.birth(2, 3, List.of("n1")));
            FoldedImage image = CatalogFold.step(FoldedImage.empty(), 1, CatalogLimits.DEFAULTS, birth)
                    .image();
            for (String id : List.of("n2", "n3", "n4", "n5")) {
                CatalogCommand started = new CatalogCommand.NodeStarted(BootWorld.record(id));
                image = CatalogFold.step(image, image.version() + 1, CatalogLimits.DEFAULTS, started)
                        .image();
            }
            return image;
        }

        @Override
        public CatalogImage image() {
            return image;
        }

        @Override
        public CompletionStage<CatalogReply> propose(CatalogCommand command) {
            CatalogFold.Step step = CatalogFold.step(image, image.version() + 1, CatalogLimits.DEFAULTS, command);
            image = step.image();
            return step.reply() instanceof CatalogReply.Refused refused
                    ? CompletableFuture.failedFuture(new RefusedException(refused.refusal()))
                    : CompletableFuture.completedFuture(step.reply());
        }

        @Override
        public CompletionStage<Void> linearize() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public AutoCloseable onChange(Consumer<CatalogImage> listener) {
            return () -> {};
        }
    }
}
