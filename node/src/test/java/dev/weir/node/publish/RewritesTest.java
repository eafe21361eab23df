package dev.weir.node.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.delta.Rewrite;
import dev.weir.partition.engine.PartitionFiles;
import dev.weir.partition.model.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

final class RewritesTest {
    private static final TableSchema CPU = new TableSchema(1, "t", "cpu", 1, false, List.of());
    private static final TableSchema MEM = new TableSchema(2, "t", "mem", 1, false, List.of());

    private final List<List<String>> started = new ArrayList<>();
    private final List<CompletableFuture<Boolean>> running = new ArrayList<>();
    private long nanos;
    private int idle;
    private final Rewrites rewrites = new Rewrites(
            new PartitionPort() {
                @Override
                public CompletionStage<PartitionFiles> tableFiles(int partition, int tableId) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public CompletionStage<Boolean> rewrite(int partition, int tableId, List<String> keys) {
                    started.add(keys);
                    running.add(new CompletableFuture<>());
                    return running.getLast();
                }
            },
            () -> nanos,
            () -> idle++);

    @Test
    void twoAtATimeAndNeverTwoOfADay() {
        rewrites.want(CPU, List.of(of(0, 1, "a"), of(0, 1, "b"), of(0, 2, "c"), of(1, 1, "d")));
        assertThat(started).containsExactly(List.of("a"), List.of("c"));

        running.get(0).complete(true);
        assertThat(started).hasSize(3).last().isEqualTo(List.of("b"));
        running.get(1).complete(true);
        assertThat(started).hasSize(4).last().isEqualTo(List.of("d"));
        running.get(2).complete(true);
        assertThat(idle).isZero();
        running.get(3).complete(true);
        assertThat(idle).isEqualTo(1);
    }

    @Test
    void aDayWaitsTheLongerTheLargerItIs() {
        rewrites.want(CPU, List.of(of(0, 1, "a")));
        running.getFirst().complete(true);

        rewrites.want(CPU, List.of(of(0, 1, "b")));
        nanos = Rewrites.PAUSE.toNanos() - 1;
        rewrites.want(CPU, List.of(of(0, 1, "b")));
        assertThat(started).hasSize(1);
        nanos++;
        rewrites.want(CPU, List.of(of(0, 1, "b")));
        assertThat(started).hasSize(2);
        assertThat(Rewrites.pauseNanos(10 * Rewrites.PACE_BYTES)).isEqualTo(11 * Rewrites.PAUSE.toNanos());
    }

    @Test
    void whatFailedIsTriedAgainAndWhatIsGoneIsForgotten() {
        rewrites.want(CPU, List.of(of(0, 1, "a")));
        rewrites.want(CPU, List.of(of(0, 1, "a")));
        assertThat(started).as("while it runs").hasSize(1);
        running.getFirst().completeExceptionally(new IllegalStateException("no leader"));
        assertThat(idle).isEqualTo(1);
        nanos = Rewrites.PAUSE.toNanos();
        rewrites.want(CPU, List.of(of(0, 1, "a"), of(0, 2, "b"), of(0, 3, "c")));
        assertThat(started).hasSize(3);

        rewrites.want(MEM, List.of(of(0, 1, "m")));
        rewrites.keep(Set.of(2));
        running.get(1).complete(true);
        running.get(2).complete(true);
        assertThat(started).hasSize(4).last().isEqualTo(List.of("m"));
    }

    private static Rewrite of(int partition, long day, String key) {
        return new Rewrite(partition, day, List.of(key), 10);
    }
}
