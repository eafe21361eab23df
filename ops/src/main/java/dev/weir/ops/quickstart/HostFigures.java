package dev.weir.ops.quickstart;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.hardware.GlobalMemory;
import oshi.hardware.HWDiskStore;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.hardware.NetworkIF;
import oshi.software.os.OSFileStore;
import oshi.software.os.OperatingSystem;

/** This machine's own CPU, memory, disk and network figures, by OSHI. Used by one thread. */
final class HostFigures {
    private static final long SMALLEST_FILE_STORE = 64L << 20;

    private final CentralProcessor processor;
    private final GlobalMemory memory;
    private final List<HWDiskStore> disks;
    private final List<NetworkIF> networks;
    private final List<OSFileStore> fileStores;
    private final String host;
    private long[][] lastTicks;

    HostFigures() {
        SystemInfo system = new SystemInfo();
        HardwareAbstractionLayer hardware = system.getHardware();
        OperatingSystem os = system.getOperatingSystem();
        processor = hardware.getProcessor();
        memory = hardware.getMemory();
        disks = hardware.getDiskStores();
        networks = hardware.getNetworkIFs(true);
        fileStores = os.getFileSystem().getFileStores(true).stream()
                .filter(store -> store.getTotalSpace() >= SMALLEST_FILE_STORE)
                .toList();
        host = os.getNetworkParams().getHostName();
        lastTicks = processor.getProcessorCpuLoadTicks();
    }

    /** What the machine is doing now; CPU load since the last call. */
    List<HostRow> measure(long timestampNanos) {
        List<HostRow> rows = new ArrayList<>();
        double[] loads = processor.getProcessorCpuLoadBetweenTicks(lastTicks);
        lastTicks = processor.getProcessorCpuLoadTicks();
        for (int cpu = 0; cpu < loads.length; cpu++) {
            rows.add(row(timestampNanos, "host_cpu", "cpu", Integer.toString(cpu), fields("load", loads[cpu])));
        }
        rows.add(row(
                timestampNanos,
                "host_memory",
                "kind",
                "ram",
                fields("available_bytes", memory.getAvailable(), "total_bytes", memory.getTotal())));
        for (HWDiskStore disk : disks) {
            disk.updateAttributes();
            rows.add(row(
                    timestampNanos,
                    "host_disk",
                    "disk",
                    disk.getName(),
                    fields("read_bytes", disk.getReadBytes(), "written_bytes", disk.getWriteBytes())));
        }
        for (OSFileStore store : fileStores) {
            store.updateAttributes();
            rows.add(row(
                    timestampNanos,
                    "host_filesystem",
                    "mount",
                    store.getMount(),
                    fields("free_bytes", store.getUsableSpace(), "total_bytes", store.getTotalSpace())));
        }
        for (NetworkIF network : networks) {
            network.updateAttributes();
            rows.add(row(
                    timestampNanos,
                    "host_network",
                    "interface",
                    network.getName(),
                    fields("received_bytes", network.getBytesRecv(), "sent_bytes", network.getBytesSent())));
        }
        return rows;
    }

    private HostRow row(long timestampNanos, String measurement, String tag, String value, Map<String, String> fields) {
        TreeMap<String, String> tags = new TreeMap<>(Map.of("host", host, tag, value.isEmpty() ? "none" : value));
        return new HostRow(measurement, tags, fields, timestampNanos);
    }

    private static Map<String, String> fields(String name, double value) {
        return Map.of(name, String.format(Locale.ROOT, "%.4f", Double.isFinite(value) ? value : 0.0));
    }

    private static Map<String, String> fields(String first, long firstValue, String second, long secondValue) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put(first, firstValue + "i");
        fields.put(second, secondValue + "i");
        return fields;
    }
}
