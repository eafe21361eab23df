package dev.weir.partition.engine;

import dev.weir.partition.engine.TableBuffers.TableBuffer;
import dev.weir.partition.entry.MovedSegment;
import dev.weir.partition.entry.Section.CompactionSection;
import dev.weir.partition.entry.Section.FlushSection;
import dev.weir.partition.entry.Section.MoveSection;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.store.StoreException;
import dev.weir.wal.LogException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes files of a partition's buffers and merges them, on the node that leads it: writes and stores them, then commits them through the log.
 *
 * <p>Threading: any thread; calls block on disk, store and log, one at a time. What a failed call has stored belongs to nobody, and the next call
 * begins anew: nothing is lost and nothing doubled.
 */
public final class PartitionFlusher {
    private static final long COMMIT_SECONDS = 30;

    /** After so long {@link #compactDue} lets flushes go first. */
    private static final long COMPACT_NANOS = 2_000_000_000L;

    /** Likewise {@link #moveDue}. */
    private static final long MOVE_NANOS = 2_000_000_000L;

    /** So often a flush that another one overtook begins anew. */
    private static final int VOIDS_MAX = 3;

    /** Files that go by one entry. */
    private static final int COVERED_MAX = 1_000;

    private final PartitionReplica replica;
    private final PartitionWriter writer;
    private final FilePlace place;
    private final FileOutput output;
    private final FilePolicy policy;
    private final UnaryOperator<TableSchema> newest;
    private final LongSupplier clockNanos;
    /** One flush at a time: two would write the same rows, and one of them in vain. */
    private final ReentrantLock one = new ReentrantLock();

    private final TableTurns turns = new TableTurns();
    private final OrphanSweep orphans;
    private final SegmentOutput segments;
    private final LongAdder moveFailures = new LongAdder();
    private @Nullable MovePlanner moves;
    private volatile boolean movesHistory;
    /** Stored, and proposed in this term with an outcome that is not known. Under a later term they are void, or named. */
    private final Map<String, Long> unsettled = new HashMap<>();
    /** What was seen before another led is seen anew. */
    private long sweptTerm = -1;

    private final Map<Integer, Long> lastFlushNanos = new HashMap<>();

    /**
     * @param newest gives the newest schema of the table whose schema in the partition's log is given
     * @param clockNanos wall clock, ns since 1970
     */
    public PartitionFlusher(
            PartitionReplica replica,
            PartitionWriter writer,
            FilePlace place,
            FilePolicy policy,
            UnaryOperator<TableSchema> newest,
            LongSupplier clockNanos) {
        this.replica = replica;
        this.writer = writer;
        this.place = place;
        this.newest = newest;
        this.orphans = new OrphanSweep(replica.partition(), place.cache().store(), policy.orphanAge());
        this.output = new FileOutput(place.cache().store(), place.temporary());
        this.segments = new SegmentOutput(replica.partition(), place.cache().store(), place.temporary());
        this.policy = policy;
        this.clockNanos = clockNanos;
    }

    /**
     * Flushes the tables that are due; returns how many. Nothing while this replica does not lead.
     *
     * @throws StoreException the store failed beyond its retries
     * @throws IOException this node's disk or the log failed
     * @throws IllegalStateException rows of a table can't be written; the other tables were looked at all the same
     */
    public int flushDue() throws IOException, StoreException, InterruptedException {
        long now = clockNanos.getAsLong();
        int flushed = 0;
        IllegalStateException faults = null;
        for (TableBuffer buffer : waiting()) {
            long last = lastFlush(buffer.tableId());
            try {
                if (policy.flush().isDue(buffer, now, last) && flush(buffer.tableId())) {
                    flushed++;
                }
            } catch (RefusedException e) {
                throw e; // the replica is being closed
            } catch (RuntimeException e) {
                // Something in this table's rows: the others must not wait for it.
                faults = new IllegalStateException(describe(buffer.tableId()) + ": " + e.getMessage(), e);
            }
        }
        if (faults != null) {
            throw faults;
        }
        return flushed;
    }

