package dev.weir.query.sql.run;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.query.sql.gate.SelectShapes;
import dev.weir.query.sql.gate.SqlRefusedException;
import dev.weir.query.sql.plan.Quoted;
import dev.weir.query.sql.statement.ClusterQueries;
import dev.weir.query.sql.statement.Statement;
import dev.weir.query.sql.statement.StatementParser;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Runs statements of tenants. {@link #submit} never blocks; the answer goes to the sink on another thread. Every statement ends: by its last row, by a
 * refusal, or by {@code sql.timeout}.
 */
public final class SqlEngine implements AutoCloseable {
    private final SqlPorts ports;
    private final SqlConfig config;
    private final String node;
    private final Clock clock = Clock.systemUTC();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("sql-timer").daemon().factory());
    private final BufferAllocator allocator = new RootAllocator();
    private final QueryRegistry registry;
    private final ClusterQueries cluster;
    private final SeatPool seats;
    private final SelectRun.Ports selectPorts;
    private final SqlMeters meters;

    /**
     * @param node this node's name, part of the ids of statements
     * @param readable folders below which files of images lie
     * @param spill a folder for what does not fit in memory
     */
    public SqlEngine(
            SqlPorts ports,
            SqlConfig config,
            String node,
            List<Path> readable,
            Path spill,
            MeterRegistry meterRegistry) {
        this.ports = ports;
        this.config = config;
        this.node = node;
        this.registry = new QueryRegistry(node, clock, timer);
        this.cluster = ports.cluster().apply(registry);
        SelectShapes shapes = new SelectShapes();
        this.seats = new SeatPool(config, readable, spill, shapes);
        this.selectPorts = new SelectRun.Ports(ports.catalog(), ports.images(), allocator, config);
        this.meters = new SqlMeters(meterRegistry);
        meters.watch(registry, seats.queue(), shapes, config);
    }

    /** Whose engine it is. */
    public String node() {
        return node;
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

    /** @throws SqlRefusedException no statement, not allowed to this caller, too long, or too many wait already */
    public RunningQuery submit(SqlRequest request, ResultSink taker) {
        try {
            return accept(request, new CountedSink(taker, meters));
        } catch (SqlRefusedException e) {
            meters.refused(e.refusal());
            throw e;
        }
    }

    private RunningQuery accept(SqlRequest request, ResultSink sink) {
        checkLength(request.text());
        checkCount(request.tenant());
        long nowNanos = nanos(clock.instant());
        Optional<Statement> ours = new StatementParser(nowNanos).parse(request.text());
        if (ours.isPresent() && ours.get().writes() && request.noWrite().isPresent()) {
            throw new SqlRefusedException(request.noWrite().get(), 0);
        }
        RunningQuery query = registry.add(request.tenant(), request.user(), request.text());
        Ending ending = new Ending(query);
        if (ours.isEmpty()) {
            Explain explain = Explain.of(request.text());
            SqlRequest select = request.withText(Explain.without(request.text()));
            return seated(new SelectRun(selectPorts, select, query, sink, explain), query, sink, ending, nowNanos);
        }
        return switch (ours.get()) {
            case Statement.Insert insert -> {
                InsertSink rows = new InsertSink(request.tenant(), insert, ports.statements(), query, sink, allocator);
                SelectRun run = new SelectRun(selectPorts, request.withText(insert.query()), query, rows, Explain.NO);
                yield seated(run, query, rows, ending, nowNanos);
            }
            case Statement.ShowColumns show ->
                seated(select(request, query, sink, showColumns(show)), query, sink, ending, nowNanos);
            case Statement other -> {
                StatementRun run = new StatementRun(ports.statements(), cluster, query, sink, allocator, config);
                Thread.ofVirtual().name("sql-" + query.id()).start(() -> {
                    try (ending) {
                        query.seated();
                        run.run(other);
                    }
                });
                yield query;
            }
        };
    }

    private static String showColumns(Statement.ShowColumns show) {
        return "SELECT column_name AS name, column_role AS role, data_type AS type FROM information_schema.columns"
                + " WHERE table_name = "
                + Quoted.text(show.table()) + " ORDER BY ordinal_position";
    }

    private SelectRun select(SqlRequest request, RunningQuery query, ResultSink sink, String text) {
        return new SelectRun(selectPorts, request.withText(text), query, sink, Explain.NO);
    }

    /** Ends the statement's time limit and takes it off the list. */
    private final class Ending implements AutoCloseable {
        private final RunningQuery query;
        private final ScheduledFuture<?> limit;

        Ending(RunningQuery query) {
            this.query = query;
            this.limit = timer.schedule(
                    () -> query.cancellation().fire(Cancellation.Reason.TIMED_OUT),
                    config.timeout().toMillis(),
                    TimeUnit.MILLISECONDS);
        }

        @Override
        public void close() {
            limit.cancel(false);
            registry.remove(query);
        }
    }

    private RunningQuery seated(SelectRun run, RunningQuery query, ResultSink sink, Ending ending, long nowNanos) {
        SeatQueue.Job job = new SeatQueue.Job(
                query.tenant(),
                () -> {
                    ending.close();
                    sink.fail(Refusal.of(ErrorCode.OVERLOADED, "the node is stopping"), OptionalInt.empty());
                },
                seat -> {
                    try (ending) {
                        query.seated();
                        run.on(seat, nowNanos);
                    }
                });
        try {
            seats.queue().submit(job);
        } catch (SqlRefusedException e) {
            ending.close();
            throw e;
        }
        query.cancellation().onCancel(() -> {
            if (seats.queue().withdraw(job)) {
                ending.close();
                sink.fail(query.because(Refusal.of(ErrorCode.CANCELED, "canceled"), config), OptionalInt.empty());
            }
        });
        return query;
    }

    private void checkLength(String text) {
        if (StatementParser.firstWord(text).isEmpty() && text.isBlank()) {
            throw SqlRefusedException.nowhere(ErrorCode.BAD_REQUEST, "expected a statement, found nothing");
        }
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > config.textBytesMax()) {
            throw SqlRefusedException.nowhere(
                    ErrorCode.TOO_LARGE,
                    "sql.text-bytes-max: the statement has " + bytes + " bytes, at most " + config.textBytesMax()
                            + " are taken");
        }
    }

    /** Statements that need no seat are bounded by the same two limits together. */
    private void checkCount(String tenant) {
        int count = registry.count(tenant);
        if (count >= config.tenantConcurrentMax() + config.tenantQueueMax()) {
            throw SqlRefusedException.nowhere(
                    ErrorCode.OVERLOADED, "sql.tenant-queue-max: " + count + " statements run or wait already");
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
