package dev.weir.cdc;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.LeaseRecord;
import dev.weir.partition.engine.DayTooLargeException;
import dev.weir.partition.engine.History;
import dev.weir.partition.engine.SurvivingRows;
import dev.weir.partition.feed.FeedDirectory;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.HistoryCursor;
import dev.weir.partition.store.StoreException;
import dev.weir.wal.segment.SeqTrimmedException;
import java.io.IOException;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A stream that begins with tables as they stand: opens them, sends their rows, says where they were cut, and becomes a stream of the log from there on. A
 * second thread keeps the connection and the lease alive, since opening, reading and waiting for the client take their time.
 */
final class HistoryStream implements OpenStream, HistoryReader.Target {
    private static final long RETRY_NANOS = Duration.ofMillis(250).toNanos();

    private final StreamFilter filter;
    private final Opening opening;
    private final Parts parts;
    private final StreamSink sink;
    private final Signal signal;
    private final HistoryFrames frames;
    private final BiFunction<HistoryFrames, Position, OpenStream> log;
    private final Signal beats = new Signal();

    private volatile boolean stopping;
    private volatile boolean over;
    private volatile @Nullable HistoryReader reader;
    private volatile @Nullable LeaseKeeper keeper;
    private volatile @Nullable OpenStream following;
    private volatile @Nullable Position heads;
    /** Where the log was at the last look. The second thread's alone. */
    private @Nullable Position followed;

    /** What all such streams of a node share. */
    record Parts(
            HistorySource source,
            HistoryDesk desk,
            Catalog catalog,
            FeedDirectory directory,
            StartResolver feeds,
            ArrowPages arrowPages,
            CdcConfig config,
            CdcMetrics metrics) {}

    /** The connection, and what raises the signal of this stream's thread. */
    record Connection(StreamSink sink, Signal signal) {}

    /**
     * What the stream begins with.
     *
     * @param seat given back once the tables were sent
     * @param place where it begins, where that was known when the answer began
     */
    record Opening(
            CompletableFuture<HeldHistory> held,
            HistoryDesk.Seat seat,
            @Nullable HistoryCursor place) {}

    /**
     * @param frames makes them of the sink
     * @param log the stream of the log from a position on, in the same connection
     */
    HistoryStream(
            StreamFilter filter,
            Opening opening,
            Parts parts,
            Connection connection,
            Function<HistorySink, HistoryFrames> frames,
            BiFunction<HistoryFrames, Position, OpenStream> log) {
        this.filter = filter;
        this.opening = opening;
        this.parts = parts;
        this.sink = connection.sink();
        this.signal = connection.signal();
        this.log = log;
        this.frames =
                frames.apply(new HistorySink(sink, this::readsOn, parts.config().heartbeat(), parts.metrics()));
    }

    @Override
    public void stop() {
        stopping = true;
        signal.raise();
        sink.wake();
        OpenStream now = following;
        if (now != null) {
            now.stop();
        }
    }

    /** Empty while the tables are being sent. */
    @Override
    public Position position() {
        OpenStream now = following;
        return now == null ? Position.of(new TreeMap<>()) : now.position();
    }

    /** Tables are sent whole, whatever the mode of delivery. */
    @Override
    public boolean drops() {
        OpenStream now = following;
        return now != null && now.drops();
    }

    @Override
    public long pendingBytes() {
        return sink.pendingBytes();
    }

    /** Nor for a client that takes nothing: it has its seat for as long as the lease lasts. */
    @Override
    public boolean readsOn() {
        LeaseKeeper kept = keeper;
        return goesOn() && (kept == null || !kept.hasLapsed());
    }

    private boolean goesOn() {
        return sink.isOpen() && !stopping;
    }

    @Override
    public void take(SurvivingRows rows, int from) {
        HistoryReader reading = reader;
        if (reading != null) {
            frames.rows(rows, from, reading);
        }
    }

    @Override
    public boolean gap(Gap gap, HistoryCursor after) {
        HistoryReader reading = reader;
        return reading != null && frames.gap(gap, after, reading);
    }

    @Override
    public void run() {
        boolean isPlaceTold = frames.open(opening.place());
        Thread.ofVirtual().name("cdc-history-beat").start(this::beat);
        try {
            HeldHistory held = opened();
            if (held == null) {
                return;
            }
            if (held.isNew() && !isPlaceTold && !sink.isOpen()) {
                parts.desk().giveBack(held.lease());
            }
            if (!isPlaceTold) {
                frames.checkpoint(held.place());
            }
            HistoryDesk.Seat seat = opening.seat();
            try (seat) {
                history(held);
            }
            OpenStream now = following;
            if (now != null) {
                now.run();
            }
        } catch (RuntimeException | Error e) {
            frames.close(false);
            throw e;
        } finally {
            over = true;
            beats.raise();
        }
    }

