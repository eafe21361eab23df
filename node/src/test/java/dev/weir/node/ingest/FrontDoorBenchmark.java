package dev.weir.node.ingest;

import dev.weir.node.ingest.rows.LineBodies;
import dev.weir.node.ingest.rows.LineOptions;
import dev.weir.node.ingest.rows.LineRows;
import dev.weir.node.ingest.rows.NameCaches;
import dev.weir.node.ingest.rows.Precision;
import dev.weir.node.ingest.write.RowWriter;
import dev.weir.node.ingest.write.Workbench;
import dev.weir.node.ingest.write.WriteOrder;
import dev.weir.node.ingest.write.WriteResult;
import dev.weir.partition.entry.RowBlock;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.BatchId;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.partition.write.PartitionWrites;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The whole front door but HTTP, one thread: bodies of 5,000 rows of the TSBS cpu-only shape to encoded blocks for partitions that take everything.
 * Arguments: hosts (1000), partitions (8), seconds (5), {@code float}.
 */
final class FrontDoorBenchmark {
    private FrontDoorBenchmark() {}

    public static void main(String[] args) throws InterruptedException {
        int hosts = args.length > 0 ? Integer.parseInt(args[0]) : 1_000;
        int partitions = args.length > 1 ? Integer.parseInt(args[1]) : 8;
        int seconds = args.length > 2 ? Integer.parseInt(args[2]) : 5;
        boolean floats = args.length > 3 && args[3].equals("float");
        byte[][] bodies = LineBodies.of(hosts, Math.max(8, hosts / LineBodies.ROWS), floats);
        Sink sink = new Sink();
        NameCaches caches = new NameCaches(IngestLimits.SERIES_CACHE_BYTES_DEFAULT);
        AtomicLong batch = new AtomicLong();
        RowWriter writer = new RowWriter(
                new FoldingCatalog(partitions),
                sink,
                () -> new BatchId("n1", 1, batch.incrementAndGet()),
                new Workbench(1));
        LineOptions options = new LineOptions(Precision.NANOSECONDS, false, 1 << 20);
        System.out.printf(
                "%d hosts, %d partitions, %d bytes a row%n", hosts, partitions, bodies[0].length / LineBodies.ROWS);
        for (int round = 0; round < 4; round++) {
            long rows = 0;
            long bytesBefore = sink.bytes;
            long began = System.nanoTime();
            long cpuBefore = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            for (int i = 0; System.nanoTime() - began < seconds * 1_000_000_000L; i++) {
                byte[] body = bodies[i % bodies.length];
                WriteResult result = writer.write(new WriteOrder(
                        "acme", () -> new LineRows(body, body.length, options, caches, "acme"), 1, null));
                if (result.rows().accepted() != LineBodies.ROWS) {
                    throw new IllegalStateException(result.toString());
                }
                rows += LineBodies.ROWS;
            }
            double took = System.nanoTime() - began;
            double cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuBefore;
            System.out.printf(
                    "%,.0f rows/s, %.0f ns a row; of CPU %.0f ns a row; %.1f bytes a row encoded%n",
                    rows * 1e9 / took, took / rows, cpu / rows, (sink.bytes - bytesBefore) / (double) rows);
        }
    }

    private static final class Sink implements PartitionWrites {
        private long bytes;

        @Override
        public CompletionStage<AppendOutcome> append(AppendRequest request) {
            for (RowBlock block : request.blocks()) {
                bytes += block.bytes().remaining();
            }
            return CompletableFuture.completedFuture(new AppendOutcome.Applied(1, request.rowCount(), 0, List.of()));
        }

        @Override
        public CompletionStage<AppendOutcome> delete(DeleteRequest request) {
            throw new UnsupportedOperationException();
        }
    }
}
