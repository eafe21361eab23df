package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.Tag;
import dev.weir.wal.segment.SegmentFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrimPlannerTest {
    private static final long KEEP_ALL_BYTES = Long.MAX_VALUE;

    @TempDir
    private Path directory;

    private OneReplica one;
    private TrimPlanner planner;

    @BeforeEach
    void open() {
        one = new OneReplica(directory, 400, 300);
        planner = new TrimPlanner(one.replica().opened());
        for (int i = 0; i < 20; i++) {
            one.write(OneReplica.CPU, Rows.row("a", i, "i", 1L));
        }
        for (int i = 0; i < 20; i++) {
            one.write(OneReplica.DISK, Rows.row("a", i, "i", 1L));
        }
    }

    @AfterEach
    void close() {
        one.close();
    }

    @Test
    void keepsHistoryThatHoldsRowsOfTheTable() throws IOException {
        assertThat(planner.plan(0, Long.MAX_VALUE, List.of())).isZero();
    }

    @Test
    void letsHistoryGoOnceItsRowsAreDeleted() throws IOException {
        one.delete(OneReplica.CPU, null);
        long seq = planner.plan(0, Long.MAX_VALUE, List.of());
        assertThat(seq).isBetween(2L, 22L);
        one.apply(entry -> entry.addTrim(seq));
        assertThat(one.replica().feed().oldestSeq()).isEqualTo(seq);
        assertThat(planner.plan(0, Long.MAX_VALUE, List.of())).isZero();
    }

    @Test
    void tellsADeletedRowFromTheOneWrittenAgain() throws IOException {
        one.delete(OneReplica.CPU, List.of(new Tag("host", "a")));
        for (int i = 0; i < 20; i++) {
            one.write(OneReplica.CPU, Rows.row("a", i, "i", 2L));
        }
        assertThat(planner.plan(0, Long.MAX_VALUE, List.of())).isBetween(2L, 22L);
    }

    @Test
    void keepsWhatIsHeldWithinItsBounds() throws IOException {
        one.delete(OneReplica.CPU, null);
        one.delete(OneReplica.DISK, null);
        List<SegmentFile> segments = one.replica().opened().segments().segments();
        long needed = segments.get(1).nextSeq() - 1;
        long all = one.replica().stats().segmentBytes();
        long afterFirst = all - segments.get(0).bytes();

        assertThat(planner.plan(0, Long.MAX_VALUE, List.of(new LogHold(needed, all, 0))))
                .as("the segment that holds what is needed stays, the one before goes")
                .isEqualTo(segments.get(1).firstSeq());
        assertThat(planner.plan(0, Long.MAX_VALUE, List.of(new LogHold(1, afterFirst, 0))))
                .as("beyond its bytes the log gives way")
                .isEqualTo(segments.get(1).firstSeq());
        long young = segments.get(2).lastCommittedAtNanos();
        assertThat(planner.plan(0, Long.MAX_VALUE, List.of(new LogHold(1, all, young))))
                .as("beyond its age likewise")
                .isEqualTo(segments.get(2).firstSeq());
        assertThat(planner.plan(0, Long.MAX_VALUE, List.of(new LogHold(1, all, young), new LogHold(1, all, 0))))
                .as("the one that holds most counts")
                .isZero();
        long last = segments.getLast().firstSeq();
        assertThat(planner.plan(0, Long.MAX_VALUE, List.of(new LogHold(Long.MAX_VALUE, all, 0))))
                .as("who needs nothing holds nothing")
                .isEqualTo(last);
    }

    @Test
    void bytesOfTheLogAreCountedFromAnEvent() throws IOException {
        List<SegmentFile> segments = one.replica().opened().segments().segments();
        long all = one.replica().stats().segmentBytes();

        assertThat(one.replica().feed().bytesFrom(1)).isEqualTo(all);
        assertThat(one.replica().feed().bytesFrom(segments.get(1).firstSeq()))
                .isEqualTo(all - segments.get(0).bytes());
        assertThat(one.replica().feed().bytesFrom(2))
                .isBetween(all - segments.get(0).bytes() + 1, all - 1);
        assertThat(one.replica().feed().bytesFrom(segments.getLast().nextSeq())).isZero();
    }

    @Test
    void keepsHistoryWithinTheBudgetOfBytesAndAge() throws IOException {
        one.delete(OneReplica.CPU, null);
        one.delete(OneReplica.DISK, null);
        assertThat(planner.plan(KEEP_ALL_BYTES, 0, List.of())).isZero();
        SegmentFile second = one.replica().opened().segments().segments().get(1);
        assertThat(planner.plan(KEEP_ALL_BYTES, second.lastCommittedAtNanos(), List.of()))
                .isEqualTo(second.firstSeq());
        long all = one.replica().stats().segmentBytes();
        assertThat(planner.plan(all - 1, 0, List.of())).isEqualTo(second.firstSeq());
    }
}
