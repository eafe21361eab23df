package dev.weir.partition.file;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.SeriesKey;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Times writing, reading and merging rows of the TSBS cpu-only shape (ten tags, ten doubles, 10 s apart) on one core. Run by hand; arguments:
 * rows (default 1,000,000), hosts (default 125), decimals of the values, -1 for all (default 2), rounds (default 5), stream split (default
 * false).
 */
final class DataFileBenchmark {
    private static final int FIELDS = 10;

    private final int rows;
    private final int hosts;
    private final int decimals;
    private final FileLimits limits;
    private final TableSchema schema = schema();
    private final List<SeriesKey> series = new ArrayList<>();

    public static void main(String[] arguments) throws IOException {
        int rounds = argument(arguments, 3, 5);
        DataFileBenchmark benchmark = new DataFileBenchmark(
                argument(arguments, 0, 1_000_000),
                argument(arguments, 1, 125),
                argument(arguments, 2, 2),
                arguments.length > 4 && Boolean.parseBoolean(arguments[4]));
        Path folder = Files.createTempDirectory("weir-bench");
        for (int round = 0; round < rounds; round++) {
            benchmark.run(folder.resolve("round" + round));
        }
    }

    private static int argument(String[] arguments, int index, int otherwise) {
        return arguments.length > index ? Integer.parseInt(arguments[index]) : otherwise;
    }

    private DataFileBenchmark(int rows, int hosts, int decimals, boolean streamSplit) {
        this.rows = rows;
        this.hosts = hosts;
        this.decimals = decimals;
        FileLimits usual = FileLimits.DEFAULT;
        this.limits =
                new FileLimits(usual.groupRows(), usual.groupBytes(), usual.pageRows(), usual.zstdLevel(), streamSplit);
        Random random = new Random(1);
        for (int i = 0; i < hosts; i++) {
            List<Tag> tags = new ArrayList<>(List.of(new Tag("hostname", "host_" + i)));
            for (int t = 1; t < 10; t++) {
                tags.add(new Tag("tag_number_" + t, "value-" + random.nextInt(t * 4)));
            }
            series.add(new SeriesKey("default", "cpu", tags));
        }
        series.sort((a, b) -> java.util.Arrays.compareUnsigned(tags(a), tags(b)));
    }

    private void run(Path path) throws IOException {
        List<RowBatch> batches = batches(0, 1);
        long start = System.nanoTime();
        WrittenFile written = write(path, batches);
        report("write", start, written.rows(), written.file().bytes());
        start = System.nanoTime();
        report(
                "read",
                start,
                read(DataFileReader.open(path, schema)),
                written.file().bytes());
        Path even = path.resolveSibling("even");
        Path odd = path.resolveSibling("odd");
        write(even, batches(0, 2));
        write(odd, batches(1, 2));
        start = System.nanoTime();
        Path both = path.resolveSibling("both");
        try (MergeRows merge = new MergeRows(
                schema,
                List.of(DataFileReader.open(even, schema), DataFileReader.open(odd, schema)),
                DeleteFilter.NONE)) {
            WrittenFile merged = RowLists.write(both, new FileHead(schema, 0, 0, rows), limits, merge);
            report(
                    "read 2, merge row by row, write",
                    start,
                    merged.rows(),
                    merged.file().bytes());
        }
        for (Path one : List.of(path, even, odd, both)) {
            Files.delete(one);
        }
    }

    private WrittenFile write(Path path, List<RowBatch> batches) throws IOException {
        try (DataFileWriter writer = DataFileWriter.create(path, new FileHead(schema, 0, 0, rows), limits)) {
            for (RowBatch batch : batches) {
                writer.append(batch);
            }
            return writer.finish();
        }
    }

    private static long read(RowSource source) throws IOException {
        try (source) {
            long rows = 0;
            for (RowBatch batch = source.next(); batch != null; batch = source.next()) {
                rows += batch.rows();
            }
            return rows;
        }
    }

    private List<RowBatch> batches(int first, int step) {
        Random random = new Random(2);
        List<RowBatch> batches = new ArrayList<>();
        RowBatch batch = new RowBatch(schema);
        double scale = Math.pow(10, decimals);
        int perHost = rows / hosts;
        for (int host = 0; host < hosts; host++) {
            double[] walk = random.doubles(FIELDS, 0, 100).toArray();
            for (int i = 0; i < perHost; i++) {
                for (int field = 0; field < FIELDS; field++) {
                    walk[field] = Math.clamp(walk[field] + random.nextGaussian(), 0, 100);
                }
                if (i % step == first) {
                    if (batch.full()) {
                        batches.add(batch);
                        batch = new RowBatch(schema);
                    }
                    add(batch, host, i, walk, scale);
                }
            }
        }
        batches.add(batch);
        return batches;
    }

    private void add(RowBatch batch, int host, int i, double[] walk, double scale) {
        SeriesKey key = series.get(host);
        batch.series(tags(key), key.hash());
        int row = batch.add(i * 10_000_000_000L, (long) i * hosts + host);
        for (int field = 0; field < FIELDS; field++) {
            batch.field(field).setDouble(row, decimals < 0 ? walk[field] : Math.round(walk[field] * scale) / scale);
        }
    }

    private static void report(String what, long start, long rows, long bytes) {
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf("%-32s %,12.0f rows/s %6.2f bytes/row%n", what, rows / seconds, (double) bytes / rows);
    }

    private static byte[] tags(SeriesKey key) {
        return dev.weir.partition.entry.CanonicalTags.encode(key.tags());
    }

    private static TableSchema schema() {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column(1, "hostname", ColumnRole.TAG, FieldType.STRING, false));
        for (int t = 1; t < 10; t++) {
            columns.add(new Column(1 + t, "tag_number_" + t, ColumnRole.TAG, FieldType.STRING, false));
        }
        for (int f = 0; f < FIELDS; f++) {
            columns.add(new Column(11 + f, "usage_" + f, ColumnRole.FIELD, FieldType.FLOAT64, false));
        }
        return new TableSchema(1, "default", "cpu", 1, false, columns);
    }
}
