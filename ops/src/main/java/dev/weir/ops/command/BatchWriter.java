package dev.weir.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.Answer;
import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.CommandFailedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPOutputStream;

/**
 * Sends batches and counts what came of their rows. A batch that a node asks for again, or whose outcome is unknown, is sent again with
 * the same {@code Idempotency-Key}, so no row is doubled. Used by one thread.
 */
final class BatchWriter {
    private static final int COMPLAINTS_MAX = 100;
    private static final int WAIT_SECONDS_MAX = 5;

    private final ClusterClient client;
    private final WriteFormat format;
    private final boolean gzip;
    private final Duration retryFor;
    private final List<String> complaints = new ArrayList<>();
    private long accepted;
    private long rejected;
    private int requests;
    private Optional<String> commit = Optional.empty();

    BatchWriter(ClusterClient client, WriteFormat format, boolean gzip, Duration retryFor) {
        this.client = client;
        this.format = format;
        this.gzip = gzip;
        this.retryFor = retryFor;
    }

    /**
     * @param linesBefore lines of the input before this body
     * @param rows how many it holds, where that is known; the answer tells better
     */
    void send(byte[] body, long linesBefore, long rows) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", format.contentType());
        headers.put("Idempotency-Key", UUID.randomUUID().toString());
        if (gzip) {
            headers.put("Content-Encoding", "gzip");
        }
        Answer answer = sendUntilSettled(gzip ? compressed(body) : body, headers);
        commit = answer.commit().or(() -> commit);
        if (answer.ok()) {
            accepted += rows(answer, "accepted", rows);
            return;
        }
        JsonNode json = answer.json();
        if (answer.status() != 400 || !json.has("accepted")) {
            throw failure(answer);
        }
        accepted += json.path("accepted").asLong();
        rejected += json.path("rejected").asLong();
        for (JsonNode row : json.path("rows")) {
            if (complaints.size() < COMPLAINTS_MAX) {
                complaints.add("line " + (linesBefore + row.path("line").asLong()) + ": "
                        + row.path("message").asText() + " (" + row.path("code").asText() + ")");
            }
        }
    }

    private Answer sendUntilSettled(byte[] body, Map<String, String> headers) {
        long end = System.nanoTime() + retryFor.toNanos();
        boolean unknown = false; // a node that broke off may be gone for a while
        while (true) {
            requests++;
            int wait = 1;
            try {
                Answer answer = client.call("POST", format.path(), BodyPublishers.ofByteArray(body), headers);
                boolean again = answer.status() == 429 || answer.status() == 503 || answer.status() == 504;
                if (!again || System.nanoTime() - end >= 0) {
                    return answer;
                }
                wait = Math.clamp(answer.retryAfterSeconds(), 1, WAIT_SECONDS_MAX);
            } catch (CommandFailedException e) {
                unknown |= e.outcomeUnknown();
                if (!unknown
                        || System.nanoTime() - end >= 0
                        || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
            }
            LockSupport.parkNanos(Duration.ofSeconds(wait).toNanos());
        }
    }

    private CommandFailedException failure(Answer answer) {
        String soFar = accepted > 0 ? " %,d rows before were written.".formatted(accepted) : "";
        String words = answer.from() + " answered " + answer.status() + ": " + answer.reason() + "." + soFar;
        return answer.status() == 504 ? CommandFailedException.timedOut(words) : CommandFailedException.refused(words);
    }

    private static long rows(Answer answer, String name, long fallback) {
        return answer.json().path(name).asLong(fallback);
    }

    private static byte[] compressed(byte[] body) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(body.length / 4 + 64);
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write(body);
        }
        return out.toByteArray();
    }

    long accepted() {
        return accepted;
    }

    long rejected() {
        return rejected;
    }

    int requests() {
        return requests;
    }

    List<String> complaints() {
        return complaints;
    }

    /** For {@code -o json}. */
    Map<String, Object> result() {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("accepted", accepted);
        result.put("rejected", rejected);
        result.put("requests", requests);
        commit.ifPresent(cursor -> result.put("commit", cursor));
        return result;
    }
}
