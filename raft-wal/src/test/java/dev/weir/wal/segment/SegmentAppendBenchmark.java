package dev.weir.wal.segment;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** CPU of one append, which every replica pays for every entry, and how long a sync takes. Arguments: directory, bytes of a payload, MiB to write. */
public final class SegmentAppendBenchmark {
    private SegmentAppendBenchmark() {}

    public static void main(String[] args) throws Exception {
        int bytes = Integer.parseInt(args[1]);
        long appends = (Long.parseLong(args[2]) << 20) / bytes;
        ByteBuffer payload = ByteBuffer.wrap(new Seeded(1).bytes(bytes)).asReadOnlyBuffer();
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        try (FileSegmentLog log = FileSegmentLog.open(
                new ChannelFiles(), Path.of(args[0]), SegmentManifest.empty(0), SegmentConfig.DEFAULT)) {
            long time = 0;
            for (int round = 0; round < 4; round++) {
                long cpu = system.getProcessCpuTime();
                for (long i = 0; i < appends; i++) {
                    log.append(1, ++time, payload);
                }
                double micros = (system.getProcessCpuTime() - cpu) / 1e3 / appends;
                long start = System.nanoTime();
                log.sync();
                double syncMillis = (System.nanoTime() - start) / 1e6;
                log.trim(log.nextSeq());
                System.out.printf(
                        "%d bytes: %.1f µs CPU per append; sync of %s MiB %.0f ms%n",
                        bytes, micros, args[2], syncMillis);
            }
        }
    }
}
