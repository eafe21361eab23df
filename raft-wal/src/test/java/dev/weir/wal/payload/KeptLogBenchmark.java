package dev.weir.wal.payload;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.slf4j.LoggerFactory;

/**
 * What a long kept history costs: time to open, heap once open, one old entry, a reader from the start. One server, one group.
 *
 * <p>Arguments: {@code fill}, {@code open} or {@code both}, way, directory, MiB of history, bytes of an entry, MiB of a segment of Ratis's log. Cold
 * figures want a JVM for each.
 */
public final class KeptLogBenchmark {
    private static final int OLD_READS = 100;

    private KeptLogBenchmark() {}

    public static void main(String[] args) throws Exception {
        ((Logger) LoggerFactory.getLogger("ROOT")).setLevel(Level.OFF);
        PayloadWay way = PayloadWay.valueOf(args[1]);
        Path directory = Path.of(args[2]);
        int entryBytes = Integer.parseInt(args[4]);
        long entries = (Long.parseLong(args[3]) << 20) / entryBytes;
        int logSegmentMib = Integer.parseInt(args[5]);
        switch (args[0]) {
            case "fill" -> fill(way, directory, entries, entryBytes, logSegmentMib);
            case "open" -> open(way, directory, entries, logSegmentMib);
            case "both" -> {
                fill(way, directory, entries, entryBytes, logSegmentMib);
                open(way, directory, entries, logSegmentMib);
            }
            default -> throw new IllegalArgumentException("expected fill, open or both, found " + args[0]);
        }
        System.exit(0);
    }

    private static void fill(PayloadWay way, Path directory, long entries, int entryBytes, int logSegmentMib)
            throws Exception {
        AppendBenchmark.remove(directory);
        Files.createDirectories(directory);
        try (PayloadCluster cluster = new PayloadCluster(way, directory, 1, 1, logSegmentMib)) {
            cluster.awaitLeaders();
            Meter start = Meter.now();
            List<CompletableFuture<RaftClientReply>> window = new ArrayList<>();
            RaftGroupId group = cluster.groups().getFirst();
            for (long i = 0; i < entries; i++) {
                window.add(cluster.append(group, PayloadCluster.payload(entryBytes, i)));
                if (window.size() == Math.max(32, (4 << 20) / entryBytes)) {
                    window.forEach(CompletableFuture::join);
                    window.clear();
                }
            }
            window.forEach(CompletableFuture::join);
            cluster.awaitApplied();
            Meter spent = Meter.now().since(start);
            System.out.printf(
                    "%-8s filled %d entries in %.1f s, %.0f ms CPU%n",
                    way, entries, spent.seconds(), spent.cpuMillis());
        }
    }

    private static void open(PayloadWay way, Path directory, long entries, int logSegmentMib) throws Exception {
        try (PayloadCluster empty = new PayloadCluster(way, directory.resolve("empty"), 1, 1, logSegmentMib)) {
            empty.awaitLeaders();
        }
        AppendBenchmark.remove(directory.resolve("empty"));
        long heapBefore = Meter.heapBytes();
        Meter start = Meter.now();
        try (PayloadCluster cluster = new PayloadCluster(way, directory, 1, 1, logSegmentMib)) {
            cluster.awaitLeaders();
            Meter opened = Meter.now().since(start);
            long heap = Meter.heapBytes() - heapBefore;
            PayloadState state = cluster.leaderState(cluster.groups().getFirst());
            System.out.printf(
                    "%-8s open %.2f s (election included), %.0f ms CPU, heap +%.1f MiB = %.0f bytes/entry%n",
                    way, opened.seconds(), opened.cpuMillis(), heap / 1048576.0, (double) heap / entries);
            readOld(way, state, entries);
            readAll(way, state);
            readAll(way, state);
        }
    }

    private static void readOld(PayloadWay way, PayloadState state, long entries) throws IOException {
        long random = 7;
        List<Double> millis = new ArrayList<>();
        Meter start = Meter.now();
        for (int i = 0; i < OLD_READS; i++) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            long index = 2 + Long.remainderUnsigned(random >>> 16, entries - 4);
            Meter one = Meter.now();
            state.readOne(index);
            millis.add(Meter.now().since(one).wallNanos() / 1e6);
        }
        double cpu = Meter.now().since(start).cpuMillis() / OLD_READS;
        millis.sort(null);
        System.out.printf(
                "%-8s one old entry, ms: first quarter %.2f, median %.2f, longest %.2f; CPU %.2f%n",
                way, millis.get(OLD_READS / 4), millis.get(OLD_READS / 2), millis.getLast(), cpu);
    }

    private static void readAll(PayloadWay way, PayloadState state) throws IOException {
        Meter start = Meter.now();
        long bytes = state.readAll();
        Meter spent = Meter.now().since(start);
        System.out.printf(
                "%-8s from the start: %.0f MiB at %.0f MiB/s, %.2f ms CPU per MiB%n",
                way, bytes / 1048576.0, bytes / 1048576.0 / spent.seconds(), spent.cpuMillis() / (bytes / 1048576.0));
    }
}
