package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The age of what the slowest stream has not taken. */
class LagWatchTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long BASE = 1_795_000_000L * SECOND;

    private final MemoryCluster cluster = MemoryCluster.of(2);
    private final LagWatch watch = new LagWatch(cluster, () -> Instant.ofEpochSecond(0, BASE + 100 * SECOND));

    private static Position at(long next0, long next1) {
        return Position.of(new TreeMap<>(Map.of(0, next0, 1, next1)));
    }

    @Test
    void isTheAgeOfTheOldestEventThatAnyStreamHasNotTaken() {
        for (int i = 0; i < 10; i++) {
            cluster.log(0).append(MemoryBatch.point("cpu", "a", i, 1L).placed(0, 0, BASE + i * SECOND));
        }
        watch.look(List.of(at(11, 1)));
        assertThat(watch.seconds()).isZero();
        watch.look(List.of(at(11, 1), at(8, 1), at(10, 1)));
        assertThat(watch.seconds()).isEqualTo(93);
        cluster.feeds.get(0).storeAway = true;
        watch.look(List.of(at(8, 1)));
        assertThat(watch.seconds()).as("nothing is fetched for it").isEqualTo(93);
        cluster.feeds.get(0).storeAway = false;
        cluster.log(0).trim(9);
        watch.look(List.of(at(8, 1)));
        assertThat(watch.seconds()).isEqualTo(92);
        cluster.feeds.get(0).failing = true;
        watch.look(List.of(at(8, 1)));
        assertThat(watch.seconds()).isZero();
        watch.look(List.of());
        assertThat(watch.seconds()).isZero();
    }
}
