package dev.weir.ops.command;

import dev.weir.cdc.consumer.Deduplicator;
import dev.weir.cdc.consumer.Deduplicator.Verdict;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.StreamOptions;
import dev.weir.cdc.consumer.StreamRefusedException;
import dev.weir.cdc.consumer.WeirStream;
import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.CommandFailedException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir cdc tail}: every change once, as it comes, through the loss of any node; says aloud where one is missing. */
@Command(
        name = "tail",
        mixinStandardHelpOptions = true,
        description = "Shows changes as they come; with -o json one a line. Goes on by itself when a node is lost.")
final class CdcTailCommand implements Callable<Integer> {
    private static final Duration STEP = Duration.ofSeconds(1);

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

    @Option(
            names = "--from",
            paramLabel = "now|earliest|CURSOR|TIME",
            defaultValue = "now",
            description = "Where to begin. Default: ${DEFAULT-VALUE}.")
    String from = "now";

    @Option(names = "--max", paramLabel = "N", description = "End after so many changes.")
    Optional<Long> max = Optional.empty();

    @Mixin
    ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws InterruptedException {
        Deduplicator once = Deduplicator.filtered();
        ChangeLines lines = new ChangeLines();
        long left = max.orElse(Long.MAX_VALUE);
        boolean whole = true;
        try (WeirStream stream = WeirStream.open(options())) {
            stream.connect(connection.timeout());
            while (left > 0) {
                SseFrame frame = stream.next(STEP);
                if (frame == null) {
                    continue;
                }
                if (frame.event().equals("lost")) {
                    throw CommandFailedException.refused("fell behind what the cluster keeps: " + frame.data());
                }
                if (!frame.isChange()) {
                    continue;
                }
                Verdict verdict = once.accept(frame.head());
                if (verdict == Verdict.DUPLICATE) {
                    continue;
                }
                if (verdict == Verdict.HOLE) {
                    output.err().println("weir: changes are missing: " + once.lastHole());
                    once.forgive(frame.head().partition(), frame.head().seq() + 1);
                    whole = false;
                }
                output.line(output.json() ? frame.data() : lines.of(frame.data()));
                left--;
            }
        } catch (StreamRefusedException e) {
            throw CommandFailedException.refused("the stream was refused: " + e.getMessage());
        } catch (IOException e) {
            throw CommandFailedException.unreachable(
                    e.getMessage() + " (" + String.join(", ", connection.urls()) + ")");
        }
        return whole ? 0 : CommandFailedException.REFUSED;
    }

    private StreamOptions options() {
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
