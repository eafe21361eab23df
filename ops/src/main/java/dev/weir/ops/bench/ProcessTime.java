package dev.weir.ops.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** User and system time of processes on this machine, from {@code /proc}. */
final class ProcessTime {
    private static final double TICKS_PER_SECOND = 100;

    private ProcessTime() {}

    /** CPU seconds that these processes have used since they began. */
    static double seconds(List<Long> pids) {
        return pids.stream().mapToDouble(ProcessTime::seconds).sum();
    }

    private static double seconds(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
        } catch (IOException e) {
            return 0;
        }
    }

    /** CPU seconds of this process. */
    static double own() {
        return seconds(ProcessHandle.current().pid());
    }
}
