package dev.weir.ops;

import dev.weir.ops.bench.BenchCommand;
import dev.weir.ops.client.CommandFailedException;
import dev.weir.ops.command.CdcCommand;
import dev.weir.ops.command.DeadLettersCommand;
import dev.weir.ops.command.DeleteCommand;
import dev.weir.ops.command.NodesCommand;
import dev.weir.ops.command.OperationsCommand;
import dev.weir.ops.command.OrphansCommand;
import dev.weir.ops.command.PartitionsCommand;
import dev.weir.ops.command.ReadCommand;
import dev.weir.ops.command.StatusCommand;
import dev.weir.ops.command.SubscriptionsCommand;
import dev.weir.ops.command.TablesCommand;
import dev.weir.ops.command.TenantsCommand;
import dev.weir.ops.command.TokensCommand;
import dev.weir.ops.command.WriteCommand;
import dev.weir.ops.local.LocalCommand;
import dev.weir.ops.query.QueryCommand;
import dev.weir.ops.quickstart.QuickstartCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/**
 * The command line. Exit codes: 0 done, 1 refused, 2 usage, 3 unreachable, 4 timed out.
 *
 * <p>{@code weir server} never comes here: the start script turns it into the server's own process.
 */
@Command(
        name = "weir",
        mixinStandardHelpOptions = true,
        versionProvider = Weir.Version.class,
        description = "Weir, a clustered time-series database with a change stream.",
        footer = {
            "",
            "weir server --config FILE [-c KEY=VALUE]… runs a node in this terminal.",
            "weir warm, once after unpacking, lets servers start in half the time.",
            "Exit codes: 0 done, 1 refused, 2 usage, 3 unreachable, 4 timed out."
        },
        subcommands = {
            HelpCommand.class,
            LocalCommand.class,
            StatusCommand.class,
            CdcCommand.class,
            SubscriptionsCommand.class,
            BenchCommand.class,
            QuickstartCommand.class,
            WriteCommand.class,
            QueryCommand.class,
            TablesCommand.class,
            ReadCommand.Latest.class,
            ReadCommand.Series.class,
            DeleteCommand.class,
            DeadLettersCommand.class,
            NodesCommand.class,
            PartitionsCommand.class,
            OperationsCommand.class,
            OrphansCommand.class,
            TenantsCommand.class,
            TokensCommand.class,
            GenerateCompletion.class,
        })
public final class Weir {
    private Weir() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The whole command line, as main runs it. */
    public static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Weir());
        line.setUsageHelpAutoWidth(true);
        line.setExecutionStrategy(Weir::run);
        line.setExecutionExceptionHandler((e, command, parsed) -> {
            PrintWriter err = command.getErr();
            if (e instanceof CommandFailedException failed) {
                err.println("weir: " + failed.getMessage());
                return failed.exitCode();
            }
            if (e instanceof FileSystemException file) {
                err.println("weir: " + file.getFile() + ": " + reason(file));
                return CommandFailedException.REFUSED;
            }
            if (e instanceof IOException) {
                err.println("weir: " + e.getMessage());
                return CommandFailedException.REFUSED;
            }
            e.printStackTrace(err); // a fault of ours: whoever mends it needs to know where
            return CommandFailedException.REFUSED;
        });
        return line;
    }

    /** What was given before the name of a sub-command is meant for that too: {@code weir tables --url X list}. */
    private static int run(ParseResult parsed) {
        for (ParseResult at = parsed; at.hasSubcommand(); at = at.subcommand()) {
            ParseResult below = at.subcommand();
            for (OptionSpec given : at.matchedOptions()) {
                OptionSpec same = below.commandSpec().findOption(given.longestName());
                if (same != null && !below.hasMatchedOption(same)) {
                    same.setValue(given.getValue());
                }
            }
        }
        return new RunLast().execute(parsed);
    }

    private static String reason(FileSystemException file) {
        return switch (file) {
            case NoSuchFileException missing -> "no such file or folder, or it can't be made";
            case AccessDeniedException denied -> "no permission";
            default -> String.valueOf(file.getReason());
        };
    }

    /** The version, as the build wrote it into the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Weir.class.getPackage().getImplementationVersion();
            return new String[] {"weir " + (version == null ? "(not packaged)" : version)};
        }
    }
}
