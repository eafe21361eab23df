package dev.weir.cdc;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.LeaseRecord;
import dev.weir.partition.engine.CutPlace;
import dev.weir.partition.engine.CutRequest;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.HistoryCursor;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Takes leases of tables as they stand, and finds those that were taken. Blocks on leaders and the catalog: called on virtual threads. */
final class HistoryDesk {
    /** Partitions that are flushed and cut at once. */
    private static final int CUTS_AT_ONCE = 4;

    /** Seqs of one partition that a backfill looks for: it remembers which of them it found, a bit each. */
    private static final long BACKFILL_SEQS_MAX = 1 << 28;

    private final HistorySource source;
    private final Catalog catalog;
    private final Lineage lineage;
    private final StartResolver resolver;
    private final Clock clock;
    private final AtomicInteger readers = new AtomicInteger();

    HistoryDesk(HistorySource source, Catalog catalog, Lineage lineage, StartResolver resolver, Clock clock) {
        this.source = source;
        this.catalog = catalog;
        this.lineage = lineage;
        this.resolver = resolver;
        this.clock = clock;
    }

    /** A place among those that read files at once on this node. Giving it back twice is harmless. */
    final class Seat implements AutoCloseable {
        private final AtomicBoolean taken = new AtomicBoolean(true);

        @Override
        public void close() {
            if (taken.getAndSet(false)) {
                readers.decrementAndGet();
            }
        }
    }

    /** @throws RequestRefused all are taken */
    Seat seat() {
        int most = source.config().readersMax();
        if (readers.incrementAndGet() > most) {
            readers.decrementAndGet();
            throw RequestRefused.of(
                    ErrorCode.OVERLOADED,
                    "cdc.history-readers: " + most
                            + " streams of this node are sending snapshots or backfills; try again later or at another node, or raise it");
        }
        return new Seat();
    }

    int readers() {
        return readers.get();
    }

    /** @throws RequestRefused no stream can begin there */
    HeldHistory open(StreamFilter filter, Start start) {
        resolver.checkPartitions(filter);
        return switch (start) {
            case Start.Within within -> resume(filter, within.cursor());
            case Start.Backfill backfill -> backfill(filter, backfill.from());
            case Start.Snapshot snapshot -> snapshot(filter);
            case Start.Now now -> throw new IllegalStateException("no history begins " + now);
            case Start.Earliest earliest -> throw new IllegalStateException("no history begins " + earliest);
            case Start.At at -> throw new IllegalStateException("no history begins " + at);
            case Start.Since since -> throw new IllegalStateException("no history begins " + since);
        };
    }

    /** Of all tenants. */
    List<LeaseRecord> live() {
        long now = nowNanos();
        return catalog.image().leases().stream()
                .filter(lease -> lease.isLive(now))
                .toList();
    }

    long nowNanos() {
        return Clocks.nanos(clock);
    }

    /** What it holds nobody can read on any more, or needs to. Without an answer it lapses by itself. */
    void giveBack(LeaseRecord lease) {
        catalog.propose(new CatalogCommand.EndLease(lease.id()));
    }

    private HeldHistory snapshot(StreamFilter filter) {
        return cut(filter, request -> take(request, cut(live(filter), request)));
    }

    /**
     * A leader that ends after it stored a cut leaves that one in the next leader's way, under the same id, and a log may be trimmed beyond a cut's files: a second try
     * has an id of its own.
     */
    private HeldHistory cut(StreamFilter filter, Function<CutRequest, HeldHistory> taking) {
        requireRoom(filter.tenant());
        try {
            return taking.apply(request(filter));
        } catch (RequestRefused e) {
            if (e.refusal().code() != ErrorCode.STORE_UNAVAILABLE) {
                throw e;
            }
            return taking.apply(request(filter));
        }
    }

    private static CutRequest request(StreamFilter filter) {
        return new CutRequest(filter.tenant(), List.copyOf(filter.measurements()), newId());
    }

    /** Before anything is flushed and cut; the catalog looks again. */
    private void requireRoom(String tenant) {
        int most = source.config().leasesMax();
        int tenantMax = CatalogCommand.TakeLease.tenantMax(most);
        List<LeaseRecord> live = live();
        long ofTenant =
                live.stream().filter(lease -> lease.tenant().equals(tenant)).count();
        if (live.size() >= most || ofTenant >= tenantMax) {
            throw RequestRefused.of(
                    ErrorCode.OVERLOADED,
                    "cdc.leases: " + live.size() + " leases of history are held in this cluster, " + ofTenant
                            + " of them for tenant '" + tenant + "'; the limits are " + most + " and " + tenantMax
                            + "; try again once one has lapsed, give one up (DELETE /api/v1/cdc/leases/<id>), or raise it");
        }
    }

