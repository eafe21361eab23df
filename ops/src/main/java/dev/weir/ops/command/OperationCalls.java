package dev.weir.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.CommandFailedException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Begins operations and follows them to their end. */
final class OperationCalls {
    static final String PATH = "/api/v1/admin/operations";
    private static final Set<String> ENDED = Set.of("done", "failed", "cancelled");
    private static final Duration LOOK = Duration.ofMillis(500);

    private final ClusterClient client;
    private final OutputOptions output;

    OperationCalls(ClusterClient client, OutputOptions output) {
        this.client = client;
        this.output = output;
    }

    /** @return exit code: 0 where it was begun, or planned, or is done; 1 where it has failed or was cancelled; 4 where it is not over in time */
    int start(Map<String, Object> operation, OperationOptions options) {
        Map<String, Object> body = new HashMap<>(operation);
        body.put("dry_run", options.dryRun);
        JsonNode begun = client.send("POST", PATH, body);
        if (begun.path("id").isNull()) {
            output.result(begun, "nothing is to be done");
            return 0;
        }
        sayLeft(begun);
        if (options.dryRun || options.noWait) {
            output.answer(begun, OperationText::table);
            return 0;
        }
        return watch(begun.path("id").asText(), options.within);
    }

    private void sayLeft(JsonNode begun) {
        if (!begun.path("left").isEmpty()) {
            output.err().println("all other nodes hold these partitions already, they stay: " + begun.path("left"));
            output.err().flush();
        }
    }

    /** Says each step as it comes, on the error stream; the end on the output. */
    int watch(String id, Duration within) {
        PrintWriter words = output.err();
        Map<Integer, String> said = new HashMap<>();
        long deadline = System.nanoTime() + within.toNanos();
        JsonNode now = client.get(path(id));
        while (!ENDED.contains(now.path("state").asText())) {
            sayNews(now, said, words);
            if (System.nanoTime() - deadline > 0) {
                throw CommandFailedException.timedOut(
                        "operation " + id + " is " + now.path("state").asText() + " after " + within.toSeconds()
                                + " s; it goes on: weir ops watch " + id);
            }
            pause();
            now = client.get(path(id));
        }
        sayNews(now, said, words);
        output.answer(now, OperationText::table);
        return now.path("state").asText().equals("done") ? 0 : 1;
    }

    private static void sayNews(JsonNode operation, Map<Integer, String> said, PrintWriter words) {
        int index = 0;
        for (JsonNode action : operation.path("actions")) {
            String news = action.path("message").asText();
            if (!news.isEmpty() && !news.equals(said.put(index, news))) {
                words.println("partition " + action.path("partition").asInt() + ": " + news);
                words.flush();
            }
            index++;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailedException.timedOut("interrupted; the operation goes on");
        }
    }

    static String path(String id) {
        return PATH + "/" + ClusterClient.encoded(id);
    }
}
