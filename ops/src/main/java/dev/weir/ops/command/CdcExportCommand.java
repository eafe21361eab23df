package dev.weir.ops.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.cdc.consumer.CursorVector;
import dev.weir.cdc.consumer.Deduplicator;
import dev.weir.cdc.consumer.Deduplicator.Verdict;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.StreamRefusedException;
import dev.weir.cdc.consumer.WeirStream;
import dev.weir.ops.client.CommandFailedException;
import dev.weir.ops.client.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir cdc export}: a stretch of the change stream as one Parquet file, whole or not at all, through the loss of any node. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = {
            "Writes the changes from one place of the stream to another as a Parquet file, each once.",
            "The file appears when it is whole. Its metadata and the output name the cursor where it ends: --from it for the next file."
        })
final class CdcExportCommand implements Callable<Integer> {
    private static final Duration STEP = Duration.ofSeconds(1);

    @Option(
            names = "--to",
            paramLabel = "FILE",
            required = true,
            description = "The Parquet file; replaced if it is there.")
    Path to = Path.of("");

    @Option(
            names = "--from",
            paramLabel = "earliest|CURSOR|TIME",
            defaultValue = "earliest",
            description = "Where to begin. Default: ${DEFAULT-VALUE}.")
    String from = "earliest";

    @Option(
            names = "--until",
            paramLabel = "now|CURSOR|TIME",
            defaultValue = "now",
            description =
                    "Where to end, the change there left out. Default: ${DEFAULT-VALUE}, what is committed when it begins.")
    String until = "now";

    @Option(
            names = "--give-up-after",
            paramLabel = "SECONDS",
            defaultValue = "120",
            description = "End without a file when no node could be reached for so long. Default: ${DEFAULT-VALUE}.")
    int giveUpSeconds;

    @Mixin
    ChangeFilterOptions filter = new ChangeFilterOptions();

    @Mixin
    ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws InterruptedException {
        try (ParquetChanges changes = new ParquetChanges(to)) {
            String cursor = place(until);
            gather(changes, CursorVector.parse(cursor));
            long count = changes.finish(cursor);
            report(count, cursor);
            return 0;
        } catch (StreamRefusedException e) {
            throw CommandFailedException.refused("the stream was refused: " + e.getMessage());
        } catch (IOException e) {
            throw ChangeFilterOptions.unreachable(connection, e);
        }
    }

    /** A place of the stream as the cluster sees it, under this filter. */
    private String place(String where) throws IOException, InterruptedException {
        try (WeirStream stream = filter.open(connection, where)) {
            stream.connect(connection.timeout());
            return Objects.requireNonNull(stream.lastId(), "Weir-Cursor");
        }
    }

    private void gather(ParquetChanges changes, CursorVector until) throws IOException, InterruptedException {
        Deduplicator once = Deduplicator.filtered();
        try (WeirStream stream = filter.open(connection, from)) {
            stream.connect(connection.timeout());
            String start = Objects.requireNonNull(stream.lastId(), "Weir-Cursor");
            StreamEnd end = new StreamEnd(until, CursorVector.parse(start));
            while (!end.reached()) {
                SseFrame frame = stream.next(STEP);
                if (frame == null) {
                    checkReached(stream);
                    continue;
                }
                if (frame.event().equals("lost")) {
                    throw CommandFailedException.refused("fell behind what the cluster keeps: " + frame.data());
                }
                if (frame.isChange()) {
                    take(changes, once, end, frame);
                } else {
                    end.at(frame);
                }
            }
        }
    }

    private void checkReached(WeirStream stream) throws IOException {
        if (stream.disconnectedFor().toSeconds() >= giveUpSeconds) {
            throw new IOException("no node could be reached for " + giveUpSeconds + " s (--give-up-after)");
        }
    }

    private static void take(ParquetChanges changes, Deduplicator once, StreamEnd end, SseFrame frame)
            throws IOException {
        int partition = frame.head().partition();
        long seq = frame.head().seq();
        Verdict verdict = once.accept(frame.head());
        if (verdict == Verdict.HOLE) {
            throw CommandFailedException.refused("changes are missing: " + once.lastHole());
        }
        if (verdict == Verdict.FRESH && end.isBefore(partition, seq)) {
            changes.add(Json.MAPPER.readTree(frame.data()));
        }
        end.at(partition, seq + 1);
    }

    private void report(long count, String cursor) {
        if (output.json()) {
            ObjectNode json = Json.MAPPER.createObjectNode();
            json.put("file", to.toString()).put("changes", count).put("cursor", cursor);
            output.printJson(json);
        } else {
            output.line("%,d changes in %s, up to the cursor %s".formatted(count, to, cursor));
        }
    }
}
