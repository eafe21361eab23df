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
        assertThat(planner.plan(0, Long.MAX_VALUE, LogHold.NONE)).isZero();
    }

    @Test
    void letsHistoryGoOnceItsRowsAreDeleted() throws IOException {
        one.delete(OneReplica.CPU, null);
        long seq = planner.plan(0, Long.MAX_VALUE, LogHold.NONE);
        assertThat(seq).isBetween(2L, 22L);
        one.apply(entry -> entry.addTrim(seq));
        assertThat(one.replica().feed().oldestSeq()).isEqualTo(seq);
        assertThat(planner.plan(0, Long.MAX_VALUE, LogHold.NONE)).isZero();
    }

    @Test
    void tellsADeletedRowFromTheOneWrittenAgain() throws IOException {
        one.delete(OneReplica.CPU, List.of(new Tag("host", "a")));
        for (int i = 0; i < 20; i++) {
            one.write(OneReplica.CPU, Rows.row("a", i, "i", 2L));
        }
        assertThat(planner.plan(0, Long.MAX_VALUE, LogHold.NONE)).isBetween(2L, 22L);
    }

    @Test
    void keepsHistoryWithinTheBudgetOfBytesAndAge() throws IOException {
        one.delete(OneReplica.CPU, null);
        one.delete(OneReplica.DISK, null);
        assertThat(planner.plan(KEEP_ALL_BYTES, 0, LogHold.NONE)).isZero();
        SegmentFile second = one.replica().opened().segments().segments().get(1);
        assertThat(planner.plan(KEEP_ALL_BYTES, second.lastCommittedAtNanos(), LogHold.NONE))
                .isEqualTo(second.firstSeq());
        long all = one.replica().stats().segmentBytes();
        assertThat(planner.plan(all - 1, 0, LogHold.NONE)).isEqualTo(second.firstSeq());
    }

    @Test
    void keepsWhatIsHeldUpToItsBytes() throws IOException {
        one.delete(OneReplica.CPU, null);
        one.delete(OneReplica.DISK, null);
        long second = one.replica().opened().segments().segments().get(1).firstSeq();
        long free = planner.plan(0, Long.MAX_VALUE, LogHold.NONE);

        assertThat(free).isGreaterThan(second);
        assertThat(planner.plan(0, Long.MAX_VALUE, new LogHold(second, 1 << 20)))
                .isEqualTo(second);
        assertThat(planner.plan(0, Long.MAX_VALUE, new LogHold(1, 1 << 20))).isZero();
        assertThat(planner.plan(0, Long.MAX_VALUE, new LogHold(1, 0))).isEqualTo(free);
    }
}
