package dev.weir.partition.delta;

import dev.weir.partition.file.DataFileFooter;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.store.ObjectEntry;
import dev.weir.partition.store.ObjectStore;
import io.delta.kernel.Operation;
import io.delta.kernel.TableManager;
import io.delta.kernel.data.FilteredColumnarBatch;
import io.delta.kernel.data.Row;
import io.delta.kernel.internal.InternalScanFileUtils;
import io.delta.kernel.internal.SnapshotImpl;
import io.delta.kernel.internal.TransactionImpl;
import io.delta.kernel.internal.actions.AddFile;
import io.delta.kernel.internal.actions.Format;
import io.delta.kernel.internal.actions.Metadata;
import io.delta.kernel.internal.actions.Protocol;
import io.delta.kernel.internal.actions.SingleAction;
import io.delta.kernel.internal.checkpoints.CheckpointMetaData;
import io.delta.kernel.internal.checkpoints.Checkpointer;
import io.delta.kernel.internal.commit.DefaultFileSystemManagedTableOnlyCommitter;
import io.delta.kernel.internal.fs.Path;
import io.delta.kernel.internal.replay.CreateCheckpointIterator;
import io.delta.kernel.internal.snapshot.MetadataCleanup;
import io.delta.kernel.internal.types.DataTypeJsonSerDe;
import io.delta.kernel.internal.util.ColumnMapping;
import io.delta.kernel.internal.util.FileNames;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.internal.util.VectorUtils;
import io.delta.kernel.types.DataType;
import io.delta.kernel.types.StringType;
import io.delta.kernel.types.StructType;
import io.delta.kernel.utils.CloseableIterable;
import io.delta.kernel.utils.CloseableIterator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;

/**
 * The Delta log of one table, in {@code _delta_log/} beside its data files. A commit holds only where no other came since the version that it builds on.
 * Blocks on the store; used by one thread.
 */
final class DeltaLog {
    static final String FOLDER = "_delta_log/";

    private static final String WRITER = "Weir";
    private static final int PAGE = 1000;
    private static final PublishedTable NONE = PublishedTable.of(null, List.of(), new TreeMap<>());
    private static final int READER_VERSION = 3;
    private static final int WRITER_VERSION = 7;
    private static final String COLUMN_MAPPING = "columnMapping";
    /** No other writer knows this feature, so none writes here, and none removes files that it takes for left over. */
    private static final String ONLY_WEIR_WRITES = "weirPublished";

    private final ObjectStore store;
    private final String prefix;
    private final StoreEngine engine;
    private final Path table;

    /**
     * @param prefix of the table's keys, with a slash at its end
     * @param temporary a folder on this node's disk
     */
    DeltaLog(ObjectStore store, String prefix, java.nio.file.Path temporary) {
        this.store = store;
        this.prefix = prefix;
        this.engine = new StoreEngine(store, temporary);
        this.table = new Path(StoreFileIO.path(prefix.substring(0, prefix.length() - 1)));
    }

    /**
     * The newest version; one without a snapshot where the table has no log.
     *
     * @throws BrokenLogException parts of the log are gone, as when the table was not published for a while: {@link #remove} it, and begin anew
     */
    PublishedTable read() throws IOException, InterruptedException {
        LogFiles files = files();
        if (files.isEmpty()) {
            return NONE;
        }
        if (!files.isWhole()) {
            throw new BrokenLogException(prefix + FOLDER + ": parts are missing, found " + files);
        }
        return newest();
    }

    /** Removes all of the log; returns the version of a table without one. */
    PublishedTable remove() throws IOException, InterruptedException {
        for (String key : files().keys()) {
            store.delete(key);
        }
        return NONE;
    }

    private LogFiles files() throws IOException, InterruptedException {
        List<String> keys = new ArrayList<>();
        String after = "";
        for (List<ObjectEntry> page = store.list(prefix + FOLDER, after, PAGE);
                !page.isEmpty();
                page = store.list(prefix + FOLDER, after, PAGE)) {
            page.forEach(entry -> keys.add(entry.key()));
            after = page.getLast().key();
        }
        return new LogFiles(keys);
    }

    private PublishedTable newest() throws IOException {
        SnapshotImpl snapshot =
                (SnapshotImpl) TableManager.loadSnapshot(table.toString()).build(engine);
        List<PublishedFile> files = new ArrayList<>();
        try (CloseableIterator<FilteredColumnarBatch> batches =
                snapshot.getScanBuilder().build().getScanFiles(engine)) {
            while (batches.hasNext()) {
                try (CloseableIterator<Row> rows = batches.next().getRows()) {
                    while (rows.hasNext()) {
                        Row add = rows.next().getStruct(InternalScanFileUtils.ADD_FILE_ORDINAL);
                        files.add(PublishedFile.of(new AddFile(add)));
                    }
                }
            }
        }
        return PublishedTable.of(snapshot, files, TableProperties.through(snapshot.getTableProperties()));
    }

    /** Whether the version's columns are not these. */
    static boolean hasOtherSchema(PublishedTable base, TableSchema schema) {
        SnapshotImpl snapshot = base.snapshot();
        return snapshot == null || !snapshot.getSchema().equals(DeltaSchema.of(schema));
    }

