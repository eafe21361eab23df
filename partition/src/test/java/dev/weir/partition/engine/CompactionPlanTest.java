package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.entry.StoredFile;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class CompactionPlanTest {
    private static final long DAY = BufferedRows.DAY_NANOS;
    private static final Predicate<StoredFile> NONE = file -> false;

    @Test
    void leavesFewFilesAlone() {
        assertThat(CompactionPlan.due(files(0, 1, 1, 1, 1, 1), NONE)).isEmpty();
    }

    @Test
    void mergesManySmallOnesOfADay() {
        List<StoredFile> files = new ArrayList<>(files(0, 5, 5, 5, 5, 5, 5, 5));
        files.addAll(files(1, 5, 5));
        assertThat(CompactionPlan.due(files, NONE)).containsExactly(new CompactionPlan(files.subList(0, 7), true));
    }

    @Test
    void leavesALargeFileOutUntilThoseBehindItAreHalfAsLarge() {
        List<StoredFile> files = files(0, 100, 5, 5, 5, 5, 5, 5);
        assertThat(CompactionPlan.due(files, NONE)).containsExactly(new CompactionPlan(files.subList(1, 7), false));
        List<StoredFile> grown = files(0, 60, 5, 5, 5, 5, 5, 5);
        assertThat(CompactionPlan.due(grown, NONE)).containsExactly(new CompactionPlan(grown, true));
    }

    @Test
    void makesNoFileBeyondTheTarget() {
        long most = CompactionPlan.TARGET_BYTES;
        assertThat(CompactionPlan.all(files(0, most, 5, 5), NONE))
                .allSatisfy(plan -> assertThat(plan.inputs()).hasSize(2));
        assertThat(CompactionPlan.all(files(0, most, most), NONE)).isEmpty();
    }

    @Test
    void onDemandMergesWhateverIsMoreThanOne() {
        List<StoredFile> files = files(0, 100, 5);
        assertThat(CompactionPlan.all(files, NONE)).containsExactly(new CompactionPlan(files, true));
        assertThat(CompactionPlan.all(files(0, 7), NONE)).isEmpty();
    }

    @Test
    void writesAFileAgainThatNoMergeTakes() {
        List<StoredFile> files = new ArrayList<>(files(0, 100, 5));
        files.addAll(files(1, 7));
        assertThat(CompactionPlan.due(files, file -> file.bytes() != 100))
                .containsExactly(
                        new CompactionPlan(files.subList(1, 2), false), new CompactionPlan(files.subList(2, 3), true));
        assertThat(CompactionPlan.all(files, file -> true))
                .containsExactly(
                        new CompactionPlan(files.subList(0, 2), true), new CompactionPlan(files.subList(2, 3), true));
    }

    private static List<StoredFile> files(long day, long... bytes) {
        List<StoredFile> files = new ArrayList<>();
        for (int i = 0; i < bytes.length; i++) {
            files.add(new StoredFile(
                    day + "-" + i,
                    bytes[i],
                    1,
                    new byte[32],
                    day * DAY,
                    day * DAY + 5,
                    i,
                    i,
                    0,
                    0,
                    List.of(),
                    false,
                    i,
                    1));
        }
        return files;
    }
}
