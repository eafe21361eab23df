package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.entry.MovedSegment;
import dev.weir.wal.segment.SegmentFile;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MovedHistoryTest {
    @Test
    void beginsAnywhereAndGoesOnWithoutHoles() {
        assertThat(MovedHistory.NONE.begun(1).takes(segment(7, 9))).isTrue();
        MovedHistory moved = MovedHistory.NONE.begun(1).with(segment(7, 9));

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
    void nothingIsRememberedOrTakenBeforeMovesBegin() {
        assertThat(MovedHistory.NONE.trimmed(5)).isEqualTo(MovedHistory.NONE);
        assertThat(MovedHistory.NONE.takes(segment(7, 9))).isFalse();
    }

    @Test
    void aTrimBeforeTheFirstMoveMakesWhatItOvertookVoid() {
        MovedHistory trimmed = MovedHistory.NONE.begun(1).trimmed(150);
        assertThat(trimmed.takes(segment(1, 100))).as("trimmed whole").isFalse();
        assertThat(trimmed.takes(segment(100, 160))).as("trimmed in part").isFalse();
        assertThat(trimmed.takes(segment(150, 160))).isTrue();
        assertThat(trimmed.begun(1)).as("moves begin once").isEqualTo(trimmed);
    }

    @Test
    void whatWasTrimmedStaysAwayWhereSegmentsAreCutOtherwise() {
        MovedHistory trimmed = MovedHistory.NONE.begun(1).trimmed(150);
        assertThat(trimmed.nextSeq(100)).as("a segment here reaches across").isEqualTo(150);
        assertThat(trimmed.nextSeq(170)).isEqualTo(170);
    }

    @Test
    void whatWasMovedAndIsHereStillCountsOnce() {
        MovedHistory moved = MovedHistory.NONE.begun(1).with(segment(1, 11));
        assertThat(moved.bytesBehind(here(1, 11), 1)).isZero();
        assertThat(moved.bytesBehind(here(1, 21), 1)).as("moved in part").isEqualTo(50);
        assertThat(moved.bytesBehind(here(11, 21), 1)).isEqualTo(100);
        assertThat(moved.bytesBehind(here(11, 21), 16)).isEqualTo(50);
        assertThat(moved.trimmed(11).bytesBehind(here(1, 21), 1))
                .as("none is moved: what is here counts whole")
                .isEqualTo(100);
    }

    @Test
    void takesNoSegmentWithoutEvents() {
        assertThat(MovedHistory.NONE.begun(1).takes(segment(7, 7))).isFalse();
        assertThat(MovedHistory.NONE.begun(1).with(segment(7, 9)).takes(segment(9, 9)))
                .isFalse();
    }

    private static SegmentFile here(long firstSeq, long nextSeq) {
        return new SegmentFile("name", firstSeq, nextSeq, firstSeq, nextSeq, 100, 0, true);
    }

    private static MovedSegment segment(long firstSeq, long nextSeq) {
        return new MovedSegment("key-" + firstSeq, 100, new byte[32], firstSeq, nextSeq, firstSeq, nextSeq);
    }
}
