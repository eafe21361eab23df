package dev.weir.node.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;

/** {@code node.json} in the data folder; replaced whole, fsynced, by rename. The format is in FORMATS, "Node identity". */
final class IdentityFile {
    static final String NAME = "node.json";
    private static final int FORMAT = 1;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;

    IdentityFile(Path directory) {
        this.directory = directory;
    }

    Optional<IdentityRecord> read() throws IOException {
        Path file = directory.resolve(NAME);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        return Optional.of(decode(file, Files.readAllBytes(file)));
    }

    void write(IdentityRecord identity) throws IOException {
        ObjectNode json = JSON.createObjectNode().put("format", FORMAT).put("node_id", identity.nodeId());
        identity.catalogGroup().ifPresent(group -> json.put("catalog_group", group.toString()));
        identity.clusterId().ifPresent(id -> json.put("cluster_id", id));
        json.put("joined", identity.joined());
        Path partial = directory.resolve(NAME + ".partial");
        try (FileChannel channel = FileChannel.open(
                partial, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer rest = ByteBuffer.wrap(JSON.writeValueAsBytes(json));
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
        Files.move(
                partial, directory.resolve(NAME), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static IdentityRecord decode(Path file, byte[] bytes) throws IOException {
        try {
            JsonNode json = JSON.readTree(bytes);
            if (json.path("format").asInt() != FORMAT || !json.path("node_id").isTextual()) {
                throw new ClosedException(file + ": expected format " + FORMAT + " with a node_id, found format "
                        + json.path("format").asText("none"));
            }
            return new IdentityRecord(
                    json.path("node_id").textValue(),
                    Optional.ofNullable(json.path("catalog_group").textValue()).map(UUID::fromString),
                    Optional.ofNullable(json.path("cluster_id").textValue()),
                    json.path("joined").booleanValue());
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new ClosedException(file + ": expected the identity of a node, found damaged JSON");
        }
    }
}
