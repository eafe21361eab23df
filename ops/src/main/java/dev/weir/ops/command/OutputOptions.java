package dev.weir.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.Json;
import java.io.PrintWriter;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tables for people, JSON for scripts. The JSON is stable: keys are added, never renamed. */
public final class OutputOptions {
    /** The forms of output. */
    public enum Format {
        table,
        json
    }

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    CommandSpec command;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "table|json",
            defaultValue = "table",
            description = "Form of the output. Default: ${DEFAULT-VALUE}.")
    Format format = Format.table;

    public boolean json() {
        return format == Format.json;
    }

    public PrintWriter out() {
        return command.commandLine().getOut();
    }

    public PrintWriter err() {
        return command.commandLine().getErr();
    }

    public void printJson(Object value) {
        out().println(Json.pretty(value));
        out().flush();
    }

    /** JSON for scripts, a line for people. */
    public void result(Object json, String words) {
        if (json()) {
            printJson(json);
        } else {
            line(words);
        }
    }

    /** JSON for scripts, a table for people. */
    public void answer(JsonNode json, Function<JsonNode, TextTable> table) {
        if (json()) {
            printJson(json);
        } else {
            print(table.apply(json));
        }
    }

    public void print(TextTable table) {
        out().print(table.render());
        out().flush();
    }

    public void line(String text) {
        out().println(text);
        out().flush();
    }
}
