package dev.weir.partition.engine;

import dev.weir.partition.model.TableSchema;
import dev.weir.wal.segment.FileSegmentLog;
import dev.weir.wal.segment.SegmentConfig;
import dev.weir.wal.segment.SegmentFiles;
import dev.weir.wal.segment.SegmentLog;
import dev.weir.wal.segment.SegmentManifest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The open files of a replica: its change segments and its definitions. Used by the apply thread; the segments are read by any. */
final class ReplicaLog implements DefinitionFrames.Target, AutoCloseable {
    private final SegmentFiles files;
    private final Path segmentFolder;
    private final SegmentConfig config;
    private final DefinitionsFile definitions;
    private volatile SegmentLog segments;

    private ReplicaLog(
            SegmentFiles files,
            Path segmentFolder,
            SegmentConfig config,
            DefinitionsFile definitions,
            SegmentLog segments) {
        this.files = files;
        this.segmentFolder = segmentFolder;
        this.config = config;
        this.definitions = definitions;
        this.segments = segments;
    }

    /**
     * Opens what a manifest names, or empty files.
     *
     * @param known told of every definition in the file
     */
    static ReplicaLog open(
            SegmentFiles files,
            ReplicaFolder folder,
            @Nullable ReplicaManifest manifest,
            SegmentConfig config,
            DefinitionFrames.Target known)
            throws IOException {
        String data = manifest == null ? ReplicaFolder.FIRST : manifest.folder();
        DefinitionsFile definitions = manifest == null
                ? DefinitionsFile.create(files, folder.definitions(data))
                : DefinitionsFile.open(files, folder.definitions(data), manifest.definitions(), known);
        try {
            SegmentManifest segments = manifest == null ? SegmentManifest.empty(1) : manifest.segments();
            Path segmentFolder = folder.segments(data);
            SegmentLog log = FileSegmentLog.open(files, segmentFolder, segments, config);
            return new ReplicaLog(files, segmentFolder, config, definitions, log);
        } catch (IOException | RuntimeException e) {
            definitions.close();
            throw e;
        }
    }

    SegmentLog segments() {
        return segments;
    }

    Path segmentFolder() {
        return segmentFolder;
    }

    DefinitionsFile definitions() {
        return definitions;
    }

    /** The partition's first event will have another seq than 1; nothing was appended yet. */
    void beginAt(long firstSeq) throws IOException {
        segments.close();
        segments = FileSegmentLog.open(files, segmentFolder, SegmentManifest.empty(firstSeq), config);
    }

    @Override
    public void series(int id, int tableId, byte[] tags, long hash) {
        try {
            definitions.series(id, tableId, tags, hash);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void schema(TableSchema schema) {
        try {
            definitions.schema(schema);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        segments.close();
        definitions.close();
    }
}
