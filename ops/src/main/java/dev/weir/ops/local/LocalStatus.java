package dev.weir.ops.local;

import dev.weir.ops.local.ProcessRecord.State;
import java.util.List;

/**
 * One node as {@code weir local status} shows it.
 *
 * @param state ready, starting, paused or stopped
 * @param pid 0 where it does not run
 */
record LocalStatus(int node, String id, String state, long pid, String url, List<String> causes) {

    static List<LocalStatus> of(LocalCluster cluster) {
        return cluster.nodes().parallelStream().map(node -> of(cluster, node)).toList();
    }

    private static LocalStatus of(LocalCluster cluster, LocalNode node) {
        State process = cluster.state(node);
        String url = node.url().toString();
        if (process == State.gone) {
            return new LocalStatus(node.index(), node.id(), "stopped", 0, url, List.of());
        }
        long pid = cluster.process(node).map(ProcessRecord::pid).orElse(0L);
        if (process == State.paused) {
            return new LocalStatus(node.index(), node.id(), "paused", pid, url, List.of());
        }
        Health health = cluster.health(node);
        return new LocalStatus(
                node.index(),
                node.id(),
                health.ready() ? "ready" : "starting",
                pid,
                health.url().orElse(url),
                health.causes());
    }
}
