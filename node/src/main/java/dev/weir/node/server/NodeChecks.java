package dev.weir.node.server;

import dev.weir.node.ingest.HealthCheck;
import dev.weir.node.lead.LeadKeeper;
import dev.weir.node.publish.Publisher;
import dev.weir.node.tls.HttpTls;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** What is not as it should be on this node while it serves: for its health and the status of the cluster. Any thread. */
record NodeChecks(
        TableFiles files, Supplier<List<HeldPartition>> held, LeadKeeper leadership, Publisher publisher, HttpTls tls) {
    private static final long CLOCK_MS_MAX = 5_000;
    /** Tables named of those that can't be published or swept. */
    private static final int NAMED_MAX = 10;

    List<HealthCheck> failing() {
        List<HealthCheck> checks = new ArrayList<>(files.checks());
        long ahead = leadership.clockAheadMs();
        if (Math.abs(ahead) > CLOCK_MS_MAX) {
            checks.add(new HealthCheck(
                    "clock",
                    String.format(
                            Locale.ROOT,
                            "this node's clock is %.1f s %s the median of the voters' clocks (at most %d s)",
                            Math.abs(ahead) / 1000.0,
                            ahead > 0 ? "ahead of" : "behind",
                            CLOCK_MS_MAX / 1000)));
        }
        tls.complaints().forEach(complaint -> checks.add(new HealthCheck("tls", complaint)));
        for (HeldPartition each : held.get()) {
            failed(each, Flushes.Work.FLUSH, "flushes fail, its rows stay in the buffer: ", checks);
            failed(each, Flushes.Work.COMPACTION, "compactions fail, its files stay as they are: ", checks);
            failed(each, Flushes.Work.MOVE, "moves of its history fail, it stays on disks: ", checks);
            failed(each, Flushes.Work.SWEEP, "sweeps fail, files of nobody stay: ", checks);
            each.unswept().stream()
                    .limit(NAMED_MAX)
                    .forEach(left -> checks.add(new HealthCheck("orphans", "files of nobody stay, " + left)));
        }
        publisher.failing().stream()
                .limit(NAMED_MAX)
                .forEach(failing -> checks.add(new HealthCheck("publish", failing)));
        return checks;
    }

    private static void failed(HeldPartition held, Flushes.Work work, String what, List<HealthCheck> checks) {
        String why = held.failure(work);
        if (why != null) {
            checks.add(new HealthCheck(work.title(), "partition " + held.partition() + ": " + what + why));
        }
    }
}
