package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When events are sent, by a clock that the test moves. */
class GatheringTest {
    private static final long MS = Duration.ofMillis(1).toNanos();

    private final MemoryCluster cluster = MemoryCluster.of(2);
    private final FeedSet feeds = new FeedSet(cluster, new Signal());
    private final Gathering gathering = new Gathering(1_000, Duration.ofMillis(200));
    private Position at = Position.of(
            new TreeMap<>(Map.of(0, cluster.log(0).nextSeq(), 1, cluster.log(1).nextSeq())));
    private long now = 17;

    @AfterEach
    void close() {
        feeds.close();
    }

    private void append(int partition) {
        cluster.log(partition).append(MemoryBatch.point("cpu", "h", 1, 1L));
    }

    private void append(int partition, int count) {
        for (int i = 0; i < count; i++) {
            append(partition);
        }
    }

    private long rest() {
        return gathering.waitNanos(at, feeds, now);
    }

    private void read(int partition) {
        at = at.with(partition, cluster.log(partition).nextSeq());
    }

    /** One event a millisecond: each 200 ms a batch of what came, not one after the other. */
    @Test
    void steadyWritesShareBatches() {
        int batches = 0;
        for (int ms = 0; ms < 2_000; ms++) {
            append(0);
            if (rest() <= 0) {
                read(0);
                batches++;
            }
            now += MS;
        }
        assertThat(batches).isBetween(8, 11);
    }

    @Test
    void anEventWaitsNoLonger() {
        append(0);
        assertThat(rest()).isEqualTo(200 * MS);
        now += 150 * MS;
        append(0);
        assertThat(rest()).isEqualTo(50 * MS);
        now += 50 * MS;
        assertThat(rest()).isNotPositive();
        read(0);
        assertThat(rest()).isGreaterThan(Duration.ofDays(1).toNanos());
        append(0);
        assertThat(rest()).isEqualTo(200 * MS);
    }

    /** What had waited in one partition does not wait again since another was read first. */
    @Test
    void whatIsReleasedIsReadInAllPartitions() {
        append(0);
        append(1);
        rest();
        now += 200 * MS;
        assertThat(rest()).isNotPositive();
        read(0);
        append(0);
        assertThat(rest()).isNotPositive();
        read(1);
        assertThat(rest()).isEqualTo(200 * MS);
    }

    @Test
    void enoughForABatchDoesNotWait() {
        append(0, 999);
        assertThat(rest()).isEqualTo(200 * MS);
        append(1);
        assertThat(rest()).isNotPositive();
    }

    /** Nor do the others lose their wait to it. */
    @Test
    void aPartitionThatCannotBeReadIsNotWaitedFor() {
        append(0);
        append(1);
        rest();
        now += 200 * MS;
        assertThat(rest()).isNotPositive();
        cluster.feeds.get(1).lagAt(at.next(1));
        read(0);
        append(0);
        assertThat(rest()).isEqualTo(200 * MS);
    }
}
