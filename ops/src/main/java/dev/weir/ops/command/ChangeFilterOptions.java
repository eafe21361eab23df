package dev.weir.ops.command;

import dev.weir.cdc.consumer.StreamOptions;
import dev.weir.cdc.consumer.WeirStream;
import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.CommandFailedException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** Which changes a stream is to carry. */
final class ChangeFilterOptions {
    @Option(names = "--measurement", paramLabel = "M", description = "Only this measurement; may be repeated.")
    List<String> measurements = new ArrayList<>();

    @Option(
            names = "--event-type",
            paramLabel = "TYPE",
            description = "Only this type, such as point_written; may be repeated.")
    List<String> eventTypes = new ArrayList<>();

    @Option(names = "--partition", paramLabel = "P", description = "Only this partition; may be repeated.")
    List<Integer> partitions = new ArrayList<>();

    @Option(names = "--tag", paramLabel = "KEY=VALUE", description = "Only series with this tag; may be repeated.")
    Map<String, String> tags = new LinkedHashMap<>();

    /** As a subscription has it. */
    Map<String, Object> json() {
        Map<String, Object> filter = new LinkedHashMap<>();
        if (!measurements.isEmpty()) {
            filter.put("measurement", measurements);
        }
        if (!eventTypes.isEmpty()) {
            filter.put("event_type", eventTypes);
        }
        if (!partitions.isEmpty()) {
            filter.put("partition", partitions);
        }
        tags.forEach((key, value) -> filter.put("tag." + key, value));
        return filter;
    }

    /** Does not connect yet. */
    WeirStream open(ConnectionOptions connection, String from) {
        StreamOptions options = stream(connection, from);
        return connection
                .trust()
                .context()
                .map(trusted -> WeirStream.open(options, trusted))
                .orElseGet(() -> WeirStream.open(options));
    }

    /** The end of a command whose stream could not be had. */
    static CommandFailedException unreachable(ConnectionOptions connection, IOException failure) {
        String why = connection.trust().complaint(failure).orElse(String.valueOf(failure.getMessage()));
        return CommandFailedException.unreachable(why + " (" + String.join(", ", connection.urls()) + ")");
    }

    private StreamOptions stream(ConnectionOptions connection, String from) {
        StreamOptions options = StreamOptions.of(
                        ClusterClient.addresses(connection.urls()).toArray(URI[]::new))
                .withToken(connection.token().orElse(""))
                .from(from);
        for (String measurement : measurements) {
            options = options.with("measurement", measurement);
        }
        for (String type : eventTypes) {
            options = options.with("event_type", type);
        }
        for (int partition : partitions) {
            options = options.with("partition", Integer.toString(partition));
        }
        for (Map.Entry<String, String> tag : tags.entrySet()) {
            options = options.with("tag." + tag.getKey(), tag.getValue());
        }
        return options;
    }
}
