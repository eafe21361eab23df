package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Delivered and gaps are what was committed, whatever happens: readers that read a little now and then, and resume; replicas that move, lag and fail;
 * retention that is faster. What happens comes from a seed; how far threads are then does not.
 */
class DeliverySimTest {
    private static final int PARTITIONS = 3;
    private static final int STEPS = 150;

    private final MemoryCluster cluster = MemoryCluster.of(PARTITIONS);
    private final Tiling tiling = new Tiling();
    private Gateway gateway;

    @AfterEach
    void close() throws Exception {
        gateway.close();
    }

    @ParameterizedTest(name = "seed {0} arrow {1} {2}")
    @CsvSource({
        "1, false, '', true",
        "3, false, '&measurement=cpu', true",
        "5, true, '&measurement=cpu&max_rows=7', true",
        "6, true, '&max_wait_ms=2', true",
        "7, false, '', false",
        "8, true, '', false"
    })
    void deliveredAndGapsAreWhatWasCommitted(long seed, boolean arrow, String filter, boolean drops) throws Exception {
        gateway = Gateway.withSmallBuffers(cluster, small());
        Random random = new Random(seed);
        String query =
                "?from=earliest" + filter + (drops ? "&mode=at-most-once&queue_events=60" : "&mode=exactly-once");
        SlowClient client = SlowClient.open(gateway.port(), arrow, query, null);
        try {
            RandomChanges changes = new RandomChanges(seed);
            for (int step = 0; step < STEPS; step++) {
                int what = random.nextInt(40);
                if (what < 33) {
                    append(changes, random.nextInt(PARTITIONS), filter.contains("cpu"));
                } else if (what < 35) {
                    client.take(tiling);
                } else if (what < 36 && client.lastId != null) {
                    client.close();
                    client = SlowClient.open(gateway.port(), arrow, query, client.lastId);
                    tiling.connected();
                } else {
                    disturb(random, drops);
                }
            }
            heal();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                end(partition);
            }
            drain(client);
        } finally {
            client.close();
        }
        assertThat(tiling.delivered()).isPositive();
        assertThat(tiling.missed() > 0).isEqualTo(drops);
        assertThat(gateway.metric("weir.cdc.dropped") > 0).isEqualTo(drops);
        assertThat(gateway.metric("weir.cdc.lost")).isZero();
    }

    /** Whichever replica a stream reads, and also where it is taken up at one that is behind. */
    @ParameterizedTest(name = "seed {0} arrow {1} {2}")
    @CsvSource({"22, true, '&measurement=cpu'", "23, false, '&measurement=cpu&mode=at-most-once&queue_events=200'"})
    void resolvedTimesAreTrueAndNeverGoBack(long seed, boolean arrow, String filter) throws Exception {
        gateway = Gateway.withSmallBuffers(cluster, small());
        Random random = new Random(seed);
        RandomChanges changes = new RandomChanges(seed);
        String query = "?from=earliest&resolved=100ms" + filter;
        SlowClient client = SlowClient.open(gateway.port(), arrow, query, null);
        try {
            int reconnectAt = 2;
            for (int appended = 0; tiling.resolvedFrames() < 6; ) {
                if (appended < 300 && random.nextInt(4) == 0) {
                    append(changes, random.nextInt(PARTITIONS), filter.contains("cpu"));
                    appended++;
                }
                if (random.nextInt(50) == 0) {
                    disturb(random, false);
                }
                client.take(tiling);
                if (tiling.resolvedFrames() == reconnectAt) {
                    reconnectAt += 2;
                    cluster.feeds.values().forEach(feed -> feed.lagAt(feed.nextSeq() / 2));
                    client.close();
                    client = SlowClient.open(gateway.port(), arrow, query, client.lastId);
                    tiling.connected();
                    heal();
                }
            }
            heal();
            long last = Math.max(end(0), end(1));
            long deadline = System.nanoTime() + Gateway.PATIENCE.toNanos();
            while (tiling.allResolved() < last) {
                client.take(tiling);
                assertThat(System.nanoTime()).as("late: " + tiling).isLessThan(deadline);
            }
            assertThat(tiling.delivered()).isPositive();
        } finally {
            client.close();
        }
    }

    private long end(int partition) {
        long seq = cluster.log(partition).nextSeq();
        long committedAt = cluster.log(partition).append(MemoryBatch.point("cpu", "end", 1, 1L));
        tiling.carries(partition, seq, committedAt);
        return committedAt;
    }

    /** Little fits between server and client, so that readers are behind soon. */
    private static CdcConfig small() {
        CdcConfig defaults = CdcConfig.defaults();
        return new CdcConfig(
                defaults.subscribersMax(),
                4096,
                16_384,
                65_536,
                1 << 20,
                4096,
                2048,
                Duration.ofMillis(200),
                defaults.startTimeout(),
                defaults.retry(),
                4096,
                4096,
                1 << 20,
                100);
    }

    private void append(RandomChanges changes, int partition, boolean cpuAlone) {
        MemoryBatch batch = changes.batch(1 + changes.below(120));
        MemoryLog log = cluster.log(partition);
        long first = log.nextSeq();
        long committedAt = log.append(batch);
        if (batch.tenant().equals("default")
                && (!cpuAlone || batch.measurement().equals("cpu"))) {
            for (int row = 0; row < batch.count(); row++) {
                tiling.carries(partition, first + row, committedAt);
            }
        }
    }

    private void disturb(Random random, boolean trims) {
        int partition = random.nextInt(PARTITIONS);
        MemoryLog log = cluster.log(partition);
        switch (random.nextInt(5)) {
            case 0 -> cluster.move(partition);
            case 1 -> cluster.feeds.get(partition).failing = true;
            case 2 -> cluster.feeds.get(partition).lagAt(log.nextSeq());
            case 3 -> heal();
            default -> {
                if (trims) {
                    log.trim(log.oldestSeq() + random.nextInt((int) (log.nextSeq() - log.oldestSeq()) + 1));
                }
            }
        }
    }

    private void heal() {
        cluster.feeds.values().forEach(feed -> {
            feed.failing = false;
            feed.catchUp();
        });
        cluster.changed();
    }

    private void drain(SlowClient client) throws IOException {
        long deadline = System.nanoTime() + Gateway.PATIENCE.toNanos();
        while (!tiling.isComplete()) {
            if (!client.take(tiling)) {
                Thread.onSpinWait();
            }
            assertThat(System.nanoTime()).as("late: " + tiling).isLessThan(deadline);
        }
    }
}
