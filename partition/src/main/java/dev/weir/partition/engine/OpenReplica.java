package dev.weir.partition.engine;

import dev.weir.partition.engine.ReplicaFeed.Head;
import dev.weir.partition.entry.EntryReader;
import dev.weir.partition.entry.Section;
import dev.weir.wal.LogPosition;
import dev.weir.wal.segment.SegmentFiles;
import dev.weir.wal.segment.SegmentLog;
import dev.weir.wal.segment.SegmentRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A replica from one {@link PartitionReplica#restore} to the next: the folded state and its open files. Knows no threads but that apply,
 * snapshot and close come from one, and that readers take the lock.
 */
final class OpenReplica {
    private final SegmentFiles files;
    private final ReplicaFolder folder;
    private final ReplicaIdentity identity;
    private final String data;
    private final LogPosition position;
    private final ReplicaLog log;
    private final PartitionState state;

    /**
     * Apply changes the state under the write lock; readers copy references out of it under the read lock. Never held during I/O of a read.
     */
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    private volatile @Nullable PartitionFence fence;
    private volatile long bufferedRows;

    /** What names a replica's files. */
    record ReplicaIdentity(int partition, int generation) {}

    /**
     * What applying an entry came to.
     *
     * @param record its events, null where it caused none
     */
    record Applied(byte[] reply, @Nullable SegmentRecord record, Head head) {}

    private OpenReplica(
            SegmentFiles files,
            ReplicaFolder folder,
            ReplicaIdentity identity,
            String data,
            LogPosition position,
            ReplicaLog log,
            PartitionState state) {
        this.files = files;
        this.folder = folder;
        this.identity = identity;
        this.data = data;
        this.position = position;
        this.log = log;
        this.state = state;
        this.fence = state.facts().fence();
        this.bufferedRows = state.points().rows();
    }

    /**
     * Loads the newest snapshot, or begins empty, and rebuilds the key sets from the segments.
     *
     * @throws IOException the files are not those that the manifest names, or of another replica
     */
    static OpenReplica open(
            SegmentFiles files,
            Path directory,
            ReplicaIdentity identity,
            ReplicaSettings settings,
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
        ReplicaLog log = ReplicaLog.open(files, folder, manifest, settings.segments(), definitions.loader());
        try {
            LogFacts facts = manifest == null ? new LogFacts() : manifest.facts();
            facts.drops().keySet().forEach(definitions.tables()::retire);
            PointStore points = new PointStore(definitions, FlushedPoints.NONE);
            PointRebuild.run(log.segments(), definitions, points);
            PartitionState state = new PartitionState(definitions, log, facts, points, counters);
            String data = manifest == null ? ReplicaFolder.FIRST : manifest.folder();
            LogPosition position = manifest == null ? LogPosition.NONE : manifest.position();
            return new OpenReplica(files, folder, identity, data, position, log, state);
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

    Applied apply(long leaderClockNanos, ByteBuffer entry) throws IOException {
        List<Section> sections = EntryReader.read(entry);
        lock.writeLock().lock();
        try {
            PartitionState.Folded folded = state.fold(leaderClockNanos, sections);
            SegmentRecord record = append(folded);
            if (folded.trimSeq() > log.segments().oldestSeq()) {
                log.segments().trim(folded.trimSeq());
            }
            fence = state.facts().fence();
            bufferedRows = state.points().rows();
            return new Applied(folded.reply(), record, head());
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Makes everything applied durable, under a manifest that names {@code through}. */
    void snapshot(LogPosition through) throws IOException {
        DefinitionsFile.Extent definitions = log.definitions().sync();
        folder.writeManifest(new ReplicaManifest(
                identity.partition(),
                identity.generation(),
                through,
                data,
                definitions,
                log.segments().sync(),
                state.facts()));
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

    Optional<TableSeries> fullestTable() {
        lock.readLock().lock();
        try {
            return state.definitions()
                    .tables()
                    .fullest(id -> !state.facts().drops().containsKey(id));
        } finally {
            lock.readLock().unlock();
        }
    }

    @Nullable
    PartitionFence fence() {
        return fence;
    }

    /** Points buffered, as of the last entry. */
    long bufferedRows() {
        return bufferedRows;
    }

    SegmentLog segments() {
        return log.segments();
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
