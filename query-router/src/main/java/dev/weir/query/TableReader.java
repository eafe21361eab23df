package dev.weir.query;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.read.Consistency;
import dev.weir.partition.read.LatestQuery;
import dev.weir.partition.read.PartitionReads;
import dev.weir.partition.read.ReadResult;
import dev.weir.partition.read.SeriesRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks all partitions and makes one table of their answers; no answer is partial. Blocks: called on virtual threads. */
final class TableReader {
    private final Catalog catalog;
    private final PartitionReads reads;
    private final ReadConfig config;

    TableReader(Catalog catalog, PartitionReads reads, ReadConfig config) {
        this.catalog = catalog;
        this.reads = reads;
        this.config = config;
    }

    /** Which of the partitions' reads. */
    enum Kind {
        LATEST,
        SERIES
    }

    /** @throws RefusedException 404 for an unknown measurement, 503 with the partition's number where one can't answer */
    Table read(Kind kind, ReadRequest request) {
        long deadline = System.nanoTime() + config.timeout().toNanos();
        TableSchema schema = schema(request, deadline);
        Map<Integer, ReadResult> results = ask(kind, request, schema, request.consistency(), partitions(), deadline);
        results.putAll(askAgain(kind, request, schema, results, deadline));
        List<SeriesRow> rows = new ArrayList<>();
        TreeMap<Integer, Long> cut = new TreeMap<>();
        results.forEach((partition, result) -> {
            rows.addAll(result.rows());
            cut.put(partition, result.nextSeq());
        });
        if (rows.size() > config.seriesMax()) {
            throw refused(
                    ErrorCode.LIMIT_SERIES,
                    "read.series-max: " + rows.size() + " series match, at most " + config.seriesMax()
                            + " are answered; narrow it by tag.<key>=<value>");
        }
        TableLayout layout = new TableLayout(schema, kind == Kind.LATEST);
        List<Table.ColumnHead> columns = layout.columns(rows, request.epochNanos());
        return new Table(columns, layout.rows(rows), new Cursor(cut));
    }

    /** A table that is not in the image here may have been made elsewhere a moment ago. */
    private TableSchema schema(ReadRequest request, long deadline) {
        Optional<TableSchema> known = catalog.image().table(request.tenant(), request.measurement());
        if (known.isEmpty()) {
            await(catalog.linearize(), deadline, "the catalog");
            known = catalog.image().table(request.tenant(), request.measurement());
        }
        return known.orElseThrow(
                () -> refused(ErrorCode.NOT_FOUND, "no measurement " + request.measurement() + " is known"));
    }

    private List<Integer> partitions() {
        List<Integer> live = new ArrayList<>();
        for (PartitionRecord partition : catalog.image().partitions().values()) {
            if (!partition.slots().isEmpty()) {
                live.add(partition.id());
            }
        }
        return live;
    }

    private Map<Integer, ReadResult> ask(
            Kind kind,
            ReadRequest request,
            TableSchema schema,
            Consistency consistency,
            List<Integer> partitions,
            long deadline) {
        LatestQuery query =
                new LatestQuery(request.tenant(), request.measurement(), request.tags(), config.seriesMax(), schema);
        Map<Integer, CompletionStage<ReadResult>> asked = new TreeMap<>();
        for (int partition : partitions) {
            asked.put(
                    partition,
                    switch (kind) {
                        case LATEST -> reads.latest(partition, query, consistency);
                        case SERIES -> reads.series(partition, query, consistency);
                    });
        }
        Map<Integer, ReadResult> results = new TreeMap<>();
        asked.forEach((partition, answer) -> results.put(partition, await(answer, deadline, "partition " + partition)));
        return results;
    }

    /** Partitions that answered from before {@code min_cursor} (a replica that lags) are asked at their leaders. */
    private Map<Integer, ReadResult> askAgain(
            Kind kind, ReadRequest request, TableSchema schema, Map<Integer, ReadResult> results, long deadline) {
        Map<Integer, Long> least =
                request.minCursor().map(Cursor::next).map(Map::copyOf).orElse(Map.of());
        for (int named : least.keySet()) {
            if (!results.containsKey(named)) {
                throw refused(
                        ErrorCode.BAD_CURSOR,
                        "min_cursor names partition " + named + "; known are " + results.keySet());
            }
        }
        List<Integer> behind = new ArrayList<>();
        results.forEach((partition, result) -> {
            if (result.nextSeq() < least.getOrDefault(partition, 0L)) {
                behind.add(partition);
            }
        });
        Map<Integer, ReadResult> again = ask(kind, request, schema, Consistency.LEADER, behind, deadline);
        again.forEach((partition, result) -> {
            long wanted = least.getOrDefault(partition, 0L);
            if (result.nextSeq() < wanted) {
                throw refused(
                        ErrorCode.BAD_CURSOR,
                        "min_cursor: partition " + partition + " is to be at seq " + wanted + ", but its log's next is "
                                + result.nextSeq());
            }
        });
        return again;
    }

    private static <T> T await(CompletionStage<T> answer, long deadline, String who) {
        CompletableFuture<T> future = answer.toCompletableFuture();
        try {
            return future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RefusedException refused) {
                throw named(refused.refusal(), who);
            }
            throw refused(ErrorCode.NO_LEADER, who + " could not answer: " + e.getCause());
        } catch (TimeoutException e) {
            throw refused(ErrorCode.NO_LEADER, who + " did not answer in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refused(ErrorCode.NO_LEADER, who + " was not waited for: the node is stopping");
        }
    }

    private static RefusedException named(Refusal refusal, String who) {
        String message = refusal.message().contains(who) ? refusal.message() : who + ": " + refusal.message();
        return new RefusedException(new Refusal(refusal.code(), message, refusal.retryAfterMs()));
    }

    private static RefusedException refused(ErrorCode code, String message) {
        return new RefusedException(Refusal.of(code, message));
    }
}
