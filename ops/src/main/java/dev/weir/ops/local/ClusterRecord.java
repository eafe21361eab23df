package dev.weir.ops.local;

import dev.weir.ops.client.CommandFailedException;
import dev.weir.ops.client.Json;
import dev.weir.ops.client.Trust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What is kept about a local cluster, in {@code DIR/cluster.json}.
 *
 * @param born nodes that the cluster was born with; those after them joined
 * @param settings {@code key=value} for every node
 */
record ClusterRecord(int nodes, int born, int httpPort, int rf, int partitions, List<String> settings) {
    private static final String FILE = "cluster.json";
    static final int NODES_MAX = 99;

    ClusterRecord {
        if (nodes < 1 || nodes > NODES_MAX) {
            throw CommandFailedException.refused("expected 1 to " + NODES_MAX + " nodes, found " + nodes);
        }
        settings = settings == null ? List.of() : List.copyOf(settings);
    }

    static boolean exists(Path dir) {
        return Files.exists(dir.resolve(FILE));
    }

    static ClusterRecord read(Path dir) {
        try {
            return Json.MAPPER.readValue(Files.readString(dir.resolve(FILE)), ClusterRecord.class);
        } catch (IOException e) {
            throw CommandFailedException.refused("no local cluster in " + dir + ": expected a readable " + FILE);
        }
    }

    void write(Path dir) throws IOException {
        Files.createDirectories(dir);
        Files.writeString(dir.resolve(FILE), Json.pretty(this) + "\n");
    }

    ClusterRecord grown(int more, List<String> changedSettings) {
        return new ClusterRecord(more, born, httpPort, rf, partitions, changedSettings);
    }

    List<LocalNode> members(Path dir) {
        return IntStream.rangeClosed(1, nodes)
                .mapToObj(i -> LocalNode.of(dir, i, httpPort)
                        .withTls(setting("http.tls.cert").isPresent()))
                .toList();
    }

    /** Whom nodes trust, as one of them. */
    Trust trust() {
        return new Trust(
                setting("http.tls.ca").or(() -> setting("http.tls.cert")).map(Path::of));
    }

    /** The last one wins, as for nodes. */
    private Optional<String> setting(String key) {
        return settings.stream()
                .filter(each -> each.startsWith(key + "="))
                .map(each -> each.substring(key.length() + 1).strip())
                .reduce((first, last) -> last)
                .filter(value -> !value.isEmpty());
    }
}
