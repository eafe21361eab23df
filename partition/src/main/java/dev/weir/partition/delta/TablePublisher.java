package dev.weir.partition.delta;

import dev.weir.partition.engine.PartitionFiles;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.file.DataFileFooter;
import dev.weir.partition.file.FileColumn;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.store.ObjectStore;
import io.delta.kernel.exceptions.KernelEngineException;
import io.delta.kernel.exceptions.KernelException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes tables as Delta Lake: a round looks at the newest version, asks what partitions have now, and commits the difference. Of two that run at once one
 * commits and the other fails and begins anew; each asks after it has read the version on which it builds, so none goes back behind it.
 *
 * <p>Blocks on the store; used by one thread.
 */
public final class TablePublisher {
    private static final Logger LOG = LoggerFactory.getLogger(TablePublisher.class);

    /** A version is written for a new cut alone where the last one is so old. */
    private static final long CUT_MS_MAX = 3_600_000;

    private static final int FOOTERS_MAX = 4096;

    private final ObjectStore store;
    private final Path temporary;
    private final LongSupplier clockMs;
    private final Map<String, DataFileFooter> footers = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, DataFileFooter> eldest) {
            return size() > FOOTERS_MAX;
        }
    };

    /**
     * @param temporary a folder on this node's disk for objects being written
     * @param clockMs wall clock, since 1970
     */
    public TablePublisher(ObjectStore store, Path temporary, LongSupplier clockMs) {
        this.store = store;
        this.temporary = temporary;
        this.clockMs = clockMs;
    }

    /** What every partition of the map has of the table now, asked of their leaders. */
    public interface Partitions {
        List<PartitionFiles> files() throws IOException, InterruptedException;
    }

    /**
     * What a round came to.
     *
     * @param version committed; empty where there was nothing to commit
     * @param files of the newest version
     * @param through per partition one past the last event that the newest version reflects for certain
     * @param rewrites what has to be merged before more can be published; none: the newest version is all that there is in files
     */
    public record Round(OptionalLong version, int files, SortedMap<Integer, Long> through, List<Rewrite> rewrites) {
        public Round {
            rewrites = List.copyOf(rewrites);
        }
    }

    /** Keys of the data files that the newest version names; none where there is no log. */
    public Set<String> keys(String prefix) throws IOException, InterruptedException {
        return kernel(prefix, () -> keys(prefix, new DeltaLog(store, prefix, temporary).read()));
    }

    private static Set<String> keys(String prefix, PublishedTable table) {
        Set<String> keys = new HashSet<>();
        table.groups().values().forEach(files -> files.forEach(file -> keys.add(prefix + file.path())));
        return keys;
    }

    /**
     * @param schema the table's newest, taken after the partitions have answered
     * @throws IOException the store, a partition or another publisher came between; nothing is lost, the next round goes on
     */
    public Round round(String prefix, Partitions partitions, Supplier<TableSchema> schema)
            throws IOException, InterruptedException {
        DeltaLog log = new DeltaLog(store, prefix, temporary);
        return kernel(prefix, () -> {
            PublishedTable base = base(log);
            List<PartitionFiles> now = partitions.files();
            return round(log, prefix, base, now, schema.get());
        });
    }

    /** What is left of a log that was swept while the table was not published is of no use to anybody: a new one begins. */
    private static PublishedTable base(DeltaLog log) throws IOException, InterruptedException {
        try {
            return log.read();
        } catch (BrokenLogException e) {
            LOG.warn("{}; the table is published anew", e.getMessage());
            return log.remove();
        }
    }

    private interface Work<T> {
        T run() throws IOException, InterruptedException;
    }

    /** What Kernel throws of what went wrong outside of it. */
    private static <T> T kernel(String prefix, Work<T> work) throws IOException, InterruptedException {
        try {
            return work.run();
        } catch (UncheckedIOException | KernelException | KernelEngineException e) {
            Throwable cause = e.getCause();
            throw new IOException(prefix + ": " + e.getMessage() + (cause == null ? "" : ": " + cause.getMessage()), e);
        }
    }

    private Round round(DeltaLog log, String prefix, PublishedTable base, List<PartitionFiles> now, TableSchema schema)
            throws IOException, InterruptedException {
        Map<Integer, Column> columns = new HashMap<>();
        schema.columns().forEach(column -> columns.put(column.id(), column));
        Map<String, DataFileFooter> read = new HashMap<>();
        Set<String> published = keys(prefix, base);
        boolean retyped = DeltaLog.isRetyped(base, schema);
        for (PartitionFiles partition : now) {
            for (StoredFile file : partition.files()) {
                if (retyped || !published.contains(file.key())) {
                    read.put(file.key(), footer(file, schema));
                }
            }
        }
        PublishPlan plan =
                PublishPlan.of(base, prefix, now, file -> hasOtherTypes(read.get(file.key()), columns), retyped);
        int files = published.size();
        long nowMs = clockMs.getAsLong();
        boolean due = plan.changesFiles() || DeltaLog.hasOtherSchema(base, schema) || isCutDue(log, base, plan, nowMs);
        if (plan.held() || !due) {
            return new Round(OptionalLong.empty(), files, base.through(), plan.rewrites());
        }
        long version = log.commit(base, schema, plan, key -> Objects.requireNonNull(read.get(key), key), nowMs);
        if (version > 0 && version % TableProperties.CHECKPOINT_INTERVAL == 0) {
            log.checkpoint(nowMs);
        }
        return new Round(
                OptionalLong.of(version),
                files + plan.adds().size() - plan.removes().size(),
                plan.through(),
                plan.rewrites());
    }

    private static boolean isCutDue(DeltaLog log, PublishedTable base, PublishPlan plan, long nowMs) {
        return !plan.through().equals(base.through()) && nowMs - log.writtenAtMs(base) >= CUT_MS_MAX;
    }

    private DataFileFooter footer(StoredFile file, TableSchema schema) throws IOException {
        DataFileFooter footer = footers.get(file.key());
        if (footer == null) {
            footer = DataFileFooter.read(new StoreParquetFile(store, file.key(), file.bytes()));
            footers.put(file.key(), footer);
        }
        if (footer.info().schemaVersion() > schema.version()) {
            throw new IOException(
                    "file " + file.key() + ": schema version " + footer.info().schemaVersion() + ", expected at most "
                            + schema.version() + ": the catalog here is behind");
        }
        return footer;
    }

    /** @param footer null for a file that was published under the types of today */
    private static boolean hasOtherTypes(@Nullable DataFileFooter footer, Map<Integer, Column> columns) {
        if (footer == null) {
            return false;
        }
        for (FileColumn inFile : footer.info().columns()) {
            Column now = columns.get(inFile.column().id());
            if (now != null && now.type() != inFile.column().type()) {
                return true;
            }
        }
        return false;
    }
}