    private List<Integer> live(StreamFilter filter) {
        NavigableSet<Integer> live = lineage.covered(filter);
        live.removeIf(lineage::ended);
        return List.copyOf(live);
    }

    /** Files from where the stream is to begin up to where the log does; the log alone for partitions whose log reaches back. */
    private HeldHistory backfill(StreamFilter filter, Start from) {
        if (from instanceof Start.At) {
            resolver.resolve(filter, from, true);
        }
        return cut(filter, request -> take(request, since(live(filter), request, from)));
    }

    /**
     * Only partitions whose log does not reach back are cut. That takes a while in which nothing holds the log of the others: those that it was taken from meanwhile are
     * cut too. What a parent that has ended left behind a cursor would be missing here; there is no command that splits partitions yet.
     */
    private List<LeaseRecord.Held> since(List<Integer> partitions, CutRequest request, Start from) {
        SortedMap<Integer, LeaseRecord.Held> inLog = new TreeMap<>();
        partitions.forEach(partition -> inLog(partition, from).ifPresent(held -> inLog.put(partition, held)));
        List<LeaseRecord.Held> cuts = new ArrayList<>();
        List<Integer> tooYoung =
                partitions.stream().filter(each -> !inLog.containsKey(each)).toList();
        while (!tooYoung.isEmpty()) {
            cuts.addAll(cut(tooYoung, request));
            tooYoung = inLog.values().stream()
                    .filter(held -> resolver.oldest(held.partition()) > held.fromSeq())
                    .map(LeaseRecord.Held::partition)
                    .toList();
            inLog.keySet().removeAll(tooYoung);
        }
        List<LeaseRecord.Held> held = new ArrayList<>(inLog.values());
        cuts.forEach(whole -> held.add(since(whole, request, from)));
        held.sort(Comparator.comparingInt(LeaseRecord.Held::partition));
        return held;
    }

    /** Empty where the log does not reach back. */
    private Optional<LeaseRecord.Held> inLog(int partition, Start from) {
        long oldest = resolver.oldest(partition);
        return resolver.wanted(partition, from).stream()
                .filter(seq -> seq >= oldest)
                .mapToObj(seq -> new LeaseRecord.Held(partition, seq, seq, seq))
                .findAny();
    }

    /** What lies between the end of the cut's files and the oldest of the log would be told as gone, though newer files have it: then there is no answer. */
    private LeaseRecord.Held since(LeaseRecord.Held whole, CutRequest request, Start from) {
        int partition = whole.partition();
        long oldest = resolver.oldest(partition);
        long since = resolver.wanted(partition, from).orElseGet(() -> firstSince(partition, request, from));
        if (since < oldest && oldest > whole.fromSeq()) {
            throw RequestRefused.of(
                    ErrorCode.STORE_UNAVAILABLE,
                    "partition " + partition + ": its log was trimmed to seq " + oldest
                            + " while it was cut, expected at most the end of its files, " + whole.fromSeq()
                            + "; try again");
        }
        long end = Math.max(since, oldest);
        if (end - since > BACKFILL_SEQS_MAX) {
            throw new RequestRefused(
                    Refusal.of(
                            ErrorCode.CURSOR_TOO_OLD,
                            "partition " + partition + ": from seq " + since + " to the log's oldest, " + oldest
                                    + ", is more than a backfill may be, " + BACKFILL_SEQS_MAX),
                    ErrorCode.CURSOR_TOO_OLD.status(),
                    Map.of("hint", "begin with from=snapshot"));
        }
        return new LeaseRecord.Held(partition, end, end, since);
    }

