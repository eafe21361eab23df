package dev.weir.partition.engine;

import dev.weir.partition.engine.ReplicaFeed.Head;
import dev.weir.partition.engine.TableBuffers.TableBuffer;
import dev.weir.partition.entry.EntryReader;
import dev.weir.partition.entry.Section;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.store.DataFileKeys;
import dev.weir.wal.LogPosition;
import dev.weir.wal.segment.SegmentFiles;
import dev.weir.wal.segment.SegmentLog;
import dev.weir.wal.segment.SegmentRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replica from one {@link PartitionReplica#restore} to the next: the folded state and its open files. Knows no threads but that apply,
 * snapshot and close come from one, and that readers take the lock.
 */
final class OpenReplica {
    private static final Logger LOG = LoggerFactory.getLogger(OpenReplica.class);

    private final SegmentFiles files;
    private final ReplicaFolder folder;
    private final ReplicaIdentity identity;
    private final String data;
    private final LogPosition position;
    private final ReplicaLog log;
    private final PartitionState state;
    private final ReplicaHistory history;

    /**
     * Apply changes the state under the write lock; readers copy references out of it under the read lock. Never held during I/O of a read.
     */
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    private final TableCuts cuts;

    private volatile @Nullable PartitionFence fence;
    private volatile long bufferedRows;
    private volatile long bufferedBytes;
    private final AtomicReference<@Nullable Long> oldestBufferedAtNanos = new AtomicReference<>();
    private final AtomicReference<@Nullable FileStats> fileStats = new AtomicReference<>();
    private final AtomicReference<@Nullable Optional<TableSeries>> fullestTable = new AtomicReference<>();
    private volatile @Nullable KeyMerge merging;
    private volatile @Nullable Merged merged;

    private record Merged(KeyMerge merge, KeyRun output) {}

    /** What names a replica's files. */
    record ReplicaIdentity(int partition, int generation) {}

    /**
     * What applying an entry came to.
     *
     * @param record its events, null where it caused none
     */
    record Applied(byte[] reply, @Nullable SegmentRecord record, Head head) {}

    /** @param prefixes of keys, by table */
    record FileNames(Map<Integer, String> prefixes, Set<String> named) {}

    private OpenReplica(
            SegmentFiles files,
            ReplicaFolder folder,
            ReplicaIdentity identity,
            String data,
            LogPosition position,
            ReplicaLog log,
            PartitionState state,
            MovedSegments store) {
        this.files = files;
        this.folder = folder;
        this.identity = identity;
        this.data = data;
        this.position = position;
        this.log = log;
        this.state = state;
        this.history = new ReplicaHistory(log::segments, state.facts().moved(), store);
        this.cuts = new TableCuts(state, log, lock.readLock());
        this.fence = state.facts().fence();
        this.bufferedRows = state.buffers().rows();
        this.bufferedBytes = state.buffers().bytes();
    }

    /**
     * Loads the newest snapshot, or begins empty, and rebuilds the key sets from the segments.
     *
     * @param store reads what was moved there
     * @throws IOException the files are not those that the manifest names, or of another replica
     */
    static OpenReplica open(
            SegmentFiles files,
            Path directory,
            ReplicaIdentity identity,
            ReplicaSettings settings,
            MovedSegments store,
            FoldCounters counters)
            throws IOException {
        ReplicaFolder folder = new ReplicaFolder(files, directory);
        ReplicaManifest manifest = folder.readManifest();
        if (manifest == null) {
            folder.restart();
        } else {
            check(manifest, identity, directory);
            folder.keep(manifest.folder());
        }
        DefinitionTable definitions = new DefinitionTable();
        String data = manifest == null ? ReplicaFolder.FIRST : manifest.folder();
        ReplicaLog log = ReplicaLog.open(files, folder, manifest, settings.segments(), definitions.loader());
        try {
            LogFacts facts = manifest == null ? new LogFacts() : manifest.facts();
            facts.drops().keySet().forEach(definitions.tables()::retire);
            KeyManifest keyManifest = manifest == null ? KeyManifest.NONE : manifest.keys();
            folder.keepKeys(data, keyManifest, "");
            KeyRuns keys = KeyRuns.open(files, folder.keys(data), keyManifest, definitions::tableOf);
            PointStore points = new PointStore(definitions, keys);
            TableBuffers buffers = new TableBuffers();
            if (keyManifest.newest() == null) {
                PointRebuild rebuild = new PointRebuild(definitions, points);
                BufferCount.read(log.segments(), 0, new BufferCount(facts, buffers), List.of(rebuild));
            } else {
                NewestFile.read(files, folder.keys(data), keyManifest.newest(), points::restore);
                long from = definitions.tables().flushedThrough(facts) + 1;
                BufferCount.read(log.segments(), from, new BufferCount(facts, buffers), List.of());
            }
            WrittenSince written =
                    new WrittenSince(log::segments, () -> facts.moved().through(), definitions);
            PartitionState state = new PartitionState(definitions, log, facts, points, buffers, written, counters);
            LogPosition position = manifest == null ? LogPosition.NONE : manifest.position();
            return new OpenReplica(files, folder, identity, data, position, log, state, store);
        } catch (IOException | RuntimeException e) {
            log.close();
            throw e;
        }
    }

    /** The position of the snapshot that was loaded. */
    LogPosition position() {
        return position;
    }

    /** Name of the data folder in use. */
    String data() {
        return data;
    }

    /** @param term in which the entry was taken */
    Applied apply(long term, long leaderClockNanos, ByteBuffer entry) throws IOException {
        List<Section> sections = EntryReader.read(entry);
        lock.writeLock().lock();
        try {
            PartitionState.Folded folded = state.fold(term, leaderClockNanos, sections);
            SegmentRecord record = append(folded);
            // First what was moved: who misses a segment here must find it there.
            history.moved(state.facts().moved());
            if (folded.trimSeq() > log.segments().oldestSeq()) {
                log.segments().trim(folded.trimSeq());
            }
            fence = state.facts().fence();
            bufferedRows = state.buffers().rows();
            bufferedBytes = state.buffers().bytes();
            return new Applied(folded.reply(), record, head());
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Makes everything applied durable, under a manifest that names {@code through}. */
    void snapshot(LogPosition through) throws IOException {
        KeyManifest keys = spill(through);
        DefinitionsFile.Extent definitions = log.definitions().sync();
        folder.writeManifest(new ReplicaManifest(
                identity.partition(),
                identity.generation(),
                through,
                data,
                definitions,
                log.segments().sync(),
                keys,
                state.facts()));
        KeyMerge running = merging;
        folder.keepKeys(data, keys, running == null ? "" : running.name());
    }

    /** Begins a merge of key runs, if one is worth it; the next snapshot takes it over. Called by the apply thread. */
    void mergeKeys(Executor background) {
        KeyMerge plan = merging == null ? state.points().older().planMerge() : null;
        if (plan == null) {
            return;
        }
        merging = plan;
        background.execute(() -> {
            try {
                merged = new Merged(plan, plan.run());
            } catch (IOException e) {
                // The runs are as good as before; a later snapshot tries again.
                LOG.warn("partition {}: merging keys: {}", identity.partition(), e.getMessage());
                merging = null;
            }
        });
    }

    /** Moves older points to a file, so that neither memory nor the next start grow with the table. */
    private KeyManifest spill(LogPosition through) throws IOException {
        PointStore points = state.points();
        Merged done = merged;
        KeyRun run = points.older().spill(points.times());
        KeyManifest.KeyFile newest = NewestFile.write(
                files, folder.keys(data), "newest-" + through.index(), points.times(), points.latest());
        lock.writeLock().lock();
        try {
            if (run != null) {
                points.older().add(run);
                points.times().keepNewest();
            }
            if (done != null) {
                points.older().replace(done.merge, done.output);
                merged = null;
                merging = null;
            }
        } finally {
            lock.writeLock().unlock();
        }
        files.syncDirectory(folder.keys(data));
        return points.older().manifest(newest);
    }

    Head head() {
        LogFacts facts = state.facts();
        return new Head(facts.firstSeq(), facts.nextSeq(), facts.lastCommittedAtNanos(), facts.resolvedAtNanos());
    }

    /** Idempotency keys older than a time, or more than so many, are remembered. */
    boolean holdsUnitsBeyond(long beforeNanos, int unitsMax) {
        lock.readLock().lock();
        try {
            IdempotencyWindow units = state.facts().units();
            return units.units() > unitsMax || units.oldest() < beforeNanos;
        } finally {
            lock.readLock().unlock();
        }
    }

    /** What of each table waits to be flushed; without dropped tables. */
    List<TableBuffer> buffers() {
        lock.readLock().lock();
        try {
            return state.buffers().all().stream()
                    .filter(buffer -> !state.facts().drops().containsKey(buffer.tableId()))
                    .toList();
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Commit time of the oldest row that no file holds, or earlier, ns since 1970; {@link Long#MAX_VALUE} where all are in files. */
    long oldestBufferedAtNanos() {
        return glance(
                oldestBufferedAtNanos,
                () -> buffers().stream()
                        .filter(buffer -> buffer.rows() > 0)
                        .mapToLong(TableBuffer::firstCommittedAtNanos)
                        .min()
                        .orElse(Long.MAX_VALUE));
    }

    /** A table as of now; empty where this log knows none of that id, or its drop. */
    Optional<TableCut> cut(int tableId) {
        return cuts.of(tableId);
    }

    /** Tables as of one point of the log. */
    TableCuts cuts() {
        return cuts;
    }

    FileStats fileStats(FoldCounters counters) {
        return glance(fileStats, () -> FileStats.of(state, counters));
    }

    /** No row of the table here is older; {@link Long#MAX_VALUE} where it has none, or is not known. */
    long oldestNanos(int tableId) {
        lock.readLock().lock();
        try {
            LogFacts facts = state.facts();
            return Math.min(
                    state.buffers().oldestNanos(tableId), facts.files(tableId).oldestNanos());
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Of all tables that have rows here. */
    List<TableSize> tableSizes() {
        lock.readLock().lock();
        try {
            return TableSizes.of(state);
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Ids of tables that have files here. */
    List<Integer> tablesWithFiles() {
        lock.readLock().lock();
        try {
            return List.copyOf(state.facts().tablesWithFiles());
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Where files of all tables lie that the log has known, and which objects of the partition count, moved segments too. */
    FileNames fileNames() {
        lock.readLock().lock();
        try {
            Set<String> named = new HashSet<>();
            for (int tableId : state.facts().tablesWithFiles()) {
                state.facts().files(tableId).files().forEach(file -> named.add(file.key()));
            }
            state.facts().moved().segments().forEach(segment -> named.add(segment.key()));
            Map<Integer, String> prefixes = new TreeMap<>();
            for (TableDirectory.Table table : definitions().tables().tables()) {
                TableSchema schema = table.newest();
                if (schema != null) {
                    prefixes.put(
                            schema.tableId(),
                            DataFileKeys.tablePrefix(schema.tenant(), schema.name(), schema.tableId()));
                }
            }
            return new FileNames(prefixes, named);
        } finally {
            lock.readLock().unlock();
        }
    }

    Optional<TableSeries> fullestTable() {
        return glance(
                fullestTable,
                () -> state.definitions()
                        .tables()
                        .fullest(id -> !state.facts().drops().containsKey(id)));
    }

    /**
     * As of now; or as it was last seen, where an entry is being applied: that takes as long as a disk hangs, and who asks for status or metrics must not hang
     * with it. Waits the first time only.
     */
    private <T> T glance(AtomicReference<@Nullable T> seen, Supplier<T> look) {
        T last = seen.get();
        boolean locked = lock.readLock().tryLock();
        if (!locked && last != null) {
            return last;
        }
        if (!locked) {
            lock.readLock().lock();
        }
        try {
            T found = look.get();
            seen.set(found);
            return found;
        } finally {
            lock.readLock().unlock();
        }
    }

    @Nullable
    PartitionFence fence() {
        return fence;
    }

    /** Rows that no file holds yet, as of the last entry. */
    long bufferedRows() {
        return bufferedRows;
    }

    /** Of their fields, encoded. */
    long bufferedBytes() {
        return bufferedBytes;
    }

    SegmentLog segments() {
        return log.segments();
    }

    /** All of the history, what was moved to the store too. */
    ReplicaHistory history() {
        return history;
    }

    Path segmentFolder() {
        return log.segmentFolder();
    }

    SegmentFiles files() {
        return files;
    }

    DefinitionTable definitions() {
        return state.definitions();
    }

    /** For holders of {@link #readLock}, and the apply thread. */
    PartitionState state() {
        return state;
    }

    ReentrantReadWriteLock.ReadLock readLock() {
        return lock.readLock();
    }

    void close() throws IOException {
        Merged done = merged;
        if (done != null) {
            done.output.close();
        }
        state.points().older().close();
        log.close();
    }

    private @Nullable SegmentRecord append(PartitionState.Folded folded) throws IOException {
        ByteBuffer payload = folded.record();
        if (payload == null) {
            return null;
        }
        long firstSeq = state.facts().nextSeq() - folded.events();
        if (log.segments().nextSeq() != firstSeq) {
            log.beginAt(firstSeq);
        }
        log.segments().append(folded.events(), folded.committedAtNanos(), payload.duplicate());
        return new SegmentRecord(firstSeq, folded.events(), folded.committedAtNanos(), payload);
    }

    private static void check(ReplicaManifest manifest, ReplicaIdentity identity, Path directory) throws IOException {
        if (manifest.partition() != identity.partition() || manifest.generation() != identity.generation()) {
            throw new IOException("manifest in " + directory + ": expected partition " + identity.partition()
                    + " generation " + identity.generation() + ", found " + manifest.partition() + " and "
                    + manifest.generation());
        }
    }
}
