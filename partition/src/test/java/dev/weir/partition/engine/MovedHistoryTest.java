package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.entry.MovedSegment;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MovedHistoryTest {
    @Test
    void beginsAnywhereAndGoesOnWithoutHoles() {
        assertThat(MovedHistory.NONE.takes(segment(7, 9))).isTrue();
        MovedHistory moved = MovedHistory.NONE.with(segment(7, 9));

        assertThat(moved.takes(segment(9, 12))).isTrue();
        assertThat(moved.takes(segment(7, 9))).as("twice").isFalse();
        assertThat(moved.takes(segment(8, 12))).as("in part twice").isFalse();
        assertThat(moved.takes(segment(10, 12))).as("behind a hole").isFalse();
        assertThat(moved.nextSeq(1)).isEqualTo(9);
    }

    @Test
    void findsTheSegmentOfEachEvent() {
        MovedHistory moved = MovedHistory.NONE
                .with(segment(7, 9))
                .with(segment(9, 10))
                .with(segment(10, 15))
                .with(segment(15, 16));
        for (long seq = 7; seq < 16; seq++) {
            MovedSegment found = Objects.requireNonNull(moved.holding(seq));
            assertThat(seq).isBetween(found.firstSeq(), found.nextSeq() - 1);
        }
        assertThat(moved.holding(6)).isNull();
        assertThat(moved.holding(16)).isNull();
        assertThat(MovedHistory.NONE.holding(1)).isNull();
    }

    @Test
    void wholeSegmentsGoByATrim() {
        MovedHistory moved =
                MovedHistory.NONE.with(segment(7, 9)).with(segment(9, 12)).trimmed(11);
        assertThat(moved.oldestSeq()).isEqualTo(9);
        assertThat(moved.trimmed(12).isEmpty()).isTrue();
    }

    @Test
    void whatWasTrimmedIsNotMovedAfterwards() {
        MovedHistory gone = MovedHistory.NONE.with(segment(7, 9)).trimmed(14);
        assertThat(gone.isEmpty()).isTrue();
        assertThat(gone.takes(segment(9, 14))).isFalse();
        assertThat(gone.takes(segment(14, 20))).isTrue();
    }

    @Test
    void trimsBeforeTheFirstMoveLeaveNoTrace() {
        assertThat(MovedHistory.NONE.trimmed(5)).isEqualTo(MovedHistory.NONE);
    }

    private static MovedSegment segment(long firstSeq, long nextSeq) {
        return new MovedSegment("key-" + firstSeq, 100, new byte[32], firstSeq, nextSeq, firstSeq, nextSeq);
    }
}