    /** Null where it can't be, which was said. */
    private @Nullable HeldHistory opened() {
        try {
            return opening.held().get();
        } catch (ExecutionException e) {
            RequestRefused refused = e.getCause() instanceof RequestRefused known
                    ? known
                    : RequestRefused.of(ErrorCode.INTERNAL, "the stream failed: " + e.getCause());
            parts.metrics().refused();
            frames.refused(refused);
            frames.close(false);
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            frames.close(false);
            return null;
        }
    }

    private void history(HeldHistory held) {
        History history = parts.source().history();
        HistoryReader reading = new HistoryReader(held, filter, history, parts.feeds());
        LeaseKeeper kept =
                new LeaseKeeper(parts.catalog(), held.lease(), parts.source().config(), parts.desk()::nowNanos);
        keeper = kept;
        reader = reading;
        beats.raise();
        String why = read(reading, kept);
        if (why != null) {
            parts.metrics().lost();
            frames.lost(why);
            frames.close(false);
        } else if (stopping || !sink.isOpen()) {
            frames.checkpoint(reading.place());
            frames.close(true);
        } else {
            Position cut = held.cut();
            frames.end(cut, held.partitions().stream().noneMatch(LeaseRecord.Held::isBackfill));
            heads = heads(cut);
            OpenStream next = log.apply(frames, cut);
            following = next;
            if (stopping) {
                next.stop();
            }
        }
    }

    /** Reads to the end, or until the stream does not go on; or says why what is left can't be read any more. */
    private @Nullable String read(HistoryReader reading, LeaseKeeper kept) {
        while (goesOn()) {
            if (kept.hasLapsed()) {
                return "its lease has lapsed";
            }
            try {
                if (reading.read(this)) {
                    return null;
                }
            } catch (CutGoneException | DayTooLargeException e) {
                return String.valueOf(e.getMessage());
            } catch (SeqTrimmedException e) {
                return "the log behind its files is gone: " + e.getMessage();
            } catch (StoreException e) {
                if (e.kind() == StoreException.Kind.NOT_FOUND) {
                    return String.valueOf(e.getMessage());
                }
                pause();
            } catch (IOException | RequestRefused e) {
                pause();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                stopping = true;
            }
        }
        return null;
    }

    /** The store, or a replica, is away for a while: it is tried again for as long as the lease lasts, which reading alone renews. */
    private void pause() {
        parts.metrics().historyTrouble();
        signal.await(System.nanoTime() + RETRY_NANOS);
    }

    private Position heads(Position cut) {
        SortedMap<Integer, Long> heads = new TreeMap<>();
        for (int i = 0; i < cut.size(); i++) {
            long applied = parts.directory()
                    .feed(cut.partitionAt(i))
                    .map(PartitionFeed::nextSeq)
                    .orElse(0L);
            heads.put(cut.partitionAt(i), Math.max(applied, cut.nextAt(i)));
        }
        return Position.of(heads);
    }

    /** The second thread: until the log was caught up with, or the stream is over. */
    private void beat() {
        long step = Math.min(
                parts.config().heartbeat().toNanos() / 4,
                parts.source().config().lapse().toNanos() / 8);
        HistoryCursor seen = null;
        long lookedAt = 0;
        while (!over && !caughtUp()) {
            beats.await(System.nanoTime() + step);
            HistoryReader reading = reader;
            frames.beat(reading);
            HistoryCursor place = reading == null ? null : reading.place();
            LeaseKeeper kept = keeper;
            if (kept != null) {
                if (place != null && !place.equals(seen)) {
                    kept.readOn();
                    seen = place;
                }
                // What is read again is sent to nobody: a client that takes nothing keeps no lease by it.
                if (reading != null && reading.lookedAt() > lookedAt && sink.pendingBytes() == 0) {
                    kept.readOn();
                    lookedAt = reading.lookedAt();
                }
                kept.tick();
            }
        }
        giveBack();
    }

    /**
     * A client that was cut off soon after the end of the tables may come back to their middle; one that has read the log for a while since will not. By then others
     * that read them would have renewed the lease.
     */
    private void giveBack() {
        LeaseKeeper kept = keeper;
        HistoryReader reading = reader;
        long until = System.nanoTime() + parts.source().config().lapse().toNanos() / 2;
        while (!over && System.nanoTime() - until < 0) {
            beats.await(until);
        }
        if (!over && kept != null && reading != null && sink.isOpen() && sink.pendingBytes() == 0 && kept.isAlone()) {
            parts.desk().giveBack(reading.lease());
        }
    }

    /** The log is read beyond where it stood when the tables had been sent: from then on the lease is needed no more. */
    private boolean caughtUp() {
        OpenStream now = following;
        Position ends = heads;
        LeaseKeeper kept = keeper;
        if (now == null || ends == null || kept == null) {
            return false;
        }
        Position at = now.position();
        Position before = followed;
        if (before == null || !at.equals(before)) {
            followed = at;
            kept.readOn();
        }
        for (int i = 0; i < ends.size(); i++) {
            if (at.next(ends.partitionAt(i)) < ends.nextAt(i)) {
                return false;
            }
        }
        return true;
    }
}