    private String describe(int tableId) {
        return replica.opened()
                .cut(tableId)
                .map(cut -> "rows of table " + cut.schema().name() + " of tenant "
                        + cut.schema().tenant()
                        + " can't be written; if they are the cause, weir dead-letters quarantine sets them aside")
                .orElse("table id " + tableId);
    }

    /** Flushes every table that has buffered rows, as {@link #flushDue}. */
    public int flushAll() throws IOException, StoreException, InterruptedException {
        int flushed = 0;
        for (TableBuffer buffer : waiting()) {
            if (flush(buffer.tableId())) {
                flushed++;
            }
        }
        return flushed;
    }

    /**
     * Flushes what the table has buffered by now. Returns whether files were committed; false where there was nothing to flush, or another leader
     * was faster.
     */
    public boolean flush(int tableId) throws IOException, StoreException, InterruptedException {
        one.lockInterruptibly();
        try {
            PartitionReplica.Leadership leadership = replica.leadership();
            if (!leadership.leads()) {
                return false;
            }
            place.claim().require();
            boolean committed = false;
            int voids = 0;
            // A flush that met its limit of days leaves rows behind, and so may another leader's that was faster.
            for (boolean more = true; more; ) {
                OpenReplica open = replica.opened();
                long end = open.head().nextSeq();
                FlushSection section =
                        new TableFlush(replica.partition(), open, newest, output).write(tableId, leadership.term());
                more = section != null && section.toSeq() + 1 < end;
                if (section != null) {
                    commit(keys(section.files()), section.term(), () -> writer.flush(section), "a flush");
                    boolean holds = holds(section);
                    if (!holds) {
                        requireTerm(section.term());
                    }
                    committed |= holds;
                    more = holds ? more : ++voids < VOIDS_MAX;
                }
            }
            lastFlushNanos.put(tableId, clockNanos.getAsLong());
            return committed;
        } finally {
            one.unlock();
        }
    }

    /**
     * Flushes what tables have buffered, then takes a cut of them as of now and stores it for a lease. What was acknowledged before the call is in it, where
     * this replica was linearizable.
     *
     * @param names of tables; empty for all of the tenant but its dead letters
     * @param leaseId of the lease that is to hold it, and is taken within {@code store.orphan-age}
     * @throws RefusedException the catalog here is behind a file's schema
     */
    public PartitionCut cut(String tenant, List<String> names, String leaseId)
            throws IOException, StoreException, InterruptedException {
        Predicate<String> wanted =
                name -> names.isEmpty() ? !name.equals(TableSchema.DEAD_LETTERS) : names.contains(name);
        for (TableCut table : replica.opened().cuts().of(tenant, wanted).tables()) {
            flush(table.schema().tableId());
        }
        long term = replica.leadership().term();
        place.claim().require();
        PartitionCut cut = replica.cut(tenant, wanted, newest);
        requireTerm(term);
        new CutStore(place.cache().store(), place.temporary()).put(leaseId, cut);
        return cut;
    }

    /**
     * Lets files go of which deletes leave nothing, merges files of the tables here where there are many small ones, and writes those again that have old
     * types or many deletes; what takes longer than {@link #COMPACT_NANOS} is left for the next call, which begins with the table that has waited longest. Returns
     * how many compactions were proposed. As {@link #flushDue}.
     */
    public int compactDue() throws IOException, StoreException, InterruptedException {
        int done = 0;
        long untilNanos = System.nanoTime() + COMPACT_NANOS;
        List<Integer> tables = replica.leadership().leads() ? replica.opened().tablesWithFiles() : List.of();
        for (int tableId : turns.order(tables)) {
            if (System.nanoTime() - untilNanos > 0) {
                break;
            }
            turns.had(tableId);
            done += compact(tableId, false, untilNanos);
        }
        return done;
    }

