package dev.weir.cdc;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves streams that begin with tables as they stand. Taking a snapshot may be long: an answer that is not there in time begins without knowing, and says later
 * what became of it.
 */
final class Histories {
    /** A refusal that comes within this time is an answer with a status of its own. */
    private static final long FIRST_BYTES_NANOS = Duration.ofSeconds(3).toNanos();

    private final HistoryStream.Parts parts;
    private final LogStreams logs;

    /** Makes the stream of the log in a connection. */
    @FunctionalInterface
    interface LogStreams {
        OpenStream open(StreamRequest asked, Position start, StreamSink sink, Signal signal);
    }

    /** Sends headers and first bytes. */
    @FunctionalInterface
    interface Opening {
        /** @param cursor where the stream begins, where that is known */
        StreamSink open(@Nullable String cursor, Signal signal);
    }

    Histories(HistoryStream.Parts parts, LogStreams logs) {
        this.parts = parts;
        this.logs = logs;
    }

    void gauges(CdcMetrics metrics) {
        metrics.gauge(
                "weir.cdc.history.readers",
                "streams that send a snapshot or backfill",
                parts.desk(),
                HistoryDesk::readers);
        metrics.gauge(
                "weir.cdc.history.readers.limit",
                "cdc.history-readers",
                parts.source().config(),
                HistoryConfig::readersMax);
        metrics.gauge(
                "weir.cdc.leases",
                "snapshots and backfills held in the cluster",
                parts.desk(),
                desk -> desk.live().size());
        metrics.gauge("weir.cdc.leases.limit", "cdc.leases", parts.source().config(), HistoryConfig::leasesMax);
    }

    /**
     * The stream's thread, from the request to the end.
     *
     * @param serving runs it, until its end
     * @throws RequestRefused no stream can begin there, and nothing was sent
     */
    void serve(StreamRequest asked, Opening response, Consumer<OpenStream> serving) {
        StreamFilter filter = asked.key().filter();
        try (HistoryDesk.Seat seat = parts.desk().seat()) {
            CompletableFuture<HeldHistory> opening = new CompletableFuture<>();
            Thread.ofVirtual().name("cdc-history-open").start(() -> open(filter, asked.start(), opening));
            HeldHistory known = inTime(opening);
            Signal signal = new Signal();
            StreamSink sink = response.open(known == null ? null : known.place().encode(filter.tenant()), signal);
            serving.accept(stream(
                    asked,
                    new HistoryStream.Opening(opening, seat, known == null ? null : known.place()),
                    new HistoryStream.Connection(sink, signal)));
        }
    }

    private void open(StreamFilter filter, Start start, CompletableFuture<HeldHistory> opening) {
        try {
            opening.complete(parts.desk().open(filter, start));
        } catch (RuntimeException | Error e) {
            opening.completeExceptionally(e);
        }
    }

    /** Null where it takes longer than a client waits for the first bytes. */
    private @Nullable HeldHistory inTime(CompletableFuture<HeldHistory> opening) {
        long most = Math.min(parts.config().heartbeat().toNanos(), FIRST_BYTES_NANOS);
        try {
            return opening.get(most, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RequestRefused refused) {
                throw refused;
            }
            throw new IllegalStateException("a snapshot could not be taken", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private HistoryStream stream(
            StreamRequest asked, HistoryStream.Opening opening, HistoryStream.Connection connection) {
        return new HistoryStream(
                asked.key().filter(),
                opening,
                parts,
                connection,
                sink -> frames(asked, sink),
                (frames, cut) -> log(asked, frames, cut, connection));
    }

    private HistoryFrames frames(StreamRequest asked, HistorySink sink) {
        return asked.arrow().isEmpty()
                ? new SseHistory(asked.key(), parts.config().sliceBytes(), sink)
                : new ArrowHistory(
                        asked.arrow().get().form(asked.key()),
                        asked.arrow().get().wire(),
                        parts.config().arrowBatchBytes(),
                        parts.arrowPages(),
                        sink);
    }

    private OpenStream log(
            StreamRequest asked, HistoryFrames frames, Position cut, HistoryStream.Connection connection) {
        OpenStream log = logs.open(asked, cut, connection.sink(), connection.signal());
        return log instanceof ArrowSubscriber arrow && frames instanceof ArrowHistory sent
                ? arrow.goingOn(sent.schema())
                : log;
    }
}
