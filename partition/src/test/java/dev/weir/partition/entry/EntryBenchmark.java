package dev.weir.partition.entry;

import dev.weir.partition.entry.Section.AppendSection;
import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FieldColumn;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.BatchId;
import dev.weir.wal.segment.SegmentRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Times each step that a row of the TSBS cpu-only shape takes through this package, on one core. Run by hand; arguments: decimals of the
 * values (default 4), rows of a block (default 625), seconds of each step (default 3).
 */
final class EntryBenchmark {
    private static final int HOSTS = 125;
    private static final int FIELDS = 10;
    private static final int BLOCKS = 64;

    private final int rows;
    private final long nanosEach;
    private final TableSchema schema = schema();
    private final List<SeriesKey> hosts = hosts();
    private final byte[][] tags = new byte[HOSTS][];
    private final long[] hashes = new long[HOSTS];
    private final double[][][] values;
    private final Known definitions = new Known();
    private double sink;

    public static void main(String[] arguments) {
        int decimals = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 4;
        int rows = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 625;
        int seconds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 3;
        System.out.println(decimals + " decimals, blocks of " + rows + " rows, " + FIELDS + " fields, " + HOSTS
                + " series a partition");
        new EntryBenchmark(decimals, rows, seconds).run();
    }

    private EntryBenchmark(int decimals, int rows, int seconds) {
        this.rows = rows;
        this.nanosEach = seconds * 1_000_000_000L;
        for (int i = 0; i < HOSTS; i++) {
            tags[i] = CanonicalTags.encode(hosts.get(i).tags());
            hashes[i] = hosts.get(i).hash();
        }
        this.values = walks(decimals);
    }

    private void run() {
        RowBlockBuilder builder = new RowBlockBuilder("default", schema);
        RowBlock[] blocks = new RowBlock[BLOCKS];
        for (int i = 0; i < BLOCKS; i++) {
            blocks[i] = build(builder, i);
        }
        TestDefinitions first = new TestDefinitions();
        EntryBuilder entryBuilder = new EntryBuilder(first);
        entryBuilder.add(request(blocks[0]), 0);
        definitions.learn(
                ((AppendSection) EntryReader.read(entryBuilder.build()).get(0))
                        .blocks()
                        .get(0));
        EntryBuilder known = new EntryBuilder(definitions);
        ByteBuffer[] entries = new ByteBuffer[BLOCKS];
        SegmentRecord[] records = new SegmentRecord[BLOCKS];
        RecordBuilder recordBuilder = new RecordBuilder();
        for (int i = 0; i < BLOCKS; i++) {
            entries[i] = entry(known, blocks[i]);
            records[i] = record(recordBuilder, entries[i]);
        }
        System.out.printf(
                "bytes/row: block %.1f, entry %.1f, record %.1f%n",
                perRow(Arrays.stream(blocks).map(RowBlock::bytes)),
                perRow(Arrays.stream(entries)),
                perRow(Arrays.stream(records).map(SegmentRecord::payload)));

        for (int pass = 0; pass < 3; pass++) {
            time("build block", i -> build(builder, i).bytes().remaining());
            time("add to entry", i -> entry(known, blocks[i]).remaining());
            time("read entry", i -> EntryReader.read(entries[i]).size());
            time(
                    "read entry, build record",
                    i -> record(recordBuilder, entries[i]).count());
            time("decode record: keys", i -> keys(RecordReader.read(0, records[i], 0, definitions)));
            time("decode record: 10 fields", i -> fields(RecordReader.read(0, records[i], 0, definitions)));
            System.out.println();
        }
        System.out.println("(" + sink + ")");
    }

    private interface Step {
        double run(int block);
    }

    private void time(String name, Step step) {
        long begin = cpuNanos();
        long done = 0;
        while (cpuNanos() - begin < nanosEach) {
            for (int i = 0; i < BLOCKS; i++) {
                sink += step.run(i);
            }
            done += BLOCKS;
        }
        double nanos = (cpuNanos() - begin) / (double) done / rows;
        System.out.printf("%-26s %8.1f ns/row %8.2f M rows/s%n", name, nanos, 1000 / nanos);
    }

