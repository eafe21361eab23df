package dev.weir.partition.engine;

import dev.weir.partition.engine.OpenReplica.ReplicaIdentity;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.read.LatestQuery;
import dev.weir.partition.read.ReadResult;
import dev.weir.wal.LogPosition;
import dev.weir.wal.ReplicatedState;
import dev.weir.wal.segment.ChannelFiles;
import dev.weir.wal.segment.SegmentFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One node's replica of one partition: folds the log's entries and keeps what they come to in change segments, key sets and definitions.
 *
 * <p>Threading: the {@link ReplicatedState} methods as {@link dev.weir.wal.LogHost} calls them; all others from any thread. Durability: what
 * {@link #snapshot} covers is on disk when it returns; what came after is in the log and is folded again.
 */
public final class PartitionReplica implements ReplicatedState {
    private final ReplicaIdentity identity;
    private final ReplicaSettings settings;
    private final SegmentFiles files;
    private final BufferBudget budget;
    private final ReplicaSource source;
    private final MovedSegments store;
    private final Executor background;
    private final SideFiles sideFiles;
    private final ReplicaFeed feed;
    private final FoldCounters counters = new FoldCounters();

    private volatile @Nullable OpenReplica open;
    private volatile @Nullable ReplicaFiles transfers;
    private volatile Leadership leadership = new Leadership(false, null, 0);
    private @Nullable Path directory;
    private long countedRows;
    private long countedBytes;

    /** Who leads, as far as this replica knows. */
    public record Leadership(boolean leads, @Nullable String leader, long term) {}

    /**
     * @param generation of the partition; entries of another are not stored
     * @param budget shared by all replicas of the node
     * @param source where snapshots of other nodes come from
     * @param store reads what was moved there of the history
     * @param background runs what may block, off the apply thread
     */
    public PartitionReplica(
            int partition,
            int generation,
            ReplicaSettings settings,
            BufferBudget budget,
            ReplicaSource source,
            MovedSegments store,
            Executor background) {
        this(partition, generation, settings, budget, source, store, background, new ChannelFiles());
    }

    PartitionReplica(
            int partition,
            int generation,
            ReplicaSettings settings,
            BufferBudget budget,
            ReplicaSource source,
            MovedSegments store,
            Executor background,
            SegmentFiles files) {
        this.identity = new ReplicaIdentity(partition, generation);
        this.settings = settings;
        this.budget = budget;
        this.source = source;
        this.store = store;
        this.sideFiles = new SideFiles(files, background);
        this.background = background;
        this.files = files;
        this.feed = new ReplicaFeed(partition, settings.recentBytes());
    }

    public int partition() {
        return identity.partition();
    }

    public int generation() {
        return identity.generation();
    }

    /** The change events; one object for the replica's life. */
    public ReplicaFeed feed() {
        return feed;
    }

    public Leadership leadership() {
        return leadership;
    }

    /** What the partition owns, as its log says; null before its first entry was applied here. */
    public @Nullable PartitionFence fence() {
        OpenReplica now = open;
        return now == null ? null : now.fence();
    }

    public ReplicaStats stats() {
        OpenReplica now = open;
        return now == null ? ReplicaStats.CLOSED : ReplicaStats.of(now, feed.head(), counters);
    }

    /** What of the history is in the store. */
    HistoryStats historyStats(long moveFailures) {
        OpenReplica now = open;
        return now == null ? HistoryStats.CLOSED : HistoryStats.of(now, counters, moveFailures);
    }

    /** What tables have in files; waits for at most one entry being applied. */
    public FileStats fileStats() {
        OpenReplica now = open;
        return now == null ? FileStats.CLOSED : now.fileStats(counters);
    }

    /** What each table has here; waits for at most one entry being applied. */
    public List<TableSize> tableSizes() {
        OpenReplica now = open;
        return now == null ? List.of() : now.tableSizes();
    }

    /** Series of each tenant that has tables here, without those of dropped tables; as of a moment ago. */
    public Map<String, Integer> seriesByTenant() {
        OpenReplica now = open;
        return now == null ? Map.of() : now.definitions().tables().seriesByTenant();
    }

    /** The table with most series of those that are not dropped; empty while there is none. Waits for at most one entry being applied. */
    public Optional<TableSeries> fullestTable() {
        OpenReplica now = open;
        return now == null ? Optional.empty() : now.fullestTable();
    }

    /**
     * No row of the table here is older; {@link Long#MAX_VALUE} where it has none. May be too early, never too late. Waits for at most one entry being
     * applied.
     */
    public long oldestNanos(int tableId) {
        OpenReplica now = open;
        return now == null ? Long.MAX_VALUE : now.oldestNanos(tableId);
    }

    /** Commit time of the oldest row that no file holds, or earlier, ns since 1970; empty where all are in files. Does not wait for a disk that hangs. */
    public OptionalLong oldestBufferedAtNanos() {
        OpenReplica now = open;
        long oldest = now == null ? Long.MAX_VALUE : now.oldestBufferedAtNanos();
        return oldest == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(oldest);
    }

    /** Encoded, of the rows that no file holds. */
    public long bufferedBytes() {
        OpenReplica now = open;
        return now == null ? 0 : now.bufferedBytes();
    }

    /**
     * The last point of each matching series, as of what is applied here. Blocks on the disk, and on the store for points that the change segments no longer
     * have.
     *
     * @param files reads such points from data files
     * @throws RefusedException too many series match, or the replica is closed
     * @throws IOException a segment or a file can't be read
     */
    public ReadResult latest(LatestQuery query, FileRows files) throws IOException {
        return new LatestReader(partition(), opened(), files).latest(query);
    }

    /** The matching series that have points, with the time of the newest; otherwise as {@link #latest}. */
    public ReadResult series(LatestQuery query) throws IOException {
        FileRows none = (file, as, series) -> {
            throw new IllegalStateException("series without fields need no file");
        };
        return new LatestReader(partition(), opened(), none).series(query);
    }

    /**
     * Tables as of what is applied here. Blocks on the disk.
     *
     * @throws RefusedException the replica is closed
     * @throws IOException a segment can't be read
     */
    public PartitionImage image(List<PartitionImage.Need> needs) throws IOException {
        return new ImageReader(partition(), opened()).read(needs);
    }

    /**
     * What of a table is in files, as of what is applied here; nothing where this log does not know the table, or its drop.
     *
     * @throws RefusedException the replica is closed
     */
    public PartitionFiles tableFiles(int tableId) {
        TableCuts.Cut cut = opened().cuts().of(List.of(new PartitionImage.Need(tableId, RowPick.ALL, false)));
        return cut.tables()
                .getFirst()
                .map(table -> new PartitionFiles(
                        partition(),
                        Math.max(table.files().flushedThrough() + 1, table.firstBufferedSeq()),
                        table.files().files(),
                        table.files().deletes()))
                .orElseGet(() -> new PartitionFiles(partition(), cut.nextSeq(), List.of(), List.of()));
    }

    /**
     * Tables of a tenant as of what is applied here, as they can be read again later.
     *
     * @param names which tables
     * @param newest gives the newest schema of the table whose schema in the partition's log is given
     * @throws RefusedException the replica is closed, or a file has a newer schema
     */
    public PartitionCut cut(String tenant, Predicate<String> names, UnaryOperator<TableSchema> newest) {
        TableCuts.TenantCut cut = opened().cuts().of(tenant, names);
        List<PartitionCut.Table> tables = cut.tables().stream()
                .map(table -> contents(table.under(newest.apply(table.schema()))))
                .sorted(Comparator.comparingInt(table -> table.schema().tableId()))
                .toList();
        return new PartitionCut(partition(), cut.nextSeq(), tables);
    }

    private static PartitionCut.Table contents(TableCut table) {
        TableSchema schema = table.schema();
        FileSet files = table.files();
        if (files.files().stream().anyMatch(file -> file.schemaVersion() > schema.version())) {
            throw new RefusedException(Refusal.of(
                    ErrorCode.STARTING,
                    "table " + schema.name() + ": the catalog here does not know the newest schema of its files yet"));
        }
        long through = Math.max(files.flushedThrough() + 1, table.firstBufferedSeq());
        return new PartitionCut.Table(schema, Math.min(table.nextSeq(), through), files.files(), files.deletes());
    }

    /**
     * Serves this replica's files to other nodes.
     *
     * @throws RefusedException the replica is not open
     */
    public ReplicaFiles files() {
        ReplicaFiles now = transfers;
        if (now == null) {
            throw closed();
        }
        return now;
    }

    @Override
    public LogPosition restore(Path directory) {
        try {
            closeFiles();
            this.directory = directory;
            OpenReplica opened = OpenReplica.open(files, directory, identity, settings, store, counters);
            ReplicaFiles serving = new ReplicaFiles(directory, System::nanoTime);
            serving.clean();
            transfers = serving;
            open = opened;
            count(opened);
            feed.open(opened.history(), opened.definitions(), opened.head());
            return opened.position();
        } catch (IOException e) {
            throw new UncheckedIOException("partition " + partition() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public byte[] apply(LogPosition position, long leaderClockNanos, ByteBuffer entry) {
        OpenReplica now = opened();
        try {
            counters.entryBytes += entry.remaining();
            OpenReplica.Applied applied = now.apply(position.term(), leaderClockNanos, entry);
            count(now);
            feed.advance(applied.record(), applied.head());
            return applied.reply();
        } catch (IOException e) {
            throw new UncheckedIOException("partition " + partition() + ": applying entry " + position.index(), e);
        }
    }

    @Override
    public LogPosition snapshot(LogPosition position) {
        OpenReplica now = opened();
        try {
            now.snapshot(position);
            sideFiles.bringUpToDate(now);
            now.mergeKeys(background);
            return position;
        } catch (IOException e) {
            throw new UncheckedIOException("partition " + partition() + ": snapshot at " + position.index(), e);
        }
    }

    @Override
    public CompletionStage<LogPosition> install(String leaderNodeId) {
        try {
            Path target = Objects.requireNonNull(directory, "install before restore");
            ReplicaFolder folder = new ReplicaFolder(files, target);
            ReplicaManifest local = folder.readManifest();
            String current = local == null ? ReplicaFolder.FIRST : local.folder();
            try (ReplicaSource.Transfer transfer = source.open(leaderNodeId, partition(), generation())) {
                ReplicaInstaller installer = new ReplicaInstaller(files, folder, current, local);
                return CompletableFuture.completedFuture(installer.install(transfer, partition(), generation()));
            }
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void leadership(boolean leads, @Nullable String leader, long term) {
        leadership = new Leadership(leads, leader, term);
    }

    @Override
    public void close() {
        try {
            closeFiles();
        } catch (IOException e) {
            throw new UncheckedIOException("partition " + partition() + ": closing", e);
        }
    }

    /** @throws RefusedException the replica is not open */
    OpenReplica opened() {
        OpenReplica now = open;
        if (now == null) {
            throw closed();
        }
        return now;
    }

    private void closeFiles() throws IOException {
        OpenReplica now = open;
        open = null;
        feed.close();
        leadership = new Leadership(false, null, leadership.term());
        if (now != null) {
            budget.add(-countedRows, -countedBytes);
            countedRows = 0;
            countedBytes = 0;
            now.close();
        }
    }

    /** Brings the node's budget up to date with what this replica holds. */
    private void count(OpenReplica now) {
        long rows = now.bufferedRows();
        long bytes = now.bufferedBytes();
        if (rows != countedRows || bytes != countedBytes) {
            budget.add(rows - countedRows, bytes - countedBytes);
            countedRows = rows;
            countedBytes = bytes;
        }
    }

    private RefusedException closed() {
        return new RefusedException(
                Refusal.of(ErrorCode.STARTING, "partition " + partition() + ": this replica is not open"));
    }
}