    /**
     * Merges all files of a table, day by day, as far as they fit into one, and writes those again that hold what was deleted or dropped; returns how many
     * compactions were proposed.
     */
    public int compact(int tableId) throws IOException, StoreException, InterruptedException {
        return compact(tableId, true, Long.MAX_VALUE);
    }

    private int compact(int tableId, boolean all, long untilNanos)
            throws IOException, StoreException, InterruptedException {
        one.lockInterruptibly();
        try {
            OpenReplica open = replica.opened();
            PartitionReplica.Leadership leadership = replica.leadership();
            TableCut cut = open.cut(tableId).orElse(null);
            if (cut == null || !leadership.leads()) {
                return 0;
            }
            FileSet files = cut.files();
            List<StoredFile> covered = files.covered();
            int done = covered.isEmpty() ? 0 : forget(cut, covered, leadership.term());
            TableSchema schema = newest.apply(cut.schema());
            FileSchemas schemas = new FileSchemas(open.definitions(), schema);
            List<StoredFile> rest = files.files().stream()
                    .filter(file -> !covered.contains(file))
                    .toList();
            if (rest.stream().anyMatch(schemas::isNewer)) {
                return done;
            }
            List<CompactionPlan> plans = all
                    ? CompactionPlan.all(rest, file -> schemas.isOutdated(file) || files.hasDeleted(file))
                    : CompactionPlan.due(rest, file -> schemas.hasOldTypes(file) || files.isWorthCleaning(file));
            for (CompactionPlan plan : plans) {
                if (!all && System.nanoTime() - untilNanos > 0) {
                    break;
                }
                compact(cut.under(schema), plan, leadership.term());
                done++;
            }
            return done;
        } finally {
            one.unlock();
        }
    }

    /** Files of which no row is left go by an entry alone. */
    private int forget(TableCut cut, List<StoredFile> covered, long term) throws IOException, InterruptedException {
        List<String> keys =
                covered.stream().limit(COVERED_MAX).map(StoredFile::key).toList();
        CompactionSection section =
                new CompactionSection(cut.schema().tableId(), keys, List.of(), cut.nextSeq() - 1, term);
        commit(List.of(), term, () -> writer.compact(section), "that files go");
        return 1;
    }

    private void compact(TableCut cut, CompactionPlan plan, long term)
            throws IOException, StoreException, InterruptedException {
        place.claim().require();
        CompactionSection section =
                new TableCompaction(replica.partition(), place.cache(), output).run(cut, plan, term);
        commit(keys(section.outputs()), term, () -> writer.compact(section), "a compaction");
    }

    /**
     * Makes one file of these, with all deletes applied and columns of today's types; whether that was proposed. False where they are not all there any
     * more, where one has columns that are not known here yet, or another replica leads. As {@link #flushDue}.
     *
     * @param keys of files of one day that follow one another in flush order
     */
    public boolean rewrite(int tableId, List<String> keys) throws IOException, StoreException, InterruptedException {
        one.lockInterruptibly();
        try {
            PartitionReplica.Leadership leadership = replica.leadership();
            OpenReplica open = replica.opened();
            TableCut cut = open.cut(tableId).orElse(null);
            CompactionPlan plan = cut == null || !leadership.leads()
                    ? null
                    : CompactionPlan.ofKeys(cut.files().files(), keys).orElse(null);
            if (cut == null || plan == null) {
                return false;
            }
            TableSchema schema = newest.apply(cut.schema());
            FileSchemas schemas = new FileSchemas(open.definitions(), schema);
            if (plan.inputs().stream().anyMatch(schemas::isNewer)) {
                return false;
            }
            compact(cut.under(schema), plan, leadership.term());
            return true;
        } finally {
            one.unlock();
        }
    }

