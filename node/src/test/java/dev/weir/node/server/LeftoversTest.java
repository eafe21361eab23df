package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.node.ingest.FoldingCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Partition 0 is held by n1, as the map says. */
final class LeftoversTest {
    private final List<Integer> setAside = new ArrayList<>();

    private void look(String self, boolean onDisk, IntFunction<CompletionStage<List<String>>> voters) {
        new Leftovers(
                        self,
                        new FoldingCatalog(1),
                        () -> (partition, generation) -> onDisk,
                        voters,
                        (partition, generation) -> setAside.add(partition))
                .look();
    }

    private static CompletionStage<List<String>> voters(String... nodes) {
        return CompletableFuture.completedFuture(List.of(nodes));
    }

    @Test
    void whatTheLeaderGivesToOthersIsSetAside() {
        look("n2", true, partition -> voters("n1", "n3"));
        assertThat(setAside).containsExactly(0);
    }

    @Test
    void whoIsBeingTakenInKeepsIt() {
        look("n2", true, partition -> voters("n1", "n2"));
        assertThat(setAside).isEmpty();
    }

    @Test
    void whereNobodyKnowsItIsKept() {
        look("n2", true, partition -> CompletableFuture.failedFuture(new IllegalStateException("no leader")));
        assertThat(setAside).isEmpty();
    }

    @Test
    void nothingIsAskedWhereThereIsNothing() {
        look("n1", true, partition -> {
            throw new AssertionError("asked of its own");
        });
        look("n2", false, partition -> {
            throw new AssertionError("asked without a leftover");
        });
        assertThat(setAside).isEmpty();
    }
}
