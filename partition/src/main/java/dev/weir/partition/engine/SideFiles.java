package dev.weir.partition.engine;

import dev.weir.partition.entry.RecordKeys;
import dev.weir.partition.entry.SeriesDefinition;
import dev.weir.partition.entry.TableEvent;
import dev.weir.partition.model.TableSchema;
import dev.weir.wal.segment.SegmentFile;
import dev.weir.wal.segment.SegmentFiles;
import dev.weir.wal.segment.SegmentLog;
import dev.weir.wal.segment.SegmentRecord;
import dev.weir.wal.segment.SeqTrimmedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes beside each sealed segment which definitions it uses ({@code <segment>.def}, in the form of {@link DefinitionFrames}: schemas, then series
 * by id), so that a reader elsewhere can begin at any segment. Derived from other files: never in a manifest, made again where missing.
 *
 * <p>Called by the apply thread after a snapshot; the work is done by the background executor, once at a time.
 */
final class SideFiles {
    private static final Logger LOG = LoggerFactory.getLogger(SideFiles.class);
    private static final String SUFFIX = ".def";
    private static final String UNFINISHED = ".def.new";
    private static final int READ_BYTES = 4 << 20;

    private final SegmentFiles files;
    private final Executor background;
    private final AtomicBoolean running = new AtomicBoolean();

    SideFiles(SegmentFiles files, Executor background) {
        this.files = files;
        this.background = background;
    }

    void bringUpToDate(OpenReplica replica) {
        if (running.compareAndSet(false, true)) {
            background.execute(() -> {
                try {
                    update(replica.segments(), replica.definitions(), replica.segmentFolder());
                } catch (IOException e) {
                    // Nothing relies on these files yet, and the next snapshot tries again.
                    LOG.debug("side files of {}: {}", replica.segmentFolder(), e.getMessage());
                } finally {
                    running.set(false);
                }
            });
        }
    }

    /** Writes what is missing and removes what belongs to no segment. */
    void update(SegmentLog log, DefinitionTable definitions, Path folder) throws IOException {
        Set<String> present = new HashSet<>(files.list(folder));
        Set<String> wanted = new HashSet<>();
        for (SegmentFile segment : log.segments()) {
            if (segment.sealed()) {
                String name = segment.name() + SUFFIX;
                wanted.add(name);
                if (!present.contains(name)) {
                    write(log, segment, definitions, folder);
                }
            }
        }
        for (String name : present) {
            if ((name.endsWith(SUFFIX) && !wanted.contains(name)) || name.endsWith(UNFINISHED)) {
                files.delete(folder.resolve(name));
            }
        }
    }

    private void write(SegmentLog log, SegmentFile segment, DefinitionTable definitions, Path folder)
            throws IOException {
        Used used = new Used();
        try {
            for (long seq = segment.firstSeq(); seq < segment.nextSeq(); ) {
                List<SegmentRecord> records = log.read(seq, READ_BYTES);
                for (SegmentRecord record : records) {
                    if (record.firstSeq() < segment.nextSeq()) {
                        RecordKeys.read(record, used);
                    }
                    seq = record.nextSeq();
                }
            }
        } catch (SeqTrimmedException e) {
            return;
        }
        Path unfinished = folder.resolve(segment.name() + UNFINISHED);
        if (files.list(folder).contains(segment.name() + UNFINISHED)) {
            files.delete(unfinished);
        }
        try (Frames frames = new Frames(files.create(unfinished))) {
            used.write(definitions, frames);
            frames.finish();
        }
        files.move(unfinished, folder.resolve(segment.name() + SUFFIX));
        files.syncDirectory(folder);
    }

    /** The definitions that records name. */
    private static final class Used implements RecordKeys.Visitor {
        private final BitSet series = new BitSet();
        private final TreeSet<Long> schemas = new TreeSet<>();

        @Override
        public void rows(RecordKeys.Rows rows) {
            schemas.add(schema(rows.tableId(), rows.schemaVersion()));
            for (int id : rows.seriesIds()) {
                series.set(id);
            }
        }

        @Override
        public void event(long seq, TableEvent event) {
            schemas.add(schema(event.tableId(), event.schemaVersion()));
        }

        void write(DefinitionTable definitions, Frames frames) throws IOException {
            for (long each : schemas) {
                TableSchema schema = definitions.schema((int) (each >>> 32), (int) each);
                if (schema != null) {
                    frames.write(DefinitionFrames.schema(schema));
                }
            }
            for (int id = series.nextSetBit(0); id >= 0; id = series.nextSetBit(id + 1)) {
                SeriesDefinition made = definitions.definition(id);
                frames.write(DefinitionFrames.series(id, made.tableId(), made.canonicalTags(), made.hash()));
            }
        }

        private static long schema(int tableId, int version) {
            return (long) tableId << 32 | version;
        }
    }

    /** A file of frames, gathered into larger writes. */
    private static final class Frames implements AutoCloseable {
        private final SegmentFiles.OpenFile file;
        private ByteBuffer pending = ByteBuffer.allocate(64 << 10);
        private long written;

        Frames(SegmentFiles.OpenFile file) {
            this.file = file;
            pending.put(DefinitionFrames.header());
        }

        void write(byte[] frame) throws IOException {
            if (frame.length > pending.remaining()) {
                flush();
            }
            if (frame.length > pending.capacity()) {
                pending = ByteBuffer.allocate(frame.length);
            }
            pending.put(frame);
        }

        void finish() throws IOException {
            flush();
            file.force();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }

        private void flush() throws IOException {
            int count = pending.position();
            file.write(pending.flip(), written);
            written += count;
            pending.clear();
        }
    }
}
