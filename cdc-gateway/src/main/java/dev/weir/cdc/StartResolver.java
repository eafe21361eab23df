package dev.weir.cdc;

import dev.weir.partition.feed.FeedDirectory;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Finds the position where a stream begins. Blocks on leaders and disks: called on virtual threads. */
final class StartResolver {
    /** Clocks of nodes and clients may differ by so much. */
    private static final Duration SKEW = Duration.ofSeconds(10);

    private static final long RETRY_NANOS = Duration.ofMillis(250).toNanos();

    private final FeedDirectory directory;
    private final Lineage lineage;
    private final Duration timeout;
    private final Clock clock;

    StartResolver(FeedDirectory directory, Lineage lineage, Duration timeout, Clock clock) {
        this.directory = directory;
        this.lineage = lineage;
        this.timeout = timeout;
        this.clock = clock;
    }

    /** @throws RequestRefused no stream can begin there */
    Position resolve(StreamRequest request) {
        return resolve(
                request.key().filter(), request.start(), request.delivery().drops());
    }

    /** Empty where what is asked for has to come from files. */
    Optional<Position> resolveInLog(StreamFilter filter, Start.Backfill backfill) {
        if (backfill.from() instanceof Start.Earliest) {
            Position earliest = resolve(filter, backfill.from(), false);
            boolean isWhole = earliest.map().entrySet().stream()
                    .allMatch(each -> each.getValue() <= feed(each.getKey()).firstSeq());
            return isWhole ? Optional.of(earliest) : Optional.empty();
        }
        try {
            return Optional.of(resolve(filter, backfill.from(), false));
        } catch (RequestRefused e) {
            if (e.refusal().code() == ErrorCode.CURSOR_TOO_OLD) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Of the first event ever of a partition. */
    long firstSeq(int partition) {
        return feed(partition).firstSeq();
    }

    /** The oldest seq that a partition's log has. */
    long oldest(int partition) {
        return oldest(feed(partition));
    }

    /**
     * Where in one partition a stream is to begin, in the log or before it.
     *
     * @return empty where only files can tell: what was committed at that time is no more in the log
     */
    OptionalLong wanted(int partition, Start from) {
        PartitionFeed feed = feed(partition);
        return switch (from) {
            case Start.At at ->
                OptionalLong.of(Math.max(feed.firstSeq(), at.cursor().next().getOrDefault(partition, feed.firstSeq())));
            case Start.Since since -> {
                long seq = seek(feed, since.committedAtNanos());
                long oldest = oldest(feed);
                yield seq > oldest || oldest <= feed.firstSeq() ? OptionalLong.of(seq) : OptionalLong.empty();
            }
            case Start.Earliest earliest -> OptionalLong.of(feed.firstSeq());
            case Start.Now now -> throw outside(now);
            case Start.Snapshot snapshot -> throw outside(snapshot);
            case Start.Within within -> throw outside(within);
            case Start.Backfill backfill -> throw outside(backfill);
        };
    }

    private static IllegalStateException outside(Start start) {
        return new IllegalStateException("no seq of the log is meant by " + start);
    }

    /**
     * @param drops what the log lacks is told: left out, or looked for in files
     * @throws RequestRefused no stream can begin there
     */
    Position resolve(StreamFilter filter, Start start, boolean drops) {
        checkPartitions(filter);
        return switch (start) {
            case Start.Now now -> now(filter);
            case Start.Earliest earliest -> earliest(filter);
            case Start.Since since -> since(filter, since.committedAtNanos());
            case Start.At at -> at(filter, at.cursor(), drops);
            case Start.Snapshot snapshot -> throw outside(snapshot);
            case Start.Within within -> throw outside(within);
            case Start.Backfill backfill -> throw outside(backfill);
        };
    }

    /**
     * A feed that has applied all events before a seq.
     *
     * @throws RequestRefused no replica can be reached in time, or is behind
     */
    PartitionFeed feedAt(int partition, long seq) {
        PartitionFeed feed = feed(partition);
        awaitApplied(feed, seq);
        return feed;
    }

    /** The oldest position of a stream, as a cursor. */
    String oldestCursor(StreamFilter filter) {
        return earliest(filter).encode(filter.tenant());
    }

    void checkPartitions(StreamFilter filter) {
        SortedSet<Integer> known = directory.partitions();
        for (int partition : filter.partitions()) {
            if (!known.contains(partition) && lineage.covered(filter).isEmpty()) {
                throw RequestRefused.of(
                        ErrorCode.BAD_REQUEST, "partition " + partition + " is not in the map; known are " + known);
            }
        }
    }

    private Position now(StreamFilter filter) {
        NavigableSet<Integer> live = lineage.covered(filter);
        live.removeIf(lineage::ended);
        return Position.of(committed(live));
    }

    private Position earliest(StreamFilter filter) {
        SortedMap<Integer, Long> start = new TreeMap<>();
        for (int partition : lineage.roots(lineage.covered(filter))) {
            start.put(partition, oldest(feed(partition)));
        }
        return Position.of(start);
    }

    private Position since(StreamFilter filter, long time) {
        Instant at = Clocks.instant(time);
        if (at.isAfter(clock.instant().plus(SKEW))) {
            throw RequestRefused.of(
                    ErrorCode.BAD_REQUEST, "from: " + at + " lies in the future (it is " + clock.instant() + ")");
        }
        NavigableSet<Integer> covered = lineage.covered(filter);
        NavigableSet<Integer> roots = lineage.roots(covered);
        SortedMap<Integer, Long> start = new TreeMap<>();
        for (int partition : covered) {
            PartitionFeed feed = feed(partition);
            long seq = seek(feed, time);
            long oldest = oldest(feed);
            if (seq <= oldest && oldest > feed.firstSeq()) {
                throw tooOld(
                        filter,
                        "from: the log of partition " + partition + " does not reach back to " + at
                                + "; its oldest seq is " + oldest);
            }
            // A child whose events all lie in the range joins after its parents.
            if (roots.contains(partition) || seq > feed.firstSeq()) {
                start.put(partition, seq);
            }
        }
        return Position.of(start);
    }

    private long seek(PartitionFeed feed, long time) {
        try {
            long found = feed.seekTime(time);
            if (found < feed.nextSeq()) {
                return found;
            }
            // Nothing that late was applied here; what is committed elsewhere may be, so this replica has to catch up
            // first.
            long committed = committed(Set.of(feed.partition())).getOrDefault(feed.partition(), found);
            awaitApplied(feed, committed);
            return feed.seekTime(time);
        } catch (IOException e) {
            throw unreachable(feed.partition(), "its log can't be read: " + e.getMessage());
        }
    }

    private void awaitApplied(PartitionFeed feed, long seq) {
        Signal advanced = new Signal();
        AutoCloseable registration = feed.onAdvance(advanced::raise);
        try {
            long deadline = System.nanoTime() + timeout.toNanos();
            while (feed.nextSeq() < seq) {
                if (feed.closed() || System.nanoTime() - deadline > 0) {
                    throw unreachable(
                            feed.partition(), "its replica here is at seq " + feed.nextSeq() + ", expected " + seq);
                }
                advanced.await(deadline);
            }
        } finally {
            close(registration);
        }
    }

    /**
     * Order of the checks: unknown partitions, too old, ahead of the log, partial.
     *
     * @param mayBeOld what is gone becomes the stream's first gap
     */
    private Position at(StreamFilter filter, Cursor cursor, boolean mayBeOld) {
        checkKnown(cursor);
        SortedMap<Integer, Long> start = new TreeMap<>();
        Set<Integer> ahead = new TreeSet<>();
        for (var entry : cursor.next().entrySet()) {
            int partition = entry.getKey();
            if (!lineage.covers(filter, partition)) {
                continue;
            }
            PartitionFeed feed = feed(partition);
            long next = Math.max(entry.getValue(), feed.firstSeq());
            if (!mayBeOld) {
                checkKept(filter, feed, next);
            }
            start.put(partition, next);
            if (next > feed.nextSeq()) {
                ahead.add(partition);
            }
        }
        checkNotAhead(start, ahead);
        checkWhole(filter, cursor);
        return Position.of(start);
    }

    private void checkKnown(Cursor cursor) {
        SortedSet<Integer> known = directory.partitions();
        for (int partition : cursor.next().keySet()) {
            if (!known.contains(partition)) {
                throw RequestRefused.of(
                        ErrorCode.BAD_CURSOR,
                        "the cursor names partition " + partition
                                + ", which is not in the map (or has ended and its log is gone); known are " + known);
            }
        }
    }

    private void checkKept(StreamFilter filter, PartitionFeed feed, long next) {
        try {
            KeptLog.check(feed, next);
        } catch (LostException e) {
            throw tooOld(
                    filter,
                    "partition " + e.partition() + ": seq " + e.wanted() + " is gone, the oldest kept is "
                            + e.oldest());
        } catch (IOException e) {
            throw unreachable(feed.partition(), "its log can't be read: " + e.getMessage());
        }
    }

    private static long oldest(PartitionFeed feed) {
        try {
            return KeptLog.oldest(feed);
        } catch (IOException e) {
            throw unreachable(feed.partition(), "its log can't be read: " + e.getMessage());
        }
    }

    private void checkNotAhead(SortedMap<Integer, Long> start, Set<Integer> ahead) {
        committed(ahead).forEach((partition, committed) -> {
            long next = start.getOrDefault(partition, 0L);
            if (next > committed) {
                throw RequestRefused.of(
                        ErrorCode.BAD_CURSOR,
                        "partition " + partition + ": the cursor says seq " + next + " is next, but the log's next is "
                                + committed + "; no such event was ever sent");
            }
        });
    }

    private void checkWhole(StreamFilter filter, Cursor cursor) {
        List<Integer> lacking = lineage.lacking(filter, cursor.next().keySet());
        if (!lacking.isEmpty()) {
            throw new RequestRefused(
                    Refusal.of(
                            ErrorCode.PARTIAL_CURSOR,
                            "the cursor lacks partitions " + lacking
                                    + "; expected the id of an event or checkpoint of such a stream, or partition= filters that the cursor covers"),
                    ErrorCode.PARTIAL_CURSOR.status(),
                    Map.of("lacking", lacking.toString()));
        }
    }

    private RequestRefused tooOld(StreamFilter filter, String message) {
        return new RequestRefused(
                Refusal.of(ErrorCode.CURSOR_TOO_OLD, message),
                ErrorCode.CURSOR_TOO_OLD.status(),
                Map.of(
                        "oldest_cursor",
                        oldestCursor(filter),
                        "hint",
                        "events are missing between your cursor and the oldest kept; read the table's state (GET /api/v1/latest) and go on"
                                + " from oldest_cursor or from=earliest"));
    }

    private SortedMap<Integer, Long> committed(Set<Integer> partitions) {
        Map<Integer, CompletableFuture<Long>> asked = new HashMap<>();
        partitions.forEach(partition ->
                asked.put(partition, directory.committedNextSeq(partition).toCompletableFuture()));
        SortedMap<Integer, Long> answers = new TreeMap<>();
        long deadline = System.nanoTime() + timeout.toNanos();
        for (int partition : new TreeSet<>(partitions)) {
            answers.put(partition, answer(partition, asked, deadline));
        }
        return answers;
    }

    private static long answer(int partition, Map<Integer, CompletableFuture<Long>> asked, long deadline) {
        CompletableFuture<Long> future = asked.get(partition);
        try {
            if (future == null) {
                throw new IllegalStateException("partition " + partition + " was not asked");
            }
            return future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RefusedException refused) {
                throw unreachable(partition, refused.refusal().message());
            }
            throw unreachable(partition, "its leader did not answer: " + e.getCause());
        } catch (TimeoutException e) {
            throw unreachable(partition, "its leader did not answer in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable(partition, "the node is stopping");
        }
    }

    /** A feed at another node is opened in the background: it is waited for. */
    private PartitionFeed feed(int partition) {
        Signal changed = new Signal();
        AutoCloseable registration = directory.onChange(changed::raise);
        try {
            long deadline = System.nanoTime() + timeout.toNanos();
            while (true) {
                Optional<PartitionFeed> found = directory.feed(partition).filter(feed -> !feed.closed());
                if (found.isPresent()) {
                    return found.get();
                }
                if (System.nanoTime() - deadline >= 0) {
                    throw unreachable(partition, "no replica can be reached");
                }
                changed.await(Math.min(deadline, System.nanoTime() + RETRY_NANOS));
            }
        } finally {
            close(registration);
        }
    }

    private static RequestRefused unreachable(int partition, String why) {
        return RequestRefused.of(ErrorCode.NO_LEADER, "partition " + partition + ": " + why);
    }

    private static void close(AutoCloseable registration) {
        try {
            registration.close();
        } catch (Exception e) {
            throw new IllegalStateException("a listener could not be taken off a feed", e);
        }
    }
}
