package dev.weir.wal.payload;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.slf4j.LoggerFactory;

/**
 * Appends per second and CPU per entry of the three ways, by turns in one JVM so that their ratio holds on a busy machine.
 *
 * <p>Arguments: servers, groups, bytes of an entry, appends in flight per group, seconds per turn, turns, directory. The first turn of each
 * way is shorter, warms up and is not reported.
 */
public final class AppendBenchmark {
    private static final ByteString[] PAYLOADS = new ByteString[32];

    private AppendBenchmark() {}

    public static void main(String[] args) throws Exception {
        ((Logger) LoggerFactory.getLogger("ROOT")).setLevel(Level.OFF);
        int servers = Integer.parseInt(args[0]);
        int groups = Integer.parseInt(args[1]);
        int entryBytes = Integer.parseInt(args[2]);
        int inFlight = Integer.parseInt(args[3]);
        int seconds = Integer.parseInt(args[4]);
        int turns = Integer.parseInt(args[5]);
        Path directory = Path.of(args[6]);
        for (int i = 0; i < PAYLOADS.length; i++) {
            PAYLOADS[i] = PayloadCluster.payload(entryBytes, i);
        }
        System.out.printf(
                "%d servers, %d groups, %d bytes, %d in flight per group%n", servers, groups, entryBytes, inFlight);
        for (int turn = 0; turn <= turns; turn++) {
            for (int i = 0; i < PayloadWay.values().length; i++) {
                PayloadWay way = PayloadWay.values()[(i + turn) % PayloadWay.values().length];
                String line = turn(way, directory, servers, groups, inFlight, turn == 0 ? 4 : seconds);
                System.out.println((turn == 0 ? "warm-up " : "turn " + turn + "  ") + line);
            }
        }
        System.exit(0);
    }

    private static String turn(PayloadWay way, Path directory, int servers, int groups, int inFlight, int seconds)
            throws Exception {
        remove(directory);
        Files.createDirectories(directory);
        try (PayloadCluster cluster = new PayloadCluster(way, directory, servers, groups, 8)) {
            cluster.awaitLeaders();
            AtomicLong appended = new AtomicLong();
            AtomicBoolean stop = new AtomicBoolean();
            List<Thread> writers = new ArrayList<>();
            for (RaftGroupId group : cluster.groups()) {
                for (int i = 0; i < inFlight; i++) {
                    writers.add(Thread.ofVirtual().start(() -> write(cluster, group, appended, stop)));
                }
            }
            Thread.sleep(1500);
            long before = appended.get();
            Meter start = Meter.now();
            Thread.sleep(1000L * seconds);
            Meter spent = Meter.now().since(start);
            long entries = appended.get() - before;
            stop.set(true);
            for (Thread writer : writers) {
                writer.join();
            }
            double bytes = (double) entries * PAYLOADS[0].size();
            return String.format(
                    "%-8s %7.0f appends/s %6.1f MiB/s %6.2f ms CPU/entry, all replicas; %4d ms in collections",
                    way,
                    entries / spent.seconds(),
                    bytes / spent.seconds() / (1 << 20),
                    spent.cpuMillis() / entries,
                    spent.gcMillis());
        } finally {
            remove(directory);
        }
    }

    private static void write(PayloadCluster cluster, RaftGroupId group, AtomicLong appended, AtomicBoolean stop) {
        int i = 0;
        while (!stop.get()) {
            try {
                if (cluster.append(group, PAYLOADS[i++ % PAYLOADS.length])
                        .join()
                        .isSuccess()) {
                    appended.incrementAndGet();
                }
            } catch (IOException | CompletionException e) {
                System.out.println("append: " + e);
                return;
            }
        }
    }

    static void remove(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(directory)) {
            paths.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.delete(path);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
