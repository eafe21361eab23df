package dev.weir.ops.query;

import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.CommandFailedException;
import dev.weir.ops.client.StreamedAnswer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/** The prompt: lines until a semicolon, history in the home folder, names by the tabulator. Ctrl-C ends the statement that runs, or drops the line; Ctrl-D leaves. */
final class Prompt {
    private static final String HISTORY = ".weir_history";
    private static final String HELP = """
            A statement ends with ; and may take several lines. The tabulator completes names of tables and columns.
            Ctrl-C ends the statement that runs. Ctrl-D, exit or quit leaves. SHOW TABLES; SHOW COLUMNS FROM t; SHOW QUERIES;
            """;

    private final ClusterClient client;
    private final QueryForm form;

    Prompt(ClusterClient client, QueryForm form) {
        this.client = client;
        this.form = form;
    }

    int run() throws IOException {
        try (Terminal terminal = TerminalBuilder.builder().system(true).build()) {
            LineReader reader = LineReaderBuilder.builder()
                    .terminal(terminal)
                    .appName("weir")
                    .parser(new StatementLines())
                    .completer(new NameCompleter(client))
                    .variable(LineReader.HISTORY_FILE, Path.of(System.getProperty("user.home"), HISTORY))
                    .variable(LineReader.SECONDARY_PROMPT_PATTERN, "   -> ")
                    .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                    .build();
            terminal.writer().println("weir at " + client.nodes().getFirst() + "; help; says what there is");
            loop(terminal, reader);
            return 0;
        }
    }

    private void loop(Terminal terminal, LineReader reader) {
        while (true) {
            String text;
            try {
                text = reader.readLine("weir> ");
            } catch (UserInterruptException e) {
                continue;
            } catch (EndOfFileException e) {
                return;
            }
            for (String statement : Statements.split(text + ";").whole()) {
                switch (statement.toLowerCase(java.util.Locale.ROOT)) {
                    case "exit", "quit" -> {
                        return;
                    }
                    case "help" -> terminal.writer().print(HELP);
                    default -> answer(terminal, statement);
                }
            }
        }
    }

    private void answer(Terminal terminal, String statement) {
        AtomicReference<@Nullable StreamedAnswer> running = new AtomicReference<>();
        Thread caller = Thread.currentThread();
        Terminal.SignalHandler before = terminal.handle(Terminal.Signal.INT, signal -> {
            StreamedAnswer answer = running.get();
            if (answer == null) {
                caller.interrupt();
            } else {
                answer.close();
            }
        });
        PrintWriter out = terminal.writer();
        long start = System.nanoTime();
        try {
            new StatementCall(client, form, terminal.getSize().getColumns()).run(statement, out, running::set);
            out.printf("%.3f s%n", (System.nanoTime() - start) / 1e9);
        } catch (CommandFailedException e) {
            out.println(Thread.interrupted() ? "canceled" : e.getMessage());
        } catch (IOException e) {
            out.println("the answer broke off: " + e.getMessage());
        } finally {
            Thread.interrupted();
            terminal.handle(Terminal.Signal.INT, before);
            out.flush();
        }
    }
}
