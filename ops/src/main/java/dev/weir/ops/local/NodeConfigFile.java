package dev.weir.ops.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** Writes the configuration file of each node, and the secret that they share. */
final class NodeConfigFile {
    private static final int SECRET_BYTES = 24;

    private NodeConfigFile() {}

    static void write(Path clusterDir, ClusterRecord cluster, LocalNode node) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("# Written by weir local up; change it by -c key=value.");
        lines.add("node.id = " + node.id());
        lines.add("data.dir = " + node.dir().resolve("data"));
        lines.add("http.host = 127.0.0.1");
        lines.add("http.port = " + node.httpPort());
        lines.add("raft.port = " + node.raftPort());
        lines.add("hazelcast.port = " + node.hazelcastPort());
        lines.add("flight.port = " + node.flightPort());
        lines.add("advertised.host = 127.0.0.1");
        lines.add("cluster.name = local");
        lines.add("cluster.secret-file = " + secret(clusterDir));
        lines.add("cluster.rf = " + cluster.rf());
        lines.add("cluster.partitions = " + cluster.partitions());
        lines.add("store.url = " + clusterDir.resolve("store").toAbsolutePath().toUri());
        List<LocalNode> born = cluster.members(clusterDir).subList(0, cluster.born());
        if (node.index() <= cluster.born()) {
            lines.add("cluster.initial-members = "
                    + born.stream().map(NodeConfigFile::member).collect(Collectors.joining(",")));
        } else {
            lines.add("cluster.join = "
                    + born.stream().map(NodeConfigFile::member).collect(Collectors.joining(",")));
        }
        Files.createDirectories(node.dir());
        Files.write(node.configFile(), lines);
    }

    private static String member(LocalNode node) {
        return node.id() + "@127.0.0.1:" + node.httpPort() + ":" + node.raftPort() + ":" + node.hazelcastPort();
    }

    private static Path secret(Path clusterDir) throws IOException {
        Path file = clusterDir.resolve("secret");
        if (!Files.exists(file)) {
            byte[] secret = new byte[SECRET_BYTES];
            new SecureRandom().nextBytes(secret);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, HexFormat.of().formatHex(secret) + "\n", StandardOpenOption.WRITE);
        }
        return file;
    }
}
