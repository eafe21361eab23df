package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private static final List<Integer> PARTITIONS = List.of(0, 1, 2, 3, 4);
    private static final long REST = 10;

    private final Turns turns = new Turns(2, REST);

    @Test
    void partitionsThatAreAlwaysBusyKeepNoOtherWaiting() {
        List<Integer> order = new ArrayList<>();
        for (long now = 0; now < 200; now += 4) {
            Optional<Integer> next = turns.begin(PARTITIONS, partition -> true, now);
            next.ifPresent(order::add);
            long ended = now + 3;
            next.ifPresent(partition -> turns.end(partition, ended));
        }
        for (int i = 5; i + 5 <= order.size(); i += 5) {
            assertThat(order.subList(i, i + 5)).containsExactlyInAnyOrderElementsOf(PARTITIONS);
        }
        assertThat(order).hasSizeGreaterThan(40);
    }

    @Test
    void asManyRunAtATimeAsThereArePlacesAndNoneTwice() {
        assertThat(turns.begin(PARTITIONS, partition -> true, 0)).contains(0);
        assertThat(turns.begin(PARTITIONS, partition -> true, 0)).contains(1);
        assertThat(turns.begin(PARTITIONS, partition -> true, 0)).isEmpty();
        assertThat(turns.isRunning(0)).isTrue();

        turns.end(1, 5);

        assertThat(turns.begin(List.of(0, 1), partition -> true, 5)).isEmpty();
        assertThat(turns.begin(List.of(0, 1), partition -> true, 5 + REST)).contains(1);
    }

    @Test
    void aTurnThatMayNotBeTakenIsNotLost() {
        assertThat(turns.begin(PARTITIONS, partition -> partition > 2, 0)).contains(3);
        assertThat(turns.begin(PARTITIONS, partition -> false, 0)).isEmpty();
        assertThat(turns.begin(PARTITIONS, partition -> true, 0)).contains(0);
    }
}
