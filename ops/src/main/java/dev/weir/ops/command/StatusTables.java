package dev.weir.ops.command;

import dev.weir.ops.client.ClusterStatus;
import dev.weir.ops.client.ClusterStatus.Partition;
import dev.weir.ops.client.ClusterStatus.Replica;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The status of a cluster as tables. */
final class StatusTables {
    private StatusTables() {}

    static TextTable nodes(ClusterStatus status) {
        TextTable table = new TextTable("NODE", "ADDRESS", "STATE", "LEADS", "ROWS/S");
        for (ClusterStatus.Node node : status.nodes()) {
            long leads = status.partitions().stream()
                    .filter(partition -> node.id().equals(partition.leader()))
                    .count();
            table.row(
                    node.id(),
                    node.host() + ":" + node.httpPort(),
                    node.ready() ? "ready" : node.up() ? "up, not ready" : "down",
                    leads,
                    rate(node.rowsPerSecond()));
        }
        return table;
    }

    static TextTable partitions(ClusterStatus status) {
        TextTable table =
                new TextTable("PARTITION", "SLOTS", "LEADER", "REPLICAS", "LAG", "SEQS", "ROWS", "SIZE", "ROWS/S");
        for (Partition partition : status.partitions()) {
            table.row(
                    partition.partition(),
                    slots(partition.slots()),
                    orDash(partition.leader()),
                    partition.replicas().stream().map(StatusTables::replica).collect(Collectors.joining(" ")),
                    partition.replicas().stream().mapToLong(Replica::lag).max().orElse(0),
                    seqs(partition),
                    partition.rows(),
                    size(partition.bytes()),
                    rate(partition.rowsPerSecond()));
        }
        return table;
    }

    private static String seqs(Partition partition) {
        return partition.nextSeq() <= partition.oldestSeq()
                ? "-"
                : partition.oldestSeq() + "–" + (partition.nextSeq() - 1);
    }

    private static String replica(Replica replica) {
        String phase = orDash(replica.phase());
        boolean usual = phase.equals("-") || phase.equalsIgnoreCase("serving") || phase.equalsIgnoreCase("running");
        return replica.node() + (usual ? "" : "(" + phase + ")");
    }

    private static String slots(List<List<Integer>> slots) {
        return slots.stream()
                .map(range -> range.size() == 2 ? range.get(0) + "–" + (range.get(1) - 1) : range.toString())
                .collect(Collectors.joining(","));
    }

    private static String rate(double perSecond) {
        return String.format(Locale.ROOT, perSecond < 10 ? "%.1f" : "%,.0f", perSecond);
    }

    static String size(long bytes) {
        if (bytes < 1024) {
            return bytes + " B";
        }
        double value = bytes;
        String unit = "B";
        for (String next : List.of("KiB", "MiB", "GiB", "TiB")) {
            if (value < 1024) {
                break;
            }
            value /= 1024;
            unit = next;
        }
        return String.format(Locale.ROOT, "%.1f %s", value, unit);
    }

    static String orDash(@Nullable String text) {
        return text == null || text.isEmpty() ? "-" : text;
    }
}
