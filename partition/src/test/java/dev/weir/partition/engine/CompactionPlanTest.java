package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.entry.StoredFile;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompactionPlanTest {
    private static final long DAY = BufferedRows.DAY_NANOS;

    @Test
    void leavesFewFilesAlone() {
        assertThat(CompactionPlan.of(files(0, 1, 1, 1, 1, 1), false)).isEmpty();
    }

    @Test
    void mergesManySmallOnesOfADay() {
        List<StoredFile> files = new ArrayList<>(files(0, 5, 5, 5, 5, 5, 5, 5));
        files.addAll(files(1, 5, 5));
        assertThat(CompactionPlan.of(files, false)).containsExactly(new CompactionPlan(files.subList(0, 7), true));
    }

    @Test
    void leavesALargeFileOutUntilThoseBehindItAreHalfAsLarge() {
        List<StoredFile> files = files(0, 100, 5, 5, 5, 5, 5, 5);
        assertThat(CompactionPlan.of(files, false)).containsExactly(new CompactionPlan(files.subList(1, 7), false));
        List<StoredFile> grown = files(0, 60, 5, 5, 5, 5, 5, 5);
        assertThat(CompactionPlan.of(grown, false)).containsExactly(new CompactionPlan(grown, true));
    }

    @Test
    void makesNoFileBeyondTheTarget() {
        long most = CompactionPlan.TARGET_BYTES;
        assertThat(CompactionPlan.of(files(0, most, 5, 5), true))
                .allSatisfy(plan -> assertThat(plan.inputs()).hasSize(2));
        assertThat(CompactionPlan.of(files(0, most, most), true)).isEmpty();
    }

    @Test
    void onDemandMergesWhateverIsMoreThanOne() {
        List<StoredFile> files = files(0, 100, 5);
        assertThat(CompactionPlan.of(files, true)).containsExactly(new CompactionPlan(files, true));
        assertThat(CompactionPlan.of(files(0, 7), true)).isEmpty();
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
                    i));
        }
        return files;
    }
}