    /**
     * Moves the oldest change segments to the store while there are more of them on this node's disk than there should be; what takes longer than
     * {@link #MOVE_NANOS} is left for the next call. Returns how many were moved; they then go from the disks of all replicas. As {@link #flushDue}.
     *
     * @param localBytes {@code retention.local-bytes}
     * @param trimSeq events before it are about to go altogether: nothing is moved before they have
     */
    public int moveDue(long localBytes, long trimSeq) throws IOException, StoreException, InterruptedException {
        movesHistory = true;
        long untilNanos = System.nanoTime() + MOVE_NANOS;
        int moved = 0;
        try {
            beginMoves(localBytes, trimSeq);
            while ((moved == 0 || System.nanoTime() - untilNanos < 0) && move(localBytes, trimSeq)) {
                moved++;
            }
        } catch (IOException | RuntimeException e) {
            moveFailures.increment();
            throw e;
        }
        return moved;
    }

    /** Once in a partition's life: before that no replica knows what was trimmed, and a copy that a trim overtook would leave a hole behind it. */
    private void beginMoves(long localBytes, long trimSeq) throws IOException, InterruptedException {
        one.lockInterruptibly();
        try {
            OpenReplica open = replica.opened();
            if (replica.leadership().leads()
                    && !open.history().moved().isBegun()
                    && planner(open).plan(localBytes, trimSeq).isPresent()) {
                await(writer.beginMoves(), "that history is moved from here on");
            }
        } finally {
            one.unlock();
        }
    }

    /** Moves one segment. */
    private boolean move(long localBytes, long trimSeq) throws IOException, StoreException, InterruptedException {
        one.lockInterruptibly();
        try {
            PartitionReplica.Leadership leadership = replica.leadership();
            OpenReplica open = replica.opened();
            MovePlanner.Move next =
                    leadership.leads() ? planner(open).plan(localBytes, trimSeq).orElse(null) : null;
            if (next == null || !next.begun()) {
                return false;
            }
            place.claim().require();
            MovedSegment stored = segments.write(open.segments(), next.segment(), next.fromSeq());
            MoveSection section = new MoveSection(stored, leadership.term());
            commit(List.of(stored.key()), section.term(), () -> writer.move(section), "a move of history");
            boolean holds = replica.opened().history().moved().holds(stored.key());
            if (!holds) {
                requireTerm(section.term());
            }
            return holds;
        } finally {
            one.unlock();
        }
    }

    /** Called under the lock. */
    private MovePlanner planner(OpenReplica open) {
        MovePlanner known = moves;
        if (known == null || !open.equals(known.replica())) {
            known = new MovePlanner(open);
            moves = known;
        }
        return known;
    }

    /** What of the history is in the store, and how that went. Any time. */
    public HistoryStats historyStats() {
        return replica.historyStats(moveFailures.sum());
    }

    /**
     * Removes files of this partition that belong to nobody, {@code store.orphan-age} after they were first seen so. Nothing while this replica does not lead.
     * Returns why tables were left out, if some were. As {@link #flushDue}.
     */
    public List<String> sweep() throws IOException, StoreException, InterruptedException {
        one.lockInterruptibly();
        try {
            PartitionReplica.Leadership leadership = replica.leadership();
            if (!leadership.leads()) {
                return List.of();
            }
            if (leadership.term() != sweptTerm) {
                orphans.forget();
                sweptTerm = leadership.term();
            }
            place.claim().require();
            OpenReplica.FileNames names = replica.opened().fileNames();
            List<String> prefixes = new ArrayList<>(names.prefixes().values());
            prefixes.add(CutStore.PREFIX);
            if (movesHistory || replica.opened().history().moved().through() > 0) {
                prefixes.add(SegmentOutput.prefix(replica.partition()));
            }
            return orphans.sweep(prefixes, new NamedFiles(names), System.nanoTime());
        } finally {
            one.unlock();
        }
    }

    /** Files of nobody that are still in the store, as of the last {@link #sweep}, those that go first before others. Any time. */
    public List<Orphan> orphans() {
        return replica.leadership().leads() ? orphans.waiting() : List.of();
    }

