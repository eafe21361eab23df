package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SharedRunTest {
    private static final int EVENTS = 5_000;

    private final MemoryCluster cluster = MemoryCluster.of(1);
    private final AtomicLong ringsBytes = new AtomicLong();
    private final Signal signal = new Signal();
    private final SharedRun run = new SharedRun(
            new RunKey(new StreamFilter("default", new TreeSet<>(), Set.of(), new TreeMap<>(), new TreeSet<>()), false),
            Position.of(new TreeMap<>(Map.of(0, 1L))),
            Map.of(),
            new Lineage(cluster.catalog(), cluster, Duration.ofSeconds(1)),
            CdcConfig.defaults(),
            ringsBytes,
            new FeedSet(cluster, signal),
            signal);

    @Test
    void endsThoughItsLastMemberLeavesAmongTheBlocksOfAPage() throws Exception {
        // One page, of some hundred blocks.
        for (int n = 0; n < EVENTS; n++) {
            cluster.log(0).append(MemoryBatch.point("cpu", "h".repeat(200), n, 1L));
        }
        Signal member = new Signal();
        assertThat(run.join(0, member)).isTrue();
        Thread driver = Thread.ofPlatform().daemon().start(run::drive);

        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofNanos(10_000))
                .atMost(20, TimeUnit.SECONDS)
                .until(() -> run.framesFrom(0) > 0);
        long published = run.framesFrom(0);
        run.leave(member);

        assertThat(driver.join(Duration.ofSeconds(20)))
                .as("the run's thread ends")
                .isTrue();
        assertThat(published).as("it left among the blocks").isLessThan(EVENTS);
        assertThat(run.hasEnded()).isTrue();
        assertThat(run.take(0, Integer.MAX_VALUE)).isNull();
        assertThat(ringsBytes).as("bytes of rings").hasValue(0);
    }
}
