package dev.weir.node.server;

import dev.weir.node.config.NodeConfig;
import dev.weir.node.image.ClusterImages;
import dev.weir.node.image.DataFiles;
import dev.weir.node.image.PartitionImages;
import dev.weir.node.ingest.HealthCheck;
import dev.weir.node.internal.ImageRouter;
import dev.weir.node.internal.ReadRouter;
import dev.weir.node.publish.PartitionPort;
import dev.weir.node.publish.Publisher;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.delta.TablePublisher;
import dev.weir.partition.engine.CachedSegments;
import dev.weir.partition.engine.CutStore;
import dev.weir.partition.engine.FilePlace;
import dev.weir.partition.engine.History;
import dev.weir.partition.engine.PartitionFiles;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.store.DataFileKeys;
import dev.weir.partition.store.FileCache;
import dev.weir.partition.store.ObjectStore;
import dev.weir.partition.store.StoreClaim;
import dev.weir.query.sql.run.QueryRegistry;
import dev.weir.query.sql.run.SqlEngine;
import dev.weir.query.sql.run.SqlPorts;
import dev.weir.query.sql.statement.ClusterQueries;
import dev.weir.query.sql.statement.TableStatements;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** The object store, what this node keeps of it, and SQL over files and buffers: the parts that go together. */
final class TableFiles implements AutoCloseable {
    private static final String FILE_SCHEME = "file";

    private final NodeConfig config;
    private final ExecutorService blocking;
    private final ObjectStore store;
    private final FileCache cache;
    private final CachedSegments segments;
    private final StoreTrial trial;
    private final DataFiles dataFiles;
    private final Path cacheFolder;
    private final Path temporary;
    private final BufferAllocator allocator = new RootAllocator();

    private TableFiles(NodeConfig config, ExecutorService blocking, ObjectStore store) throws IOException {
        this.config = config;
        this.blocking = blocking;
        this.store = store;
        this.cacheFolder = config.dataDir().resolve("cache");
        this.cache = FileCache.open(cacheFolder, config.files().cacheBytesMax(), store);
        this.dataFiles = new DataFiles(cache);
        this.segments = new CachedSegments(cache, blocking);
        this.temporary = emptied(config.dataDir().resolve("unfinished"));
        this.trial = StoreTrial.start(store);
    }

    /** @throws IOException a folder can't be made */
    static TableFiles open(NodeConfig config, ExecutorService blocking) throws IOException {
        ObjectStore store = ObjectStore.open(config.files().store());
        try {
            TableFiles opened = new TableFiles(config, blocking, store);
            return opened;
        } catch (IOException | RuntimeException e) {
            store.close();
            throw e;
        }
    }

    void meter(MeterRegistry registry) {
        StoreMeters.register(registry, cache);
        StoreMeters.register(registry, trial);
        HistoryMeters.register(registry, segments, config.storage().localBytes());
    }

    /** @param catalog known once replicas are open */
    Replicas.Files forReplicas(Catalog catalog) {
        return new Replicas.Files(
                new FilePlace(
                        cache,
                        claim(catalog::image),
                        temporary,
                        new TablePublications(
                                catalog,
                                new TablePublisher(store, temporary, System::currentTimeMillis),
                                new HeldByLeases(catalog, Clock.systemUTC()))),
                config.files().policy(),
                segments,
                new PartitionImages(allocator, config.sql().bufferBytesMax()));
    }

    /** What is wrong with the store, as this node finds it. */
    List<HealthCheck> checks() {
        return StoreChecks.of(trial, store.metrics());
    }

    /** Tenant → bytes of its files at hand here. */
    Map<String, Long> heldBytes() {
        return dataFiles.heldBytes();
    }

    /** @param leads this node leads the catalog */
    Publisher publisher(BooleanSupplier leads, Catalog catalog, ReadRouter reads) {
        return new Publisher(
                leads,
                catalog,
                new PartitionPort() {
                    @Override
                    public CompletionStage<PartitionFiles> tableFiles(int partition, int tableId) {
                        return reads.tableFiles(partition, tableId);
                    }

                    @Override
                    public CompletionStage<Boolean> rewrite(int partition, int tableId, List<String> keys) {
                        return reads.rewrite(partition, tableId, keys);
                    }
                },
                claim(catalog::image),
                new TablePublisher(store, temporary, System::currentTimeMillis),
                config.files().publishInterval());
    }

    /** Tables as they once stood. */
    History history(ReadRouter reads) {
        return new StoredHistory(reads, new CutStore(store, temporary), cache);
    }

    /** Where a table's files lie. */
    String location(TableSchema table) {
        return store.url() + "/" + DataFileKeys.tablePrefix(table.tenant(), table.name(), table.tableId());
    }

    private StoreClaim claim(Supplier<CatalogImage> catalog) {
        return new StoreClaim(store, temporary, () -> catalog.get().clusterId());
    }

    /** SQL, once partitions can be read. Closed by who asked for it. */
    SqlEngine sql(
            Catalog catalog,
            ReadRouter reads,
            ImageRouter imageRouter,
            TableStatements statements,
            Function<QueryRegistry, ClusterQueries> queries,
            String self,
            MeterRegistry meters)
            throws IOException {
        Path spill = Files.createDirectories(config.dataDir().resolve("spill"));
        return new SqlEngine(
                new SqlPorts(
                        catalog,
                        new ClusterImages(catalog, reads, imageRouter, dataFiles, Clock.systemUTC(), blocking),
                        statements,
                        queries),
                config.sql().sql(),
                self,
                List.of(readable()),
                spill,
                meters);
    }

    /** Files of the store are read where they are, those of a bucket in the cache. */
    private Path readable() throws IOException {
        var url = config.files().store().url();
        Path folder = FILE_SCHEME.equals(url.getScheme()) ? Path.of(url) : cacheFolder;
        return Files.createDirectories(folder).toAbsolutePath();
    }

    private static Path emptied(Path folder) throws IOException {
        Files.createDirectories(folder);
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder)) {
            for (Path file : left) {
                Files.delete(file);
            }
        }
        return folder;
    }

    @Override
    public void close() {
        trial.close();
        cache.close();
        store.close();
        allocator.close();
    }
}