    /** Files of nobody that were removed since this replica was opened. */
    public long orphansRemoved() {
        return orphans.removed();
    }

    /** Who owns files, while a sweep has the lock: no flush stores any meanwhile. */
    private final class NamedFiles implements OrphanSweep.Owners {
        private final OpenReplica.FileNames names;

        NamedFiles(OpenReplica.FileNames names) {
            this.names = names;
        }

        @Override
        public Set<String> known() {
            return names.named();
        }

        /**
         * An entry of this term, committed after the store was listed, shows that no later leader had stored anything by then. What earlier ones stored can be
         * committed no more; what this one did and does not know the outcome of is kept.
         */
        @Override
        public Set<String> confirmed() throws IOException, InterruptedException {
            long term = replica.leadership().term();
            await(writer.tick(), "that this replica leads");
            requireTerm(term);
            place.publications().refresh();
            unsettled.values().removeIf(proposed -> proposed != term);
            Set<String> named = new HashSet<>(replica.opened().fileNames().named());
            named.addAll(unsettled.keySet());
            return named;
        }

        @Override
        public Optional<Set<String>> published(String prefix) throws IOException, InterruptedException {
            for (Map.Entry<Integer, String> table : names.prefixes().entrySet()) {
                if (table.getValue().equals(prefix) && place.publications().isPublished(table.getKey())) {
                    return Optional.of(place.publications().keys(prefix));
                }
            }
            return Optional.empty();
        }

        @Override
        public boolean isHeld(String key) {
            return place.publications().isHeld(key);
        }
    }

    /** Reads what was flushed. */
    public FileRows files() {
        return new CachedFileRows(place.cache());
    }

    private List<TableBuffer> waiting() {
        return replica.leadership().leads() ? replica.opened().buffers() : List.of();
    }

    private long lastFlush(int tableId) throws InterruptedException {
        one.lockInterruptibly();
        try {
            return lastFlushNanos.getOrDefault(tableId, Long.MIN_VALUE);
        } finally {
            one.unlock();
        }
    }

    private static List<String> keys(List<StoredFile> files) {
        return files.stream().map(StoredFile::key).toList();
    }

    /** @param keys of what is stored for it, in {@code term} */
    private void commit(List<String> keys, long term, Supplier<CompletionStage<Void>> propose, String what)
            throws IOException, InterruptedException {
        keys.forEach(key -> unsettled.put(key, term));
        boolean settled = false;
        try {
            await(propose.get(), "committing " + what);
            settled = true;
        } catch (UncommittedException e) {
            settled = e.getCause() instanceof LogException refused && refused.kind() != LogException.Kind.UNKNOWN;
            throw e;
        } finally {
            if (settled) {
                keys.forEach(unsettled::remove);
            }
        }
    }

    private void await(CompletionStage<Void> proposed, String what) throws IOException, InterruptedException {
        try {
            proposed.toCompletableFuture().get(COMMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            String why = cause instanceof LogException ? cause.getMessage() : String.valueOf(cause);
            throw new UncommittedException("partition " + replica.partition() + ": " + what + ": " + why, cause);
        } catch (TimeoutException e) {
            throw new UncommittedException(
                    "partition " + replica.partition() + ": " + what + ": no answer in " + COMMIT_SECONDS + " s", e);
        }
    }

    /** What was proposed in a term that is over is void. */
    private void requireTerm(long term) throws UncommittedException {
        PartitionReplica.Leadership now = replica.leadership();
        if (!now.leads() || now.term() != term) {
            throw new UncommittedException(
                    "partition " + replica.partition() + ": expected to lead in term " + term + ", found " + now, null);
        }
    }

    private boolean holds(FlushSection section) {
        return replica.opened()
                .cut(section.tableId())
                .map(cut -> cut.files().flushedThrough() >= section.toSeq()
                        && cut.files()
                                .holds(section.files().stream()
                                        .map(StoredFile::key)
                                        .toList()))
                .orElse(false);
    }
}
