package dev.weir.ops.local;

import dev.weir.ops.client.CommandFailedException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code weir local up} was asked for; what is empty was left open.
 *
 * @param httpPort 0 asks for free ports
 */
public record LocalPlan(
        Optional<Integer> nodes,
        Optional<Integer> httpPort,
        Optional<Integer> rf,
        Optional<Integer> partitions,
        List<String> settings) {
    private static final int NODES = 3;
    private static final int RF = 3;
    private static final int PARTITIONS = 8;
    private static final int HTTP_PORT = 7070;

    public LocalPlan {
        for (String setting : settings) {
            if (setting.indexOf('=') < 1) {
                throw CommandFailedException.refused("expected key=value, found " + setting);
            }
        }
        settings = settings.stream().map(LocalPlan::anchored).toList();
    }

    /** Nodes run in folders of their own; certificates are named as seen from here. */
    private static String anchored(String setting) {
        int end = setting.indexOf('=');
        String key = setting.substring(0, end).strip();
        String value = setting.substring(end + 1).strip();
        boolean isPath = key.startsWith("http.tls.") && !value.isEmpty();
        return key + "=" + (isPath ? Path.of(value).toAbsolutePath().normalize() : value);
    }

    ClusterRecord born() {
        int count = nodes.orElse(NODES);
        int port = httpPort.orElse(HTTP_PORT);
        if (port == 0) {
            port = LocalPorts.freeBase(count);
        }
        return new ClusterRecord(
                count, count, port, rf.orElse(Math.min(RF, count)), partitions.orElse(PARTITIONS), settings);
    }

    /** The same cluster going on: nodes may be added, settings changed; what a cluster is born with stays. */
    ClusterRecord continued(ClusterRecord old) {
        requireSame("--rf", rf, old.rf());
        requireSame("--partitions", partitions, old.partitions());
        if (httpPort.isPresent() && httpPort.get() != 0) {
            requireSame("--http-port", httpPort, old.httpPort());
        }
        int count = nodes.orElse(old.nodes());
        if (count < old.nodes()) {
            throw CommandFailedException.refused("the cluster in this folder has " + old.nodes()
                    + " nodes, found --nodes " + count + "; nodes can be added here, not taken away");
        }
        return old.grown(count, changed(old.settings()));
    }

    /** Those that there were, but for keys that are given now; one without a value is taken back. */
    private List<String> changed(List<String> before) {
        Map<String, String> byKey = new LinkedHashMap<>();
        before.forEach(setting -> byKey.put(key(setting), setting));
        settings.forEach(setting -> byKey.put(key(setting), setting));
        return byKey.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(entry.getKey() + "="))
                .map(Map.Entry::getValue)
                .toList();
    }

    private static String key(String setting) {
        return setting.substring(0, setting.indexOf('='));
    }

    private static void requireSame(String option, Optional<Integer> asked, int is) {
        if (asked.isPresent() && asked.get() != is) {
            throw CommandFailedException.refused(
                    "the cluster in this folder was born with " + option + " " + is + ", found " + asked.get());
        }
    }
}
