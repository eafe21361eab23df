package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private enum Work {
        WASH,
        IRON
    }

    private static final Set<Integer> PARTITIONS = new LinkedHashSet<>(List.of(0, 1, 2, 3, 4));
    private static final long REST = 10;

    private final Turns<Work> turns = new Turns<>(Work.class, Map.of(Work.WASH, 2, Work.IRON, 1), REST);

    @Test
    void partitionsThatAreAlwaysBusyKeepNoOtherWaiting() {
        List<Integer> order = new ArrayList<>();
        for (long now = 0; now < 200; now += 4) {
            Optional<Integer> next = turns.begin(Work.WASH, PARTITIONS, partition -> true, now);
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
        assertThat(turns.begin(Work.WASH, PARTITIONS, partition -> true, 0)).contains(0);
        assertThat(turns.begin(Work.WASH, PARTITIONS, partition -> true, 0)).contains(1);
        assertThat(turns.begin(Work.WASH, PARTITIONS, partition -> true, 0)).isEmpty();
        assertThat(turns.begin(Work.IRON, Set.of(0, 1), partition -> true, 0)).isEmpty();
        assertThat(turns.begin(Work.IRON, PARTITIONS, partition -> true, 0)).contains(2);

        turns.end(1, 5);

        assertThat(turns.begin(Work.WASH, Set.of(0, 1), partition -> true, 5)).isEmpty();
        assertThat(turns.begin(Work.WASH, Set.of(0, 1), partition -> true, 5 + REST))
                .contains(1);
    }

    @Test
    void aTurnThatMayNotBeTakenIsNotLost() {
        assertThat(turns.begin(Work.WASH, PARTITIONS, partition -> partition > 2, 0))
                .contains(3);
        assertThat(turns.begin(Work.WASH, PARTITIONS, partition -> false, 0)).isEmpty();
        assertThat(turns.begin(Work.WASH, PARTITIONS, partition -> true, 0)).contains(0);
    }

    @Test
    void manyWhoTakeAndGiveBackTurnsOfSeveralWorksDoNotWaitForEachOther() throws Exception {
        Turns<Work> busy = new Turns<>(Work.class, Map.of(Work.WASH, 2, Work.IRON, 1), 0);
        AtomicIntegerArray at = new AtomicIntegerArray(PARTITIONS.size());
        try (ExecutorService threads = Executors.newFixedThreadPool(6)) {
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                Work first = Work.values()[i % 2];
                all.add(threads.submit(() -> takeTurns(busy, first, at)));
            }
            int taken = 0;
            for (Future<Integer> each : all) {
                taken += each.get(30, TimeUnit.SECONDS);
            }
            assertThat(taken).isPositive();
        }
    }

    /** How many turns were had; each partition at one work at a time. */
    private static int takeTurns(Turns<Work> busy, Work first, AtomicIntegerArray at) {
        int taken = 0;
        for (int i = 0; i < 20_000; i++) {
            Work work = i % 2 == 0 ? first : Work.values()[1 - first.ordinal()];
            Optional<Integer> turn = busy.begin(work, PARTITIONS, partition -> partition % 5 != 4, i);
            if (turn.isPresent()) {
                assertThat(at.incrementAndGet(turn.get())).isOne();
                at.decrementAndGet(turn.get());
                busy.end(turn.get(), i);
                taken++;
            }
        }
        return taken;
    }
}
