package dev.weir.ops.command;

import java.time.Duration;
import picocli.CommandLine.Option;

/** Options of all commands that begin an operation. */
final class OperationOptions {
    @Option(names = "--dry-run", description = "Changes nothing: keeps the plan under an id, for weir ops apply.")
    boolean dryRun;

    @Option(names = "--no-wait", description = "Gives the operation's id instead of waiting for its end.")
    boolean noWait;

    @Option(
            names = "--within",
            paramLabel = "DURATION",
            defaultValue = "PT1H",
            description =
                    "Waits no longer than that (exit code 4; the operation goes on), such as PT10M. Default: ${DEFAULT-VALUE}.")
    Duration within = Duration.ofHours(1);
}
