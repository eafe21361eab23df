package dev.weir.docker;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Workload × faults: nodes are killed with -9, started again, and paused, also others while one starts, so that the quorum is lost for a while; afterwards
 * nothing may be. Short by default, ten minutes with {@code -Pchaos}; {@code -Dweir.seed} repeats a run.
 */
final class FaultsChaosIT {
    @RegisterExtension
    static final LocalCluster CLUSTER = LocalCluster.of(
            3,
            "-c",
            "flush.rows=50",
            "-c",
            "flush.min-interval=1s",
            "-c",
            "flush.age=5s",
            "-c",
            "cdc.member-timeout=3s",
            "-c",
            "cdc.lease=1min",
            // Little, so that it is reached.
            "-c",
            "cdc.subscriber-bytes-max=" + (BoundsReader.SUBSCRIBER_BYTES_MAX >> 10) + "KiB",
            "-c",
            "cdc.ring-bytes-max=1MiB",
            "-c",
            "cdc.arrow-batch-bytes=16KiB",
            "-c",
            "cdc.arrow-pages-bytes-max=1MiB");

    private static final boolean LONG = "long".equals(System.getProperty("weir.chaos"));
    private static final Duration DURATION = LONG ? Duration.ofMinutes(10) : Duration.ofSeconds(35);
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String KILL = "kill -9";
    /** Where the machine has so much else to do that they take longer. */
    private static final int FAULTS_LEAST = 6;

    private static final int ROWS_FIRST = 50;
    /** Of ten faults that come while a node starts, so many kill it again. */
    private static final int KILLED_WHILE_STARTING = 1;

    private static final long SEED = Long.getLong("weir.seed", System.nanoTime());

    private final Random random = new Random(SEED);
    private final Map<String, Integer> faults = new TreeMap<>();

    @Test
    void faultsLoseNothingDoubleNothingAndReorderNothing() throws IOException {
        System.out.println("faults: seed " + SEED + " (repeat with -Dweir.seed=" + SEED + ")");
        try (Workload workload = Workload.startWithAllReaders(CLUSTER, SEED)) {
            workload.awaitProgress(ROWS_FIRST, PATIENCE);
            long end = System.nanoTime() + DURATION.toNanos();
            while (System.nanoTime() - end < 0 || inflicted() < FAULTS_LEAST) {
                inflict(workload);
                pass(500 + random.nextInt(1500));
            }
            CLUSTER.awaitReady();
            workload.finish(faults.toString());
        }
    }

    private int inflicted() {
        return faults.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** No fault waits for the node that the last one felled. */
    private void inflict(Workload workload) {
        int starting = IntStream.rangeClosed(1, CLUSTER.size())
                .filter(node -> !CLUSTER.ready(node))
                .findFirst()
                .orElse(0);
        if (starting == 0 && (!faults.containsKey(KILL) || random.nextBoolean())) {
            // Where all are ready each leads some partitions.
            kill(1 + random.nextInt(CLUSTER.size()), workload::leaderKilled, 500 + random.nextInt(2500));
            count(KILL);
        } else if (starting != 0 && random.nextInt(10) < KILLED_WHILE_STARTING) {
            kill(starting, () -> {}, 0);
            count("kill -9 while starting");
        } else {
            int node = 1 + random.nextInt(CLUSTER.size());
            CLUSTER.pause(node);
            pass(500 + random.nextInt(3500));
            CLUSTER.resume(node);
            count(starting == 0 ? "pause" : "pause while a node starts");
        }
    }

    private static void kill(int node, Runnable dead, long awayMs) {
        CLUSTER.kill(node);
        dead.run();
        pass(awayMs);
        CLUSTER.startMissing();
    }

    private void count(String fault) {
        faults.merge(fault, 1, Integer::sum);
    }

    private static void pass(long ms) {
        LockSupport.parkNanos(ms * 1_000_000);
    }
}
