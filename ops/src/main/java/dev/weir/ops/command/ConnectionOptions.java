package dev.weir.ops.command;

import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.Trust;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How to reach a cluster. */
public final class ConnectionOptions {
    @Option(
            names = "--url",
            split = ",",
            paramLabel = "URL",
            defaultValue = "${env:WEIR_URL:-http://127.0.0.1:7070}",
            description = "Nodes, separated by commas; any will do. Default: WEIR_URL, then ${DEFAULT-VALUE}.")
    List<String> urls = List.of();

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            defaultValue = "${env:WEIR_TOKEN}",
            description = "Token, where the cluster asks for one. Default: WEIR_TOKEN.")
    @Nullable
    String token;

    @Option(
            names = "--cacert",
            paramLabel = "FILE",
            defaultValue = "${env:WEIR_CACERT}",
            description = "PEM file of the authorities whose certificates nodes at https:// must show."
                    + " Default: WEIR_CACERT, then those of the JDK.")
    @Nullable
    Path cacert;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "How long a call may take. Default: ${DEFAULT-VALUE}.")
    int timeoutSeconds;

    public ClusterClient open() {
        return new ClusterClient(ClusterClient.addresses(urls), token(), Duration.ofSeconds(timeoutSeconds), trust());
    }

    public Trust trust() {
        return new Trust(
                Optional.ofNullable(cacert).filter(file -> !file.toString().isBlank()));
    }

    public Optional<String> token() {
        return Optional.ofNullable(token).filter(text -> !text.isBlank());
    }

    public List<String> urls() {
        return urls;
    }

    public Duration timeout() {
        return Duration.ofSeconds(timeoutSeconds);
    }
}
