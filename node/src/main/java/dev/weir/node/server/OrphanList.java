package dev.weir.node.server;

import dev.weir.partition.engine.Orphan;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Files in the store that belong to nobody, as the last looks at the partitions led here have found them. Any thread. */
record OrphanList(Supplier<List<HeldPartition>> held) {
    /** Files that an answer names. */
    static final int NAMED_MAX = 1_000;

    long files() {
        return all().count();
    }

    long bytes() {
        return all().mapToLong(Orphan::bytes).sum();
    }

    /** Removed since replicas were opened. */
    long removed() {
        return held.get().stream()
                .mapToLong(each -> each.flusher().orphansRemoved())
                .sum();
    }

    /** {@code {"orphans": [{"partition", "key", "bytes", "goes_in_seconds"}…], "files", "bytes"}}; {@code goes_in_seconds} is null where it is not known. */
    JsonObject json() {
        JsonArray named = new JsonArray();
        long now = System.nanoTime();
        Set<String> keys = new HashSet<>();
        for (HeldPartition partition : held.get()) {
            for (Orphan orphan : partition.flusher().orphans()) {
                if (named.size() < NAMED_MAX && keys.add(orphan.key())) {
                    named.add(new JsonObject()
                            .put("partition", partition.partition())
                            .put("key", orphan.key())
                            .put("bytes", orphan.bytes())
                            .put("goes_in_seconds", orphan.mayGo() ? goesIn(orphan, now) : null));
                }
            }
        }
        return new JsonObject().put("orphans", named).put("files", files()).put("bytes", bytes());
    }

    private static long goesIn(Orphan orphan, long nowNanos) {
        return Math.max(0, TimeUnit.NANOSECONDS.toSeconds(orphan.ageNanos() - (nowNanos - orphan.sinceNanos())));
    }

    private Stream<Orphan> all() {
        Set<String> keys = new HashSet<>();
        // Each partition sees the logs of tables that are published no more.
        return held.get().stream()
                .flatMap(each -> each.flusher().orphans().stream())
                .filter(orphan -> keys.add(orphan.key()));
    }
}
