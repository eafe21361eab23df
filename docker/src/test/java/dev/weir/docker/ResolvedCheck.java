package dev.weir.docker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.partition.model.ChangeEvent;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** What one consumer may hold on to, from stream to stream: no resolved time goes back, and no event comes for the first time at or before one. */
final class ResolvedCheck {
    private static final ObjectMapper JSON = new ObjectMapper();
    private final Map<Integer, Long> partitions = new TreeMap<>();
    private long all;
    private long frames;

    /** @param data of a frame {@code resolved} */
    void frame(String data) throws IOException {
        JsonNode frame = JSON.readTree(data);
        for (Map.Entry<String, JsonNode> each : frame.required("partitions").properties()) {
            if (!each.getValue().isNull()) {
                Integer partition = Integer.valueOf(each.getKey());
                partitions.put(partition, later(partitions.getOrDefault(partition, 0L), each.getValue(), data));
            }
        }
        if (!frame.required("resolved_at").isNull()) {
            all = later(all, frame.required("resolved_at"), data);
            frames++;
        }
    }

    private static long later(long before, JsonNode time, String data) {
        Instant at = Instant.parse(time.asText());
        long nanos = at.getEpochSecond() * 1_000_000_000L + at.getNano();
        if (nanos < before) {
            throw new AssertionError("a resolved time went back, from " + before + " to " + nanos + ": " + data);
        }
        return nanos;
    }

    void fresh(ChangeEvent event) {
        long resolved = Math.max(all, partitions.getOrDefault(event.partition(), 0L));
        if (event.committedAtNanos() <= resolved) {
            throw new AssertionError("expected events after the resolved time " + resolved + ", found " + event);
        }
    }

    /** That stated a time for the whole stream. */
    long frames() {
        return frames;
    }
}
