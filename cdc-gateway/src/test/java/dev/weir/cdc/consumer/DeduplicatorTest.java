package dev.weir.cdc.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cdc.consumer.Deduplicator.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DeduplicatorTest {
    @Test
    void takesEachEventOnceHoweverOftenTheStreamGoesBack() {
        for (long seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            Deduplicator deduplicator = Deduplicator.unfiltered();
            List<Long> taken = new ArrayList<>();
            long at = 1;
            while (at <= 200) {
                if (deduplicator.accept(4, at, null) == Verdict.FRESH) {
                    taken.add(at);
                }
                at = random.nextInt(10) == 0 ? Math.max(1, at - random.nextInt(15)) : at + 1;
                if (random.nextInt(20) == 0) {
                    deduplicator = Deduplicator.restore(deduplicator.save());
                }
            }
            assertThat(taken).hasSize(200).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void saysWhereAnUnfilteredStreamHasAHoleAndStaysThere() {
        Deduplicator deduplicator = Deduplicator.unfiltered();
        assertThat(deduplicator.accept(0, 10, null)).isEqualTo(Verdict.FRESH);
        assertThat(deduplicator.accept(0, 12, 11L)).isEqualTo(Verdict.HOLE);
        assertThat(deduplicator.lastHole()).isEqualTo(new Deduplicator.Hole(0, 10, 12, null));
        assertThat(deduplicator.lastHole().toString())
                .contains("partition 0")
                .contains("10")
                .contains("12");
        assertThat(deduplicator.accept(0, 13, 12L)).isEqualTo(Verdict.HOLE);
        assertThat(deduplicator.accept(0, 11, 10L)).isEqualTo(Verdict.FRESH);
        assertThat(deduplicator.accept(0, 12, 11L)).isEqualTo(Verdict.FRESH);

        assertThat(deduplicator.accept(0, 20, 19L)).isEqualTo(Verdict.HOLE);
        deduplicator.forgive(0, 20);
        assertThat(deduplicator.accept(0, 20, 19L)).isEqualTo(Verdict.FRESH);
    }

    @Test
    void saysByPrevWhereAFilteredStreamHasAHole() {
        Deduplicator deduplicator = Deduplicator.filtered();
        assertThat(deduplicator.accept(0, 10, null)).isEqualTo(Verdict.FRESH);
        assertThat(deduplicator.accept(0, 50, 10L)).isEqualTo(Verdict.FRESH);
        assertThat(deduplicator.accept(0, 70, 60L)).isEqualTo(Verdict.HOLE);
        assertThat(deduplicator.lastHole()).isEqualTo(new Deduplicator.Hole(0, 50, 70, 60L));
        assertThat(deduplicator.accept(0, 60, 50L)).isEqualTo(Verdict.FRESH);
        assertThat(deduplicator.accept(0, 70, 60L)).isEqualTo(Verdict.FRESH);
        // A new connection that begins further back: doubles first, then what is new.
        assertThat(deduplicator.accept(0, 60, null)).isEqualTo(Verdict.DUPLICATE);
        assertThat(deduplicator.accept(0, 70, 60L)).isEqualTo(Verdict.DUPLICATE);
        assertThat(deduplicator.accept(0, 90, 70L)).isEqualTo(Verdict.FRESH);
    }

    @Test
    void followsLineage() {
        Deduplicator deduplicator = Deduplicator.unfiltered();
        deduplicator.accept(1, 100, null);
        deduplicator.accept(2, 250, null);
        deduplicator.lineage(List.of(1, 2), List.of(8, 9));
        assertThat(deduplicator.accept(8, 250, null)).isEqualTo(Verdict.DUPLICATE);
        assertThat(deduplicator.accept(8, 252, null)).isEqualTo(Verdict.HOLE);
        assertThat(deduplicator.accept(8, 251, null)).isEqualTo(Verdict.FRESH);
        assertThat(deduplicator.accept(9, 251, null)).isEqualTo(Verdict.FRESH);
        assertThat(deduplicator.accept(1, 100, null)).isEqualTo(Verdict.DUPLICATE);
        assertThat(deduplicator.lastSeen()).containsOnlyKeys(1, 2, 8, 9);
    }

    @Test
    void startsWhereItIsTold() {
        Deduplicator deduplicator = Deduplicator.unfiltered();
        deduplicator.startAt(0, 5);
        assertThat(deduplicator.accept(0, 4, null)).isEqualTo(Verdict.DUPLICATE);
        assertThat(deduplicator.accept(0, 6, null)).isEqualTo(Verdict.HOLE);
        assertThat(deduplicator.accept(0, 5, null)).isEqualTo(Verdict.FRESH);
    }

    @Test
    void refusesWhatItDidNotSave() {
        assertThat(Deduplicator.restore(Deduplicator.filtered().save()).save()).isEqualTo("1;f;");
        for (String bad : List.of("", "2;u;", "1;x;", "1;u;0", "1;u;a:b", "1;u;0:1,")) {
            assertThatThrownBy(() -> Deduplicator.restore(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void rowsOfASnapshotComeInAnyOrderAndLeaveNoTrace() {
        Deduplicator seen = Deduplicator.filtered();
        String row = "{\"seq\":%d,\"prev\":null,\"partition\":0,\"fields\":{},\"source\":\"snapshot\"}";
        for (long seq : new long[] {7, 3, 9}) {
            assertThat(seen.accept(ChangeHead.parse(row.formatted(seq)))).isEqualTo(Deduplicator.Verdict.FRESH);
        }
        assertThat(seen.lastSeen()).isEmpty();

        seen.forgive(0, 10);

        assertThat(seen.accept(0, 9, null)).isEqualTo(Deduplicator.Verdict.DUPLICATE);
        assertThat(seen.accept(0, 10, null)).isEqualTo(Deduplicator.Verdict.FRESH);
    }
}
