package dev.weir.wal.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PurgePlanTest {
    private final PurgePlan plan = new PurgePlan(200, 1_600);

    @Test
    void keepsWhatALaggingMemberMayStillNeed() {
        assertThat(plan.snapshotTaken(10, 100, false)).isEqualTo(-1);
        assertThat(plan.snapshotTaken(20, 200, false)).isEqualTo(-1);
        assertThat(plan.snapshotTaken(30, 300, false)).isEqualTo(10);
        assertThat(plan.snapshotTaken(40, 400, false)).isEqualTo(20);
        assertThat(plan.snapshotTaken(90, 900, false)).isEqualTo(40);
    }

    @Test
    void keepsMoreWhileAMemberFetchesASnapshotButNotForEver() {
        plan.snapshotTaken(10, 100, false);
        for (int i = 2; i <= 16; i++) {
            assertThat(plan.snapshotTaken(10 * i, 100 * i, true)).isEqualTo(-1);
        }
        assertThat(plan.snapshotTaken(170, 1_700, true)).isEqualTo(10);
        assertThat(plan.snapshotTaken(180, 1_800, false)).isEqualTo(160);
    }
}
