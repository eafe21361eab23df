package dev.weir.docker;

import dev.weir.cdc.consumer.Deduplicator;
import dev.weir.cdc.consumer.Deduplicator.Verdict;
import dev.weir.cdc.consumer.SseFrame;
import dev.weir.cdc.consumer.StreamOptions;
import dev.weir.cdc.consumer.WeirStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes numbered rows into one measurement through the nodes in turn, each again until it is acknowledged, and reads them back from the
 * stream. A row is one number, so what is lost has a name.
 */
final class Rows {
    private static final Duration GIVE_UP_AFTER = Duration.ofSeconds(60);
    private static final int SERIES = 40;
    private static final Pattern NUMBER = Pattern.compile("\"n\":\"?(\\d+)");

    private final LocalCluster cluster;
    private final String measurement;
    private final Set<Integer> acknowledged = new TreeSet<>();
    private int next;

    Rows(LocalCluster cluster, String measurement) {
        this.cluster = cluster;
        this.measurement = measurement;
    }

    /** Writes some more rows, in bodies of twenty, and returns when all are acknowledged. */
    void write(int count) throws IOException {
        for (int end = next + count; next < end; ) {
            StringBuilder body = new StringBuilder();
            List<Integer> numbers = new ArrayList<>();
            for (int i = 0; i < 20 && next < end; i++, next++) {
                numbers.add(next);
                body.append(measurement + ",host=h" + next % SERIES + " n=" + next + "i "
                        + (1_767_225_600_000_000_000L + next) + "\n");
            }
            writeUntilAcknowledged(body.toString());
            acknowledged.addAll(numbers);
        }
    }

    private void writeUntilAcknowledged(String body) throws IOException {
        String key = UUID.randomUUID().toString();
        long end = System.nanoTime() + GIVE_UP_AFTER.toNanos();
        String found = "";
        for (int attempt = 0; System.nanoTime() - end < 0; attempt++) {
            int node = Math.floorMod(next / 20 + attempt, cluster.size()) + 1;
            try {
                HttpResponse<String> answer = cluster.send(
                        HttpRequest.newBuilder(URI.create(cluster.url(node) + "/api/v2/write?precision=ns"))
                                .header("Idempotency-Key", key)
                                .POST(BodyPublishers.ofString(body)));
                if (answer.statusCode() == 204) {
                    return;
                }
                found = answer.statusCode() + " " + answer.body();
                if (answer.statusCode() < 500) {
                    throw new AssertionError("node " + node + " refused rows for good: " + found);
                }
            } catch (IOException e) {
                found = e.toString();
            }
        }
        throw new AssertionError("rows not acknowledged in " + GIVE_UP_AFTER + ", last answer: " + found);
    }

    Set<Integer> acknowledged() {
        return acknowledged;
    }

    /** All numbers in the stream from the first event on, as one node tells it, each event once; fails on a hole. */
    Set<Integer> streamed(int node) throws IOException, InterruptedException {
        Set<Integer> numbers = new TreeSet<>();
        Deduplicator once = Deduplicator.filtered();
        StreamOptions options =
                StreamOptions.of(URI.create(cluster.url(node))).from("earliest").with("measurement", measurement);
        long end = System.nanoTime() + GIVE_UP_AFTER.toNanos();
        try (WeirStream stream = WeirStream.open(options)) {
            while (!numbers.containsAll(acknowledged) && System.nanoTime() - end < 0) {
                SseFrame frame = stream.next(Duration.ofSeconds(1));
                if (frame == null || !frame.event().equals("point_written")) {
                    continue;
                }
                Verdict verdict = once.accept(frame.head());
                if (verdict == Verdict.HOLE) {
                    throw new AssertionError("hole in the stream of node " + node + ": " + once.lastHole());
                }
                Matcher number = NUMBER.matcher(frame.data());
                if (verdict == Verdict.FRESH && number.find() && !numbers.add(Integer.parseInt(number.group(1)))) {
                    throw new AssertionError("row " + number.group(1) + " came under two seqs: " + frame.data());
                }
            }
        }
        return numbers;
    }
}
