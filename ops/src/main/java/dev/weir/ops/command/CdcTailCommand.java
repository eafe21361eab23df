package dev.weir.ops.command;

import dev.weir.cdc.consumer.Deduplicator;
import dev.weir.cdc.consumer.Deduplicator.Verdict;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.StreamRefusedException;
import dev.weir.cdc.consumer.WeirStream;
import dev.weir.ops.client.CommandFailedException;
import java.io.IOException;
import java.time.Duration;
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

    @Mixin
    ChangeFilterOptions filter = new ChangeFilterOptions();

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
        try (WeirStream stream = filter.open(connection, from)) {
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
            throw ChangeFilterOptions.unreachable(connection, e);
        }
        return whole ? 0 : CommandFailedException.REFUSED;
    }
}
