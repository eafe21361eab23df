package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendOutcome.Applied;
import dev.weir.partition.write.AppendOutcome.VoidCause;
import dev.weir.partition.write.AppendOutcome.VoidedRow;
import dev.weir.partition.write.BatchId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BatchWindowsTest {
    private final BatchWindows windows = new BatchWindows();

    @Test
    void answersWhatTheFirstGotInWhateverOrderBatchesCame() {
        List<Long> counters = new ArrayList<>();
        for (long counter = 1; counter <= 2000; counter++) {
            counters.add(counter * 3);
        }
        Collections.shuffle(counters, new Random(1));
        for (long counter : counters) {
            assertThat(windows.find(batch(counter))).isNull();
            windows.remember(batch(counter), outcome(counter), 5);
        }
        for (long counter : counters) {
            assertThat(windows.find(batch(counter))).isEqualTo(outcome(counter));
            assertThat(windows.find(batch(counter + 1))).isNull();
        }
    }

    @Test
    void saysThatItCannotTellOnceABatchIsForgotten() {
        for (long counter = 1; counter <= BatchWindow.BATCHES_MAX + 10; counter++) {
            windows.remember(batch(counter), outcome(counter), 5);
        }
        assertThat(windows.find(batch(10))).isInstanceOf(AppendOutcome.Unknown.class);
        assertThat(windows.find(batch(11))).isEqualTo(outcome(11));
        assertThat(windows.size()).isEqualTo(BatchWindow.BATCHES_MAX);
    }

    @Test
    void forgetsByEntryTimeAlone() {
        windows.remember(batch(1), outcome(1), 0);
        windows.remember(batch(2), outcome(2), BatchWindow.AGE_NANOS);
        assertThat(windows.find(batch(1))).isEqualTo(outcome(1));
        windows.remember(batch(3), outcome(3), BatchWindow.AGE_NANOS + 1);
        assertThat(windows.find(batch(1))).isInstanceOf(AppendOutcome.Unknown.class);
        windows.expire(BatchWindow.AGE_NANOS + 2);
        assertThat(windows.find(batch(3))).isInstanceOf(AppendOutcome.Unknown.class);
    }

    @Test
    void remembersTheNewestProcessOfAFrontDoorOnly() {
        windows.remember(new BatchId("a", 1, 7), outcome(7), 5);
        windows.remember(new BatchId("a", 2, 1), outcome(1), 5);
        assertThat(windows.find(new BatchId("a", 2, 7))).isNull();
        assertThat(windows.find(new BatchId("a", 1, 7))).isInstanceOf(AppendOutcome.Refused.class);
        assertThat(windows.find(new BatchId("b", 1, 7))).isNull();
    }

    @Test
    void holdsABoundedNumberOfVoidedRows() {
        List<VoidedRow> rows = new ArrayList<>();
        for (int row = 0; row < 10_000; row++) {
            rows.add(new VoidedRow(row, VoidCause.LIMIT, ErrorCode.LIMIT_SERIES, "limit"));
        }
        for (long counter = 1; counter <= 100; counter++) {
            windows.remember(batch(counter), new Applied(0, 0, 0, rows), 5);
        }
        assertThat(windows.size()).isEqualTo(BatchWindow.VOIDED_ROWS_MAX / 10_000);
    }

    @Test
    void holdsABoundedNumberOfFrontDoors() {
        for (int node = 0; node < 300; node++) {
            windows.remember(new BatchId("node-" + node, 1, 1), outcome(1), node);
        }
        assertThat(windows.byNode()).hasSize(BatchWindows.FRONT_DOORS_MAX).containsKey("node-299");
        assertThat(windows.byNode()).doesNotContainKey("node-0");
    }

    private static BatchId batch(long counter) {
        return new BatchId("front", 1, counter);
    }

    private static AppendOutcome outcome(long counter) {
        return new Applied(counter, 1, 0, List.of());
    }
}
