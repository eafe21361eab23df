package dev.weir.ops.command;

import dev.weir.ops.client.ClusterClient;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** {@code --tag KEY=VALUE}, repeatable: which series are meant. */
public final class TagFilter {
    @Option(names = "--tag", paramLabel = "KEY=VALUE", description = "Only series with this tag; may be repeated.")
    Map<String, String> tags = new LinkedHashMap<>();

    Map<String, String> tags() {
        return tags;
    }

    /** As parameters of a query string, each with {@code &} before it. */
    String parameters() {
        return tags.entrySet().stream()
                .map(tag -> "&tag." + ClusterClient.encoded(tag.getKey()) + "=" + ClusterClient.encoded(tag.getValue()))
                .collect(Collectors.joining());
    }
}