    /** Behind the last file that ends before a time; so it may be earlier, never later. */
    private long firstSince(int partition, CutRequest request, Start from) {
        long time = from instanceof Start.Since since ? since.committedAtNanos() : Long.MIN_VALUE;
        try {
            return source.history().stored(request.leaseId(), partition).tables().stream()
                    .flatMap(table -> table.files().stream())
                    .filter(file -> file.lastCommittedAtNanos() < time)
                    .mapToLong(StoredFile::lastSeq)
                    .map(last -> last + 1)
                    .reduce(resolver.firstSeq(partition), Math::max);
        } catch (IOException e) {
            throw RequestRefused.of(ErrorCode.STORE_UNAVAILABLE, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RequestRefused.of(ErrorCode.STARTING, "the node is stopping");
        }
    }

    private HeldHistory take(CutRequest request, List<LeaseRecord.Held> held) {
        long now = nowNanos();
        HistoryConfig config = source.config();
        LeaseRecord lease = new LeaseRecord(
                request.leaseId(),
                request.tenant(),
                request.tables(),
                held,
                now,
                now + config.lapse().toNanos());
        await(catalog.propose(new CatalogCommand.TakeLease(lease, config.leasesMax(), now)));
        return new HeldHistory(lease, held, HistoryCursor.first(lease.id()), true);
    }

    private static String newId() {
        UUID random = UUID.randomUUID();
        return HexFormat.of().toHexDigits(random.getMostSignificantBits() ^ random.getLeastSignificantBits());
    }

    private List<LeaseRecord.Held> cut(List<Integer> partitions, CutRequest request) {
        List<LeaseRecord.Held> held = new ArrayList<>();
        for (int from = 0; from < partitions.size(); from += CUTS_AT_ONCE) {
            List<CompletableFuture<CutPlace>> asked =
                    partitions.subList(from, Math.min(from + CUTS_AT_ONCE, partitions.size())).stream()
                            .map(partition ->
                                    source.history().cut(partition, request).toCompletableFuture())
                            .toList();
            for (CompletableFuture<CutPlace> each : asked) {
                CutPlace place = await(each);
                held.add(new LeaseRecord.Held(place.partition(), place.fromSeq(), place.cutSeq()));
            }
        }
        held.sort(Comparator.comparingInt(LeaseRecord.Held::partition));
        return held;
    }

    private HeldHistory resume(StreamFilter filter, HistoryCursor cursor) {
        LeaseRecord lease = lease(filter, cursor.leaseId());
        if (!lease.tables().equals(List.copyOf(filter.measurements()))) {
            throw RequestRefused.of(
                    ErrorCode.BAD_CURSOR,
                    "the cursor lies in a snapshot of " + (lease.tables().isEmpty() ? "all tables" : lease.tables())
                            + ", expected the same measurement= filters, found " + filter.measurements());
        }
        List<Integer> lacking = lineage.lacking(
                filter, lease.held().stream().map(LeaseRecord.Held::partition).collect(Collectors.toSet()));
        if (!lacking.isEmpty()) {
            throw RequestRefused.of(
                    ErrorCode.BAD_CURSOR,
                    "the cursor lies in a snapshot without partitions " + lacking
                            + ", expected the same partition= filters");
        }
        List<LeaseRecord.Held> carried = lease.held().stream()
                .filter(held -> lineage.covers(filter, held.partition()))
                .toList();
        return new HeldHistory(lease, carried, cursor, false);
    }

    /** The image here may be older than the lease, on a node that did not take it. */
    private LeaseRecord lease(StreamFilter filter, String id) {
        Optional<LeaseRecord> known = live(filter, id);
        if (known.isEmpty()) {
            await(catalog.linearize());
            known = live(filter, id);
        }
        return known.orElseThrow(() -> new RequestRefused(
                Refusal.of(
                        ErrorCode.CURSOR_TOO_OLD,
                        "the cursor lies in a snapshot or backfill that is held no more: nobody read it for "
                                + source.config().lapse() + " (cdc.lease), or it was older than "
                                + source.config().ageMax() + " (cdc.lease-max)"),
                ErrorCode.CURSOR_TOO_OLD.status(),
                Map.of("hint", HistoryText.HINT, "oldest_cursor", resolver.oldestCursor(filter))));
    }

    private Optional<LeaseRecord> live(StreamFilter filter, String id) {
        return catalog.image()
                .lease(id)
                .filter(lease -> lease.tenant().equals(filter.tenant()) && lease.isLive(nowNanos()));
    }

    private static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RefusedException refused) {
                throw RequestRefused.of(refused.refusal());
            }
            throw new IllegalStateException("a snapshot can't be taken", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RequestRefused.of(ErrorCode.STARTING, "the node is stopping");
        }
    }
}