    /** CPU time of this thread: a busy machine does not blur it much. */
    private static long cpuNanos() {
        return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private RowBlock build(RowBlockBuilder builder, int block) {
        builder.reset();
        for (int row = 0; row < rows; row++) {
            int host = row % HOSTS;
            int ref = builder.series(tags[host], 0, tags[host].length, hashes[host]);
            builder.beginRow(ref, 1_700_000_000_000_000_000L + (block * rows + row) / HOSTS * 10_000_000_000L);
            double[] of = values[block][row];
            for (int field = 0; field < FIELDS; field++) {
                builder.putDouble(11 + field, of[field]);
            }
            builder.endRow();
        }
        return builder.build();
    }

    private static ByteBuffer entry(EntryBuilder builder, RowBlock block) {
        builder.reset();
        builder.add(request(block), 0);
        return builder.build();
    }

    private static AppendRequest request(RowBlock block) {
        return new AppendRequest(0, 1, 1, new BatchId("node-1", 1, 1), null, List.of(block));
    }

    private static SegmentRecord record(RecordBuilder builder, ByteBuffer entry) {
        builder.reset();
        AppendSection append = (AppendSection) EntryReader.read(entry).get(0);
        for (BlockView block : append.blocks()) {
            int[] ids = new int[block.seriesCount()];
            for (int i = 0; i < ids.length; i++) {
                ids[i] = Math.max(block.seriesId(i), 0);
            }
            builder.addRows(block, ids, null, null);
        }
        return new SegmentRecord(1, builder.count(), 1, builder.build());
    }

    private static double keys(List<ChangeBatch> batches) {
        long sum = 0;
        for (ChangeBatch batch : batches) {
            for (int row = 0; row < batch.count(); row++) {
                sum += batch.timestampNanos(row) + batch.series(row);
            }
        }
        return sum;
    }

    private static double fields(List<ChangeBatch> batches) {
        double sum = 0;
        for (ChangeBatch batch : batches) {
            List<FieldColumn> fields = batch.fields();
            for (int row = 0; row < batch.count(); row++) {
                for (FieldColumn field : fields) {
                    sum += field.present(row) ? field.doubleAt(row) : 0;
                }
            }
        }
        return sum;
    }

    private double perRow(java.util.stream.Stream<ByteBuffer> buffers) {
        return buffers.mapToInt(ByteBuffer::remaining).sum() / (double) BLOCKS / rows;
    }

    private double[][][] walks(int decimals) {
        SplittableRandom random = new SplittableRandom(1);
        double power = Math.pow(10, decimals);
        double[][] now = new double[HOSTS][FIELDS];
        for (double[] host : now) {
            Arrays.setAll(host, field -> random.nextDouble() * 100);
        }
        double[][][] walks = new double[BLOCKS][rows][FIELDS];
        for (int block = 0; block < BLOCKS; block++) {
            for (int row = 0; row < rows; row++) {
                double[] host = now[row % HOSTS];
                for (int field = 0; field < FIELDS; field++) {
                    host[field] = Math.clamp(host[field] + random.nextGaussian(), 0, 100);
                    walks[block][row][field] = decimals > 16 ? host[field] : Math.rint(host[field] * power) / power;
                }
            }
        }
        return walks;
    }

    private static List<SeriesKey> hosts() {
        List<SeriesKey> hosts = new ArrayList<>();
        for (int i = 0; i < HOSTS; i++) {
            hosts.add(new SeriesKey(
                    "default",
                    "cpu",
                    List.of(
                            new Tag("hostname", "host_" + i * 8),
                            new Tag("region", "eu-central-1"),
                            new Tag("datacenter", "eu-central-1a"),
                            new Tag("rack", "" + i % 100),
                            new Tag("os", "Ubuntu16.04LTS"),
                            new Tag("arch", "x64"),
                            new Tag("team", "SF"),
                            new Tag("service", "" + i % 20),
                            new Tag("service_version", "1"),
                            new Tag("service_environment", "production"))));
        }
        return hosts;
    }

    private static TableSchema schema() {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            columns.add(new Column(1 + i, "tag_" + i, ColumnRole.TAG, FieldType.STRING, false));
        }
        for (int i = 0; i < FIELDS; i++) {
            columns.add(new Column(11 + i, "usage_" + i, ColumnRole.FIELD, FieldType.FLOAT64, false));
        }
        return new TableSchema(1, "default", "cpu", 1, false, columns);
    }

    /** Definitions with a lookup by hash alone, so that their own cost stays out of the figures; ids are scattered as in a long life. */
    private static final class Known implements Definitions {
        private final java.util.HashMap<Long, Integer> ids = new java.util.HashMap<>();
        private final TableSchema schema = EntryBenchmark.schema();

        void learn(BlockView block) {
            for (int ref = 0; ref < block.seriesCount(); ref++) {
                ids.put(block.inlineHash(ref), (int) (ref * 7919L % 100_000));
            }
        }

        @Override
        public int seriesId(int tableId, long hash, byte[] bytes, int from, int length) {
            return ids.getOrDefault(hash, -1);
        }

        @Override
        public List<Tag> tags(int seriesId) {
            return List.of();
        }

        @Override
        public long hash(int seriesId) {
            return seriesId;
        }

        @Override
        public TableSchema schema(int tableId, int version) {
            return version == 1 ? schema : null;
        }
    }
}
