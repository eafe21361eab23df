package dev.weir.ops.query;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.CommandFailedException;
import dev.weir.ops.client.Json;
import dev.weir.ops.client.StreamedAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Runs statements and prints their answers as they come. One thread; {@link StreamedAnswer#close} by another ends a call. */
final class StatementCall {
    private static final int CHART_HEIGHT = 18;

    private final ClusterClient client;
    private final QueryForm form;
    private final int width;

    /** @param width of the terminal, for charts */
    StatementCall(ClusterClient client, QueryForm form, int width) {
        this.client = client;
        this.form = form;
        this.width = width;
    }

    /** Whoever wants to break it off. */
    interface Begun {
        void begun(StreamedAnswer answer);
    }

    /** @throws CommandFailedException refused; the message shows where */
    void run(String statement, PrintWriter out, Begun begun) throws IOException {
        try (StreamedAnswer answer = client.stream(
                "/api/v1/sql", Json.compact(Map.of("query", statement)), Map.of("Accept", form.accept()))) {
            begun.begun(answer);
            if (answer.status() >= 400) {
                throw refusal(statement, answer);
            }
            print(answer.body(), out);
        }
    }

    private void print(InputStream body, PrintWriter out) throws IOException {
        switch (form) {
            case table -> {
                try (RowReader rows = new RowReader(body)) {
                    TableForm.print(rows, out);
                }
            }
            case chart -> {
                try (RowReader rows = new RowReader(body)) {
                    out.print(Chart.of(rows).draw(width, CHART_HEIGHT));
                }
            }
            case json -> out.println(Json.pretty(Json.MAPPER.readTree(body)));
            case csv, ndjson -> copy(body, out);
        }
        out.flush();
    }

    private static void copy(InputStream body, PrintWriter out) throws IOException {
        var reader = new java.io.InputStreamReader(body, StandardCharsets.UTF_8);
        char[] piece = new char[16 << 10];
        for (int read = reader.read(piece); read >= 0; read = reader.read(piece)) {
            out.write(piece, 0, read);
            if (out.checkError()) {
                return; // nobody reads any more, as with | head
            }
        }
    }

    private static CommandFailedException refusal(String statement, StreamedAnswer answer) throws IOException {
        String body = new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
        JsonNode json = Json.parsed(body);
        String words = json.path("error").asText(body.strip());
        String code = json.path("code").asText("");
        String message = words + (code.isEmpty() ? "" : " (" + code + ")");
        String place = Caret.under(statement, json.path("position").asInt(0));
        String whole = place.isEmpty() ? message : message + "\n" + place.stripTrailing();
        return answer.status() == 504 ? CommandFailedException.timedOut(whole) : CommandFailedException.refused(whole);
    }
}
