package dev.weir.cdc.consumer;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Follows a named subscription, alone or as a member of its group. The cluster keeps its place: what was acknowledged never comes again, what was not does, at whichever
 * node, after whatever has failed.
 *
 * <pre>{@code
 * try (WeirSubscription work = WeirSubscription.member(StreamOptions.of(node1, node2, node3), "billing", "m1")) {
 *     while (running) {
 *         switch (work.receive(Duration.ofSeconds(1))) {
 *             case null -> {}
 *             case Outcome.Begun begun -> forgetWhatWasNotAcknowledged();
 *             case Outcome.Change change -> {
 *                 process(change.data());
 *                 work.acknowledge(change);
 *             }
 *             case Outcome.Progress progress -> work.acknowledge(progress);
 *             …
 *         }
 *     }
 *     work.awaitCommitted(Duration.ofSeconds(5));
 * }
 * }</pre>
 *
 * <p>Each stream begins with {@link Outcome.Begun}: of what had been handed out, all that was not acknowledged comes again. What was acknowledged here and not committed yet
 * is told apart by (partition, seq) and does not: one number a partition is kept for that. Where partitions went to another member and came back, that one may have processed
 * the same events; who must exclude that keeps (partition, seq) with the results.
 *
 * <p>Acknowledging waits for nothing. A thread of this object says the newest place to the cluster, one call at a time; where that is refused since the generation has changed,
 * it is dropped, and the stream begins anew.
 *
 * <p>One thread calls {@link #receive} and {@link #acknowledge}; the rest may come from any.
 */
public final class WeirSubscription implements AutoCloseable {
    private final WeirStream stream;
    private final Acknowledger acknowledger;
    private final boolean isMember;
    /** By partition, the seq before which all is acknowledged here. */
    private final TreeMap<Integer, Long> done = new TreeMap<>();

    private Deduplicator chain = Deduplicator.filtered();
    /** What the stream has been said, or found, to carry. */
    private SortedSet<Integer> partitions = new TreeSet<>();

    private @Nullable Outcome held;
    private long begun;
    private volatile long generation = -1;
    private volatile boolean wasDropped;
    private boolean isLeaving;
    private final AtomicLong duplicates = new AtomicLong();

    private WeirSubscription(
            StreamOptions options, @Nullable SSLContext trusted, String name, @Nullable String member) {
        this.isMember = member != null;
        this.stream = WeirStream.open(options, trusted, StreamPath.subscription(name, member));
        this.acknowledger = new Acknowledger(WeirStream.client(options, trusted), options, name, member);
        acknowledger.start();
    }

    /**
     * As its only reader. Does not connect yet: {@link #receive} does.
     *
     * @param options nodes, token, time-outs, and parameters of the form such as {@code int64}; filters and the place are the subscription's
     */
    public static WeirSubscription alone(StreamOptions options, String name) {
        return new WeirSubscription(options, null, name, null);
    }

    /** The same at nodes that speak TLS, see {@link WeirStream#open(StreamOptions, SSLContext)}. */
    public static WeirSubscription alone(StreamOptions options, SSLContext trusted, String name) {
        return new WeirSubscription(options, trusted, name, null);
    }

    /**
     * As a member of its group, which shares the partitions.
     *
     * @param member a name that no other consumer of the group has; who comes back under it within {@code cdc.member-timeout} has the same partitions
     */
    public static WeirSubscription member(StreamOptions options, String name, String member) {
        return new WeirSubscription(options, null, name, member);
    }

    /** The same at nodes that speak TLS, see {@link WeirStream#open(StreamOptions, SSLContext)}. */
    public static WeirSubscription member(StreamOptions options, SSLContext trusted, String name, String member) {
        return new WeirSubscription(options, trusted, name, member);
    }

    /**
     * What comes next; null when nothing came in that time, or this was closed.
     *
     * @throws StreamRefusedException the stream, or an acknowledgement, was refused for good; a 410 is {@link Outcome.Lost}
     * @throws IOException acknowledging has ended by a failure of its own
     */
    public @Nullable Outcome receive(Duration timeout) throws IOException, InterruptedException {
        long deadline = WeirStream.deadlineAfter(timeout);
        while (true) {
            acknowledger.check();
            leaveStaleStream();
            Outcome found = held != null ? held : stream.receive(Duration.ofNanos(deadline - System.nanoTime()));
            held = null;
            if (begun != stream.connects()) {
                held = found;
                return begin();
            }
            Outcome wanted = found instanceof Outcome.Change change ? sifted(change) : found;
            if (wanted != null || found == null) {
                return wanted;
            }
        }
    }

    private void leaveStaleStream() {
        if (!isLeaving && begun == stream.connects() && acknowledger.isStale(generation)) {
            isLeaving = true;
            held = null;
            stream.reconnect();
        }
    }

    /** Null where it was acknowledged before. */
    private @Nullable Outcome sifted(Outcome.Change change) {
        ChangeHead head = change.head();
        Deduplicator.Verdict verdict = chain.accept(head);
        if (verdict == Deduplicator.Verdict.HOLE) {
            Deduplicator.Hole hole = Objects.requireNonNull(chain.lastHole());
            // The place that is acknowledged lies before it: what is missing comes from there.
            stream.reconnect();
            return new Outcome.Hole(hole);
        }
        boolean isDone = !head.isRow() && head.seq() < done.getOrDefault(head.partition(), 0L);
        if (verdict == Deduplicator.Verdict.FRESH && !isDone) {
            return change;
        }
        duplicates.incrementAndGet();
        return null;
    }

    /**
     * This, and all that was handed out before it, is done. Every now and then is enough.
     *
     * @return false where it came by a stream that has ended since: it comes again, here or to another member. Also where it states no place of the log, as rows of a
     *     backfill don't: the {@link Outcome.Progress} at the end of them does
     */
    public boolean acknowledge(Outcome upTo) {
        SortedMap<Integer, Long> place = places(upTo.place());
        if (upTo.connection() != begun || place.isEmpty()) {
            return false;
        }
        place.forEach((partition, next) -> done.merge(partition, next, Math::max));
        // Children of a partition that was split come by the same stream.
        partitions.addAll(place.keySet());
        wasDropped = false;
        acknowledger.put(mine(), generation);
        return true;
    }

    /**
     * Waits until all that was acknowledged is committed: on a majority, for good. False where it took longer, a new stream has to begin first, or some of it was dropped when
     * one began and nothing has been acknowledged since: its partition had gone to another member, or the subscription had been moved.
     */
    public boolean awaitCommitted(Duration timeout) throws InterruptedException {
        long asked = generation;
        return acknowledger.awaitIdle(timeout) && !acknowledger.isStale(asked) && !wasDropped;
    }

    /** How long the oldest acknowledgement that is not committed yet has waited; zero where all are. */
    public Duration uncommittedFor() {
        return acknowledger.waitingFor();
    }

    /** Events that came again after they were acknowledged, and were not handed out. */
    public long duplicates() {
        return duplicates.get();
    }

    /** How many streams have begun. */
    public long connects() {
        return stream.connects();
    }

    /** How long there has been no connection; zero while there is one. */
    public Duration disconnectedFor() {
        return stream.disconnectedFor();
    }

    /** Does not wait: {@link #awaitCommitted} does. */
    @Override
    public void close() {
        acknowledger.close();
        stream.close();
    }

    /** What was acknowledged to an ended stream and not committed is said anew: it is done. */
    private Outcome begin() {
        begun = stream.connects();
        chain = Deduplicator.filtered();
        SortedMap<Integer, Long> start = places(stream.header("Weir-Cursor"));
        long newest = Long.parseLong(stream.header("Weir-Generation"));
        SortedMap<Integer, Long> committed = acknowledger.begun(newest, start);
        SortedSet<Integer> before = partitions;
        partitions = isMember ? numbers(stream.header("Weir-Partitions")) : new TreeSet<>(start.keySet());
        noteWhatWasTaken(before, committed);
        forgetWhatWasMovedBack(start, committed, newest);
        SortedMap<Integer, Long> mine = mine();
        if (mine.entrySet().stream().anyMatch(place -> place.getValue() > start.getOrDefault(place.getKey(), 0L))) {
            acknowledger.put(mine, newest);
        } else {
            acknowledger.forget();
        }
        generation = newest;
        isLeaving = false;
        return new Outcome.Begun(generation, partitions);
    }

    /**
     * A committed place goes back by a seek alone, and then everything behind it is wanted again. One that reads alone knows it by the generation; a member's changes with each
     * stream, so it looks at the place.
     */
    private void forgetWhatWasMovedBack(
            SortedMap<Integer, Long> start, SortedMap<Integer, Long> committed, long newest) {
        boolean isOther = generation >= 0 && newest != generation;
        start.forEach((partition, next) -> {
            boolean moved = isMember ? next < committed.getOrDefault(partition, 0L) : isOther;
            if (moved) {
                Long acknowledged = done.remove(partition);
                if (acknowledged != null && acknowledged > next) {
                    wasDropped = true;
                }
            }
        });
    }

    /** Acknowledged, not known as committed, and no part of the stream any more. */
    private void noteWhatWasTaken(SortedSet<Integer> before, SortedMap<Integer, Long> committed) {
        for (int partition : before) {
            if (!partitions.contains(partition)
                    && done.getOrDefault(partition, 0L) > committed.getOrDefault(partition, 0L)) {
                wasDropped = true;
            }
        }
    }

    private SortedMap<Integer, Long> mine() {
        SortedMap<Integer, Long> mine = new TreeMap<>(done);
        mine.keySet().retainAll(partitions);
        return mine;
    }

    /** Empty where the text is no cursor of the log: that of a backfill names files. */
    private static SortedMap<Integer, Long> places(@Nullable String cursor) {
        if (cursor == null || cursor.isEmpty()) {
            return Collections.emptySortedMap();
        }
        try {
            return CursorVector.parse(cursor).next();
        } catch (IllegalArgumentException e) {
            return Collections.emptySortedMap();
        }
    }

    private static SortedSet<Integer> numbers(String text) {
        return text.isBlank()
                ? new TreeSet<>()
                : Arrays.stream(text.split(",", -1))
                        .map(number -> Integer.valueOf(number.strip()))
                        .collect(Collectors.toCollection(TreeSet::new));
    }
}
