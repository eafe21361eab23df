package dev.weir.cdc;

import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.StreamOptions;
import dev.weir.cdc.consumer.WeirStream;
import dev.weir.partition.feed.FeedDirectory;
import dev.weir.partition.feed.FeedPage;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.Tag;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Measures encoding on one core, ten subscribers catching up, and the way of single events through the gateway. Run by hand. */
final class StreamBenchmark {
    private static final int BATCH = 1000;

    private StreamBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        Set<String> wanted = Set.of(arguments);
        if (wanted.isEmpty() || wanted.contains("encode")) {
            encoding();
            encoding();
        }
        if (wanted.isEmpty() || wanted.contains("catch-up")) {
            catchingUp(10, 200_000);
            catchingUp(10, 400_000);
        }
        if (wanted.isEmpty() || wanted.contains("live")) {
            live(1);
            live(10);
        }
    }

    private static void encoding() {
        StreamFilter filter = new StreamFilter("default", new TreeSet<>(), Set.of(), new TreeMap<>(), new TreeSet<>());
        FrameEncoder encoder = new FrameEncoder(new RunKey(filter, false));
        CpuRows rows = CpuRows.of(0, 1, BATCH, 1);
        long bytes = 0;
        long events = 0;
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        while (threads.getCurrentThreadCpuTime() - start < 3_000_000_000L) {
            CpuRows batch = rows.at(0, 1 + events);
            EncodedPage page = encoder.encode(
                    0, batch.firstSeq(), new FeedPage(List.of(batch), batch.firstSeq() + BATCH, Long.MAX_VALUE));
            bytes += page.weight();
            events += page.frames();
        }
        double seconds = (threads.getCurrentThreadCpuTime() - start) / 1e9;
        print("encode: %,.0f events per CPU second, %.0f bytes each", events / seconds, (double) bytes / events);
    }

    private static void catchingUp(int subscribers, int events) throws Exception {
        MemoryCluster cluster = MemoryCluster.of(8);
        CpuRows rows = CpuRows.of(0, 1, BATCH, 1);
        Directory directory = new Directory(cluster, rows, events / 8 / BATCH);
        try (Gateway gateway = new Gateway(cluster, directory, CdcConfig.defaults())) {
            ExecutorService threads = Executors.newFixedThreadPool(subscribers);
            long start = System.nanoTime();
            long cpu = cpuNanos();
            List<Future<Long>> counts = new ArrayList<>();
            for (int i = 0; i < subscribers; i++) {
                counts.add(threads.submit(() -> count(gateway.options().from("earliest"), directory.events())));
            }
            long all = 0;
            for (Future<Long> count : counts) {
                all += count.get();
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            threads.shutdown();
            print(
                    "%d subscribers catching up: %,d events in %.1f s = %,.0f events/s; CPU %.1f s, client included; %d pages read",
                    subscribers, all, seconds, all / seconds, (cpuNanos() - cpu) / 1e9, directory.reads());
        }
    }

    private static long count(StreamOptions options, long events) throws Exception {
        long count = 0;
        try (WeirStream stream = WeirStream.open(options)) {
            while (count < events) {
                SseFrame frame = stream.next(Duration.ofSeconds(60));
                if (frame == null) {
                    throw new IllegalStateException("silence after " + count + " events");
                }
                count += frame.isChange() ? 1 : 0;
            }
        }
        return count;
    }

    private static void live(int subscribers) throws Exception {
        MemoryCluster cluster = MemoryCluster.of(8);
        int count = 20_000;
        try (Gateway gateway = new Gateway(cluster)) {
            ExecutorService threads = Executors.newFixedThreadPool(subscribers);
            List<Future<long[]>> readers = new ArrayList<>();
            for (int i = 0; i < subscribers; i++) {
                WeirStream stream = gateway.open(gateway.options());
                readers.add(threads.submit(() -> delays(stream, count)));
            }
            long cpu = cpuNanos();
            long next = System.nanoTime();
            List<Tag> tags = List.of(new Tag("host", "a"));
            for (int i = 0; i < count; i++) {
                next += 1_000_000;
                LockSupport.parkNanos(next - System.nanoTime());
                MemoryBatch.Row row =
                        new MemoryBatch.Row(0, System.nanoTime(), Operation.INSERT, Map.of("v", (double) i));
                cluster.log(i % 8).append(MemoryBatch.points("default", "cpu", List.of(tags), List.of(row)));
            }
            for (Future<long[]> reader : readers) {
                long[] all = reader.get();
                for (int quarter = 0; quarter < 4; quarter++) {
                    long[] delays = Arrays.copyOfRange(all, quarter * count / 4, (quarter + 1) * count / 4);
                    Arrays.sort(delays);
                    print(
                            "live, %d subscribers, 1,000 events/s, quarter %d: p50 %.2f ms, p99 %.2f ms",
                            subscribers,
                            quarter + 1,
                            delays[delays.length / 2] / 1e6,
                            delays[delays.length * 99 / 100] / 1e6);
                }
            }
            print("CPU %.1f s, writer and clients included", (cpuNanos() - cpu) / 1e9);
            threads.shutdown();
        }
    }

    private static long[] delays(WeirStream stream, int count) throws Exception {
        long[] delays = new long[count];
        try (stream) {
            for (int i = 0; i < count; ) {
                SseFrame frame = stream.next(Duration.ofSeconds(60));
                if (frame != null && frame.isChange()) {
                    String data = frame.data();
                    int at = data.indexOf("\"timestamp\":") + 12;
                    delays[i++] = System.nanoTime() - Long.parseLong(data, at, data.indexOf(',', at), 10);
                }
            }
        }
        return delays;
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    /** Partitions that hold the same batch over and over, made when read. */
    private static final class Directory implements FeedDirectory {
        private final MemoryCluster cluster;
        private final Map<Integer, Repeating> feeds = new TreeMap<>();

        Directory(MemoryCluster cluster, CpuRows rows, int batches) {
            this.cluster = cluster;
            cluster.partitions().forEach(partition -> feeds.put(partition, new Repeating(partition, rows, batches)));
        }

        long events() {
            return feeds.values().stream().mapToLong(feed -> feed.nextSeq() - 1).sum();
        }

        long reads() {
            return feeds.values().stream().mapToLong(feed -> feed.reads.get()).sum();
        }

        @Override
        public SortedSet<Integer> partitions() {
            return cluster.partitions();
        }

        @Override
        public Optional<PartitionFeed> feed(int partition) {
            return Optional.of(feeds.get(partition));
        }

        @Override
        public CompletionStage<Long> committedNextSeq(int partition) {
            return CompletableFuture.completedFuture(feeds.get(partition).nextSeq());
        }

        @Override
        public CompletionStage<Long> resolve(int partition, Duration age) {
            return CompletableFuture.completedFuture(0L);
        }

        @Override
        public AutoCloseable onChange(Runnable listener) {
            return () -> {};
        }
    }

    private record Repeating(int partition, CpuRows rows, int batches, AtomicLong reads) implements PartitionFeed {
        Repeating(int partition, CpuRows rows, int batches) {
            this(partition, rows, batches, new AtomicLong());
        }

        @Override
        public long firstSeq() {
            return 1;
        }

        @Override
        public long oldestSeq() {
            return 1;
        }

        @Override
        public long nextSeq() {
            return 1 + (long) batches * BATCH;
        }

        @Override
        public long lastCommittedAtNanos() {
            return 0;
        }

        @Override
        public long resolvedAtNanos() {
            return 0;
        }

        @Override
        public FeedPage read(long fromSeq, int maxBytes) {
            reads.incrementAndGet();
            long batch = (fromSeq - 1) / BATCH;
            CpuRows whole = rows.at(partition, 1 + batch * BATCH);
            return new FeedPage(List.of(whole), whole.firstSeq() + BATCH, nextSeq());
        }

        @Override
        public long seekTime(long committedAtNanos) {
            return 1;
        }

        @Override
        public long bytesFrom(long seq) {
            return 0;
        }

        @Override
        public AutoCloseable onAdvance(Runnable listener) {
            return () -> {};
        }

        @Override
        public boolean closed() {
            return false;
        }
    }
}
