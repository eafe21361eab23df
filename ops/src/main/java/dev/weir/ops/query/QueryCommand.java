package dev.weir.ops.query;

import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.command.ConnectionOptions;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir query}: a statement, statements from the standard input, or a prompt. */
@Command(
        name = "query",
        aliases = "sql",
        mixinStandardHelpOptions = true,
        description = {
            "Runs SQL.",
            "With a statement: that one. Without, on a terminal: a prompt. Else: the statements of the standard input, each ended by a semicolon."
        })
public final class QueryCommand implements Callable<Integer> {
    private static final int WIDTH = 100;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    CommandSpec command;

    @Parameters(
            paramLabel = "STATEMENT",
            arity = "0..1",
            description = "The statement; - reads statements from the standard input.")
    Optional<String> statement = Optional.empty();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            defaultValue = "table",
            description =
                    "table, json, csv, ndjson, or chart: the first column of times across, each column of numbers a line. Default: ${DEFAULT-VALUE}.")
    QueryForm form = QueryForm.table;

    @Mixin
    ConnectionOptions connection = new ConnectionOptions();

    @Override
    public Integer call() throws IOException {
        PrintWriter out = command.commandLine().getOut();
        try (ClusterClient client = connection.open()) {
            if (statement.isEmpty() && isTerminal()) {
                return new Prompt(client, form).run();
            }
            StatementCall call = new StatementCall(client, form, width());
            boolean fromInput = statement.isEmpty() || statement.get().equals("-");
            String text = fromInput ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8) : statement.get();
            Statements.Split split = Statements.split(text);
            for (String each : split.whole()) {
                call.run(each, out, answer -> {});
            }
            if (!split.rest().isBlank()) {
                call.run(split.rest(), out, answer -> {});
            }
            return 0;
        }
    }

    private static boolean isTerminal() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    private static int width() {
        String columns = System.getenv("COLUMNS");
        try {
            return columns == null ? WIDTH : Integer.parseInt(columns);
        } catch (NumberFormatException e) {
            return WIDTH;
        }
    }
}
