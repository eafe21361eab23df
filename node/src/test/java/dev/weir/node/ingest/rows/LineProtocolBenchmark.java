package dev.weir.node.ingest.rows;

import java.lang.management.ManagementFactory;

/**
 * Rows per second, and per second of CPU, of the parser alone, one thread, on the TSBS cpu-only shape: 10 tags, 10 fields, 5,000 rows a body. Arguments: hosts (1000),
 * seconds (5), {@code float} for float fields instead of integers.
 */
final class LineProtocolBenchmark {
    private static long sink;

    private LineProtocolBenchmark() {}

    public static void main(String[] args) {
        int hosts = args.length > 0 ? Integer.parseInt(args[0]) : 1_000;
        int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        boolean floats = args.length > 2 && args[2].equals("float");
        byte[][] bodies = LineBodies.of(hosts, Math.max(4, hosts / LineBodies.ROWS), floats);
        NameCaches caches = new NameCaches(64 << 20);
        LineOptions options = new LineOptions(Precision.NANOSECONDS, false, 1 << 20);
        System.out.printf(
                "%d hosts, %d bytes a row, %s fields%n",
                hosts, bodies[0].length / LineBodies.ROWS, floats ? "float" : "integer");
        for (int round = 0; round < 4; round++) {
            long rows = 0;
            long began = System.nanoTime();
            long cpuBefore = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            for (int i = 0; System.nanoTime() - began < seconds * 1_000_000_000L; i++) {
                rows += read(bodies[i % bodies.length], options, caches);
            }
            double took = System.nanoTime() - began;
            double cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuBefore;
            System.out.printf(
                    "%,.0f rows/s, %.0f ns a row; of CPU %.0f ns a row, %,.0f rows per CPU second%n",
                    rows * 1e9 / took, took / rows, cpu / rows, rows * 1e9 / cpu);
        }
        System.out.println(sink);
    }

    private static int read(byte[] body, LineOptions options, NameCaches caches) {
        LineRows rows = new LineRows(body, body.length, options, caches, "default");
        int count = 0;
        while (rows.next()) {
            if (rows.fault() != null) {
                throw new IllegalStateException(rows.fault().message());
            }
            sink += rows.row().bits(rows.row().fieldCount() - 1)
                    ^ rows.row().series().hash();
            count++;
        }
        return count;
    }
}
