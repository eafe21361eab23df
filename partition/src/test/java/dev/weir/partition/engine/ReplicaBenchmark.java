package dev.weir.partition.engine;

import dev.weir.partition.catalog.SlotRange;
import dev.weir.partition.entry.CanonicalTags;
import dev.weir.partition.entry.EntryBuilder;
import dev.weir.partition.entry.RowBlock;
import dev.weir.partition.entry.RowBlockBuilder;
import dev.weir.partition.entry.Section.FenceSection;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.SeriesHash;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.read.LatestQuery;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.BatchId;
import dev.weir.wal.LogPosition;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What a replica's apply costs a row, how fast it comes back after a restart, and the heap that it holds then: rows of 10 fields (TSBS cpu-only)
 * in requests of 625 rows. All times are of CPU. Run by hand: {@code main(hosts, rows)}.
 */
final class ReplicaBenchmark {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int REQUEST_ROWS = 625;
    private static final int REQUESTS_A_ENTRY = 4;
    private static final String[] TAGS = {
        "arch",
        "datacenter",
        "hostname",
        "os",
        "rack",
        "region",
        "service",
        "service_environment",
        "service_version",
        "team"
    };

    private ReplicaBenchmark() {}

    public static void main(String[] args) throws Exception {
        int hosts = Integer.parseInt(args[0]);
        int rows = Integer.parseInt(args[1]);
        Path directory = Files.createTempDirectory("weir-replica");
        BufferBudget budget = new BufferBudget(1 << 30, 1L << 40);
        PartitionReplica replica = replica(budget);
        replica.restore(directory);
        fill(replica, hosts, rows);
        measureRestart(replica, directory, hosts);
    }

    private static void fill(PartitionReplica replica, int hosts, int rows) {
        TableSchema schema = schema();
        EntryBuilder entry = new EntryBuilder(replica.opened().definitions());
        entry.add(new FenceSection(List.of(new SlotRange(0, SeriesHash.SLOTS)), 1, 1));
        replica.apply(new LogPosition(1, 1), 1, entry.build());
        RowBlockBuilder builder = new RowBlockBuilder("default", schema);
        Random random = new Random(1);
        Host[] series = new Host[hosts];
        Arrays.setAll(series, Host::of);
        long index = 1;
        long batch = 0;
        long bytes = 0;
        long applyNanos = 0;
        long encodeNanos = 0;
        int sent = 0;
        int lastSent = 0;
        long lastNanos = 0;
        while (sent < rows) {
            entry.reset();
            for (int r = 0; r < REQUESTS_A_ENTRY; r++) {
                builder.reset();
                for (int i = 0; i < REQUEST_ROWS; i++, sent++) {
                    long time = 1_700_000_000_000_000_000L + sent / hosts * 10_000_000_000L;
                    row(builder, series[sent % hosts], time, random);
                }
                RowBlock block = builder.build();
                long start = cpuNanos();
                entry.add(new AppendRequest(3, 1, 1, new BatchId("front", 1, ++batch), null, List.of(block)), 0);
                encodeNanos += cpuNanos() - start;
            }
            ByteBuffer built = entry.build();
            bytes += built.remaining();
            long start = cpuNanos();
            replica.apply(new LogPosition(1, ++index), index, built);
            applyNanos += cpuNanos() - start;
            if (sent / 1_000_000 != lastSent / 1_000_000) {
                System.out.printf(
                        "%,d rows: apply %d ns a row, entry building %d ns, %d log bytes a row%n",
                        sent, (applyNanos - lastNanos) / (sent - lastSent), encodeNanos / sent, bytes / sent);
                lastSent = sent;
                lastNanos = applyNanos;
            }
        }
        replica.snapshot(new LogPosition(1, index));
    }

    private static void measureRestart(PartitionReplica replica, Path directory, int hosts) throws Exception {
        long rows = replica.stats().bufferedRows();
        long segmentBytes = replica.stats().segmentBytes();
        replica.close();
        long start = cpuNanos();
        replica.restore(directory);
        long nanos = cpuNanos() - start;
        System.out.printf(
                "restart: %,d rows, %,d series in %,d ms = %,.0f rows/s; segments %d bytes a row%n",
                rows, replica.stats().series(), nanos / 1_000_000, rows * 1e9 / nanos, segmentBytes / rows);
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        System.out.printf("heap: %,d MiB%n", (runtime.totalMemory() - runtime.freeMemory()) >> 20);
        for (int i = 0; i < 3 && hosts <= 100_000; i++) {
            start = cpuNanos();
            int found = replica.latest(new LatestQuery("default", "cpu", Map.of(), hosts), OneReplica.NO_FILES)
                    .rows()
                    .size();
            System.out.printf("latest: %,d series in %,d ms%n", found, (cpuNanos() - start) / 1_000_000);
        }
        replica.close();
    }

    private static void row(RowBlockBuilder builder, Host host, long time, Random random) {
        builder.beginRow(builder.series(host.tags, 0, host.tags.length, host.hash), time);
        for (int field = 0; field < 10; field++) {
            builder.putLong(20 + field, random.nextInt(100));
        }
        builder.endRow();
    }

    /** A series as the front door knows it. */
    private record Host(byte[] tags, long hash) {
        static Host of(int host) {
            List<Tag> tags = new ArrayList<>(TAGS.length);
            for (String key : TAGS) {
                tags.add(new Tag(key, key.equals("hostname") ? "host_" + host : key + "-" + host % 7));
            }
            return new Host(CanonicalTags.encode(tags), new SeriesKey("default", "cpu", tags).hash());
        }
    }

    private static TableSchema schema() {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < TAGS.length; i++) {
            columns.add(new Column(1 + i, TAGS[i], ColumnRole.TAG, FieldType.STRING, false));
        }
        for (int i = 0; i < 10; i++) {
            columns.add(new Column(20 + i, "usage_" + i, ColumnRole.FIELD, FieldType.INT64, false));
        }
        return new TableSchema(1, "default", "cpu", 1, false, columns);
    }

    /** CPU of this thread, so that a busy machine does not matter. */
    private static long cpuNanos() {
        return THREADS.getCurrentThreadCpuTime();
    }

    private static PartitionReplica replica(BufferBudget budget) {
        return new PartitionReplica(
                3,
                1,
                ReplicaSettings.DEFAULT,
                budget,
                (node, partition, generation) -> {
                    throw new IllegalStateException("no other node");
                },
                MovedSegments.NONE,
                Runnable::run);
    }
}
