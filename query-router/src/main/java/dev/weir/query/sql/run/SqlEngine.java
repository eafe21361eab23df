package dev.weir.query.sql.run;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.query.sql.gate.SqlRefusedException;
import dev.weir.query.sql.image.TableImages;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Runs statements of tenants. {@link #submit} never blocks; the answer goes to the sink on a seat's thread. Every statement ends: by its last row, by a
 * refusal, or by {@code sql.timeout}.
 */
public final class SqlEngine implements AutoCloseable {
    private final SqlConfig config;
    private final Clock clock;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("sql-timer").daemon().factory());
    private final BufferAllocator allocator = new RootAllocator();
    private final QueryRegistry registry;
    private final SeatPool seats;
    private final SelectRun.Ports ports;

    /**
     * @param node this node's name, part of the ids of statements
     * @param readable folders below which files of images lie
     * @param spill a folder for what does not fit in memory
     */
    public SqlEngine(
            Catalog catalog, TableImages images, SqlConfig config, String node, List<Path> readable, Path spill) {
        this.config = config;
        this.clock = Clock.systemUTC();
        this.registry = new QueryRegistry(node, clock, timer);
        this.seats = new SeatPool(config, readable, spill);
        this.ports = new SelectRun.Ports(catalog, images, allocator, config);
    }

    public QueryRegistry queries() {
        return registry;
    }

    /** Statements that wait for a seat. */
    public int waiting() {
        return seats.queue().waiting();
    }

    public SqlConfig config() {
        return config;
    }

    /** @throws SqlRefusedException too long, or too many wait already */
    public RunningQuery submit(SqlRequest request, ResultSink sink) {
        checkLength(request.text());
        RunningQuery query = registry.add(request.tenant(), request.text());
        ScheduledFuture<?> limit = timer.schedule(
                () -> query.cancellation().fire(Cancellation.Reason.TIMED_OUT),
                config.timeout().toMillis(),
                TimeUnit.MILLISECONDS);
        Runnable gone = () -> {
            limit.cancel(false);
            registry.remove(query);
        };
        SelectRun run = new SelectRun(ports, request, query, sink);
        SeatQueue.Job job = new SeatQueue.Job(
                request.tenant(),
                () -> {
                    gone.run();
                    sink.fail(Refusal.of(ErrorCode.OVERLOADED, "the node is stopping"), OptionalInt.empty());
                },
                seat -> {
                    try {
                        query.seated();
                        run.on(seat, nanos(clock.instant()));
                    } finally {
                        gone.run();
                    }
                });
        try {
            seats.queue().submit(job);
        } catch (SqlRefusedException e) {
            gone.run();
            throw e;
        }
        query.cancellation().onCancel(() -> {
            if (seats.queue().withdraw(job)) {
                gone.run();
                run.refuseCanceled();
            }
        });
        return query;
    }

    private void checkLength(String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > config.textBytesMax()) {
            throw SqlRefusedException.nowhere(
                    ErrorCode.TOO_LARGE,
                    "sql.text-bytes-max: the statement has " + bytes + " bytes, at most " + config.textBytesMax()
                            + " are taken");
        }
    }

    private static long nanos(Instant instant) {
        return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
    }

    /** Cancels what runs and waits for its end. */
    @Override
    public void close() throws InterruptedException {
        registry.stopAll();
        seats.close();
        timer.shutdownNow();
        allocator.close();
    }
}
