package dev.weir.node.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The cluster that the node belongs to.
 *
 * @param initialMembers with whom it is born; empty for a node alone, or one that joins
 * @param join {@code host:http} of nodes to join through, {@code http://} or {@code https://} before it where they are not as this one
 * @param secret shared by all nodes; may be empty on loopback only
 */
public record ClusterConfig(
        String name,
        List<MemberAddress> initialMembers,
        List<String> join,
        String secret,
        int replicationFactor,
        int partitions) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Pattern JOIN = Pattern.compile("(https?://)?(\\[[^]]+]|[^:@/]+):\\d{1,5}");

    public ClusterConfig {
        initialMembers = List.copyOf(initialMembers);
        join = List.copyOf(join);
        if (!NAME.matcher(name).matches()) {
            throw ConfigException.of("cluster.name", "1 to 64 letters, digits, '_' or '-'", name);
        }
        Set<String> ids = new HashSet<>();
        for (MemberAddress member : initialMembers) {
            if (!ids.add(member.id())) {
                throw ConfigException.of("cluster.initial-members", "each node once", member.id());
            }
        }
        if (partitions > 4096) {
            throw ConfigException.of("cluster.partitions", "1 to 4096", String.valueOf(partitions));
        }
    }

    static ClusterConfig of(Settings settings) {
        return new ClusterConfig(
                settings.text("cluster.name"),
                settings.list("cluster.initial-members").stream()
                        .map(text -> MemberAddress.parse("cluster.initial-members", text))
                        .toList(),
                settings.list("cluster.join").stream()
                        .map(ClusterConfig::joinAddress)
                        .toList(),
                secret(settings),
                settings.count("cluster.rf"),
                settings.count("cluster.partitions"));
    }

    private static String joinAddress(String text) {
        if (text.contains("@")) {
            return MemberAddress.parse("cluster.join", text).httpAddress();
        }
        if (!JOIN.matcher(text).matches()) {
            throw ConfigException.of("cluster.join", "host:http, http://host:http or https://host:http", text);
        }
        MemberAddress.port("cluster.join", text.substring(text.lastIndexOf(':') + 1));
        return text;
    }

    private static String secret(Settings settings) {
        if (settings.path("cluster.secret-file").isEmpty()) {
            return settings.text("cluster.secret");
        }
        if (settings.optional("cluster.secret").isPresent()) {
            throw new ConfigException("cluster.secret, cluster.secret-file: expected one of them, found both");
        }
        return secretText(
                "cluster.secret-file", settings.path("cluster.secret-file").get());
    }

    /** The text of a file that holds a secret, without white space around it; never empty. */
    static String secretText(String key, Path file) {
        try {
            String text = Files.readString(file).strip();
            if (text.isEmpty()) {
                throw new ConfigException(key + ": expected a text in " + file + ", found an empty file");
            }
            return text;
        } catch (IOException e) {
            throw new ConfigException(
                    key + ": file " + file + " can't be read: " + e.getClass().getSimpleName());
        }
    }

    @Override
    public String toString() {
        return "cluster " + name + ", initial members " + initialMembers + ", join " + join + ", rf "
                + replicationFactor + ", partitions " + partitions;
    }
}
