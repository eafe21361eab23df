package dev.weir.cdc;

import dev.weir.partition.feed.PartitionFeed;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Up to which commit time a stream has delivered everything: no event that it sends from then on has such a commit time or an earlier one.
 *
 * <p>Where a log stands is noted, with its resolved time; once the stream has got there, that time is the partition's, whichever replica said so. A time goes
 * back neither within a stream nor from one to the next, on whatever node: before the first one is told, the leader is asked which replicas may have shown.
 *
 * <p>Used by the stream's thread alone; does not block but where a partition has ended.
 */
final class ResolvedTimes {
    private final Lineage lineage;
    private final Resolving resolving;
    private final StreamFilter filter;
    private final Duration interval;
    private final Map<Integer, Track> tracks = new TreeMap<>();
    private final TimeText time = new TimeText();
    private long overall;
    private long dueAt;

    ResolvedTimes(Lineage lineage, Resolving resolving, StreamFilter filter, Duration interval) {
        this.lineage = lineage;
        this.resolving = resolving;
        this.filter = filter;
        this.interval = interval;
        this.dueAt = System.nanoTime() + interval.toNanos();
    }

    /** When the next one is to be told ({@link System#nanoTime}). */
    long dueAt() {
        return dueAt;
    }

    /** Looks where the logs are, and asks that they go on. */
    void look(Position at) {
        dueAt = System.nanoTime() + interval.toNanos();
        tracks.keySet().removeIf(partition -> lineage.isOver(partition, at));
        long least = Long.MAX_VALUE;
        for (int i = 0; i < at.size(); i++) {
            int partition = at.partitionAt(i);
            if (lineage.isOver(partition, at)) {
                continue;
            }
            Track track = tracks.computeIfAbsent(partition, Track::new);
            track.look(at.nextAt(i));
            resolving.keepGoing(partition, interval);
            least = Math.min(least, track.told);
        }
        if (least != Long.MAX_VALUE && lineage.isWhole(at, filter)) {
            overall = Math.max(overall, least);
        }
    }

    /** As of the last look; null where it is not known yet. */
    String json() {
        JsonBytes json = new JsonBytes(64 + 48 * tracks.size());
        json.put(JsonBytes.ascii("{\"resolved_at\":"));
        put(json, overall);
        json.put(JsonBytes.ascii(",\"partitions\":{"));
        boolean first = true;
        for (Map.Entry<Integer, Track> each : tracks.entrySet()) {
            json.put(JsonBytes.ascii((first ? "\"" : ",\"") + each.getKey() + "\":"));
            put(json, each.getValue().told);
            first = false;
        }
        json.put(JsonBytes.ascii("}}"));
        return new String(json.copy(), StandardCharsets.US_ASCII);
    }

    private void put(JsonBytes json, long nanos) {
        if (nanos == 0) {
            json.nothing();
        } else {
            time.put(json, nanos);
        }
    }

    /** One partition. */
    private final class Track {
        private final int partition;
        private CompletableFuture<Long> floor;
        /** The stream has delivered everything up to it. */
        private long reached;
        /** Once the stream is at that seq, it has up to that time; 0 where nothing was noted. */
        private long notedSeq;

        private long notedAt;
        /** What may be said; 0 for nothing yet. */
        private long told;

        Track(int partition) {
            this.partition = partition;
            this.floor = ask();
        }

        private CompletableFuture<Long> ask() {
            return resolving.floor(partition, interval).toCompletableFuture();
        }

        void look(long next) {
            if (notedSeq != 0 && next >= notedSeq) {
                reached = notedAt;
                notedSeq = 0;
            }
            if (notedSeq == 0) {
                note(next);
            }
            if (floor.isCompletedExceptionally()) {
                floor = ask();
            } else if (floor.isDone() && reached >= floor.join()) {
                told = Math.max(told, reached);
            }
        }

        private void note(long next) {
            PartitionFeed feed = resolving.directory().feed(partition).orElse(null);
            if (feed == null) {
                return;
            }
            long at = feed.resolvedAtNanos();
            long seq = feed.nextSeq();
            if (next >= seq) {
                reached = Math.max(reached, at);
            } else if (at > reached) {
                notedSeq = seq;
                notedAt = at;
            }
        }
    }
}
