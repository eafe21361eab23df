package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TableTurnsTest {
    private final TableTurns turns = new TableTurns();

    @Test
    void beginsAfterTheOneThatHadTheLastTurn() {
        assertThat(turns.order(List.of(3, 5, 9))).containsExactly(3, 5, 9);
        turns.had(3);
        turns.had(5);
        assertThat(turns.order(List.of(3, 5, 9))).containsExactly(9, 3, 5);
        assertThat(turns.order(List.of(3, 4, 6, 9))).as("5 was dropped").containsExactly(6, 9, 3, 4);
        turns.had(9);
        assertThat(turns.order(List.of(3, 9))).containsExactly(3, 9);
        assertThat(turns.order(List.of())).isEmpty();
    }

    @Test
    void nobodyIsStarvedWhereOnlyOneGetsATurnAtATime() {
        TreeMap<Integer, Integer> had = new TreeMap<>();
        for (int call = 0; call < 40; call++) {
            int next = turns.order(List.of(1, 2, 3, 4)).getFirst();
            turns.had(next);
            had.merge(next, 1, Integer::sum);
        }
        assertThat(had.values()).containsExactly(10, 10, 10, 10);
    }
}
