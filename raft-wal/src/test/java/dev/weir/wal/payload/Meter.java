package dev.weir.wal.payload;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** CPU, collection time and clock of this process, as differences. */
record Meter(long wallNanos, long cpuNanos, long gcMillis) {
    static Meter now() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long gc = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
        return new Meter(System.nanoTime(), system.getProcessCpuTime(), gc);
    }

    Meter since(Meter start) {
        return new Meter(wallNanos - start.wallNanos, cpuNanos - start.cpuNanos, gcMillis - start.gcMillis);
    }

    double seconds() {
        return wallNanos / 1e9;
    }

    double cpuMillis() {
        return cpuNanos / 1e6;
    }

    /** Used heap after collections. */
    static long heapBytes() {
        for (int i = 0; i < 4; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