    /** Whether a column of the version has another type than it has today. */
    static boolean isRetyped(PublishedTable base, TableSchema schema) {
        SnapshotImpl snapshot = base.snapshot();
        if (snapshot == null) {
            return false;
        }
        Map<Integer, DataType> types = new HashMap<>();
        snapshot.getSchema()
                .fields()
                .forEach(field -> types.put(ColumnMapping.getColumnId(field), field.getDataType()));
        return schema.columns().stream()
                .anyMatch(column -> types.containsKey(column.id())
                        && !DeltaSchema.type(column).equals(types.get(column.id())));
    }

    /** When the version was committed; 0 where there is none. */
    long writtenAtMs(PublishedTable base) {
        SnapshotImpl snapshot = base.snapshot();
        return snapshot == null ? 0 : snapshot.getTimestamp(engine);
    }

    /**
     * Commits the version after {@code base}; returns its number.
     *
     * @param footers of the files that are added
     */
    long commit(
            PublishedTable base,
            TableSchema schema,
            PublishPlan plan,
            Function<String, DataFileFooter> footers,
            long nowMs) {
        StructType columns = DeltaSchema.of(schema);
        List<Row> actions = new ArrayList<>();
        for (PublishPlan.Removal removal : plan.removes()) {
            actions.add(SingleAction.createRemoveFileSingleAction(
                    removal.file().add().toRemoveFileRow(!removal.sameRows(), Optional.of(nowMs))));
        }
        for (PublishPlan.Addition addition : plan.adds()) {
            actions.add(SingleAction.createAddFileSingleAction(
                    add(addition, columns, footers.apply(addition.file().key()), nowMs)));
        }
        SnapshotImpl snapshot = base.snapshot();
        TransactionImpl transaction = new TransactionImpl(
                snapshot == null,
                table,
                Optional.ofNullable(snapshot),
                WRITER,
                snapshot == null ? Operation.CREATE_TABLE : Operation.WRITE,
                snapshot == null ? Optional.of(protocol()) : Optional.empty(),
                Optional.of(metadata(base, schema, columns, plan, nowMs)),
                DefaultFileSystemManagedTableOnlyCommitter.INSTANCE,
                Optional.empty(),
                Optional.empty(),
                // What was planned on an older version is planned anew, not rebased.
                Optional.of(0),
                0,
                () -> nowMs);
        return transaction
                .commit(engine, CloseableIterable.inMemoryIterable(Utils.toCloseableIterator(actions.iterator())))
                .getVersion();
    }

    /** Writes a checkpoint of the newest version and removes what of the log is older than the retention. */
    void checkpoint(long nowMs) throws IOException {
        SnapshotImpl snapshot =
                (SnapshotImpl) TableManager.loadSnapshot(table.toString()).build(engine);
        Path log = snapshot.getLogPath();
        long adds;
        try (CreateCheckpointIterator rows = snapshot.getCreateCheckpointIterator(engine)) {
            // All is read before anything is written: a checkpoint that lacks rows would be believed.
            List<FilteredColumnarBatch> all = rows.toInMemoryList();
            engine.getParquetHandler()
                    .writeParquetFileAtomically(
                            FileNames.checkpointFileSingular(log, snapshot.getVersion())
                                    .toString(),
                            Utils.toCloseableIterator(all.iterator()));
            adds = rows.getNumberOfAddActions();
        }
        new Checkpointer(log)
                .writeLastCheckpointFile(engine, new CheckpointMetaData(snapshot.getVersion(), adds, Optional.empty()));
        MetadataCleanup.cleanupExpiredLogs(engine, () -> nowMs, table, TableProperties.LOG_RETENTION.toMillis());
    }

    private Row add(PublishPlan.Addition addition, StructType columns, DataFileFooter footer, long nowMs) {
        FileGroup group = addition.group();
        return AddFile.createAddFileRow(
                FileStatistics.physical(columns),
                addition.file().key().substring(prefix.length()),
                VectorUtils.stringStringMapValue(Map.of(
                        DeltaSchema.DATE, LocalDate.ofEpochDay(group.day()).toString())),
                addition.file().bytes(),
                nowMs,
                !addition.sameRows(),
                Optional.empty(),
                Optional.of(VectorUtils.stringStringMapValue(PublishedFile.tags(
                        group,
                        addition.file().rows(),
                        addition.file().firstSeq(),
                        addition.file().lastSeq()))),
                Optional.empty(),
                Optional.empty(),
                Optional.of(FileStatistics.of(addition.file(), footer, columns)));
    }

    private Metadata metadata(
            PublishedTable base, TableSchema schema, StructType columns, PublishPlan plan, long nowMs) {
        SnapshotImpl snapshot = base.snapshot();
        Map<String, String> properties =
                snapshot == null ? new HashMap<>() : new HashMap<>(snapshot.getTableProperties());
        properties.putAll(TableProperties.of(schema, plan.through()));
        return new Metadata(
                UUID.nameUUIDFromBytes(prefix.getBytes(StandardCharsets.UTF_8)).toString(),
                Optional.of(schema.name()),
                Optional.empty(),
                new Format(),
                DataTypeJsonSerDe.serializeStructType(columns),
                columns,
                VectorUtils.buildArrayValue(List.of(DeltaSchema.DATE), StringType.STRING),
                snapshot == null ? Optional.of(nowMs) : snapshot.getMetadata().getCreatedTime(),
                VectorUtils.stringStringMapValue(properties));
    }

    private static Protocol protocol() {
        return new Protocol(
                READER_VERSION, WRITER_VERSION, Set.of(COLUMN_MAPPING), Set.of(COLUMN_MAPPING, ONLY_WEIR_WRITES));
    }
}
