package dev.weir.wal.segment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link SegmentLog} in one folder.
 *
 * <p>An append is a write to the page cache, nothing more; every 8 MiB are brought to the disk on a thread of their own. A trimmed file vanishes from readers at once and from the disk one sync
 * later, when the manifest that leaves it out is durable: before that, a crash would bring it back.
 *
 * <p>Memory: 72 KiB of scratch space outside the heap while it is written to, and about 6 KiB of index for each 64 MiB that were searched. Open files: the
 * active one, those sealed since the last sync, and those being read.
 */
public final class FileSegmentLog implements SegmentLog {
    private final SegmentFiles files;
    private final Path directory;
    private final SegmentConfig config;
    private final ReadHints hints = new ReadHints();
    private volatile SegmentView view;
    private volatile boolean closed;

    private final List<SegmentWriter> sealedSinceSync = new ArrayList<>();
    private final List<Segment> trimmedSinceSync = new ArrayList<>();
    private final List<Segment> trimmedBeforeSync = new ArrayList<>();
    private final WriteBack writeBack = new WriteBack();
    private @Nullable RecordBuffer buffer;
    private @Nullable SegmentWriter writer;
    private boolean namesChanged;
    private @Nullable Exception failure;

    private FileSegmentLog(
            SegmentFiles files, Path directory, SegmentConfig config, SegmentRecovery.Recovered recovered) {
        this.files = files;
        this.directory = directory;
        this.config = config;
        this.view = recovered.view();
        this.writer = recovered.writer();
    }

    /**
     * Opens the log that {@code manifest} describes: files and bytes beyond it are removed, the last file's checksum is compared, the lengths
     * of the others.
     *
     * @throws IOException a file is missing, too short or not the one that the manifest speaks of; the message names it, with what was
     *     expected and found
     */
    public static FileSegmentLog open(
            SegmentFiles files, Path directory, SegmentManifest manifest, SegmentConfig config) throws IOException {
        return new FileSegmentLog(files, directory, config, new SegmentRecovery(files, directory, manifest).recover());
    }

    /**
     * Reads every file that {@code manifest} names, whole, and compares it with its checksum; for files that came from another replica.
     *
     * @throws IOException as {@link #open}
     */
    public static void verify(SegmentFiles files, Path directory, SegmentManifest manifest) throws IOException {
        new SegmentRecovery(files, directory, manifest).verifyAll();
    }

    @Override
    public long oldestSeq() {
        return view.oldestSeq();
    }

    @Override
    public long nextSeq() {
        return view.nextSeq();
    }

    @Override
    public long bytes() {
        return view.bytes();
    }

    @Override
    public List<SegmentFile> segments() {
        return view.files();
    }

    @Override
    public void append(int count, long committedAtNanos, ByteBuffer payload) throws IOException {
        checkAppend(count, committedAtNanos, payload);
        try {
            RecordHeader header = new RecordHeader(payload.remaining(), nextSeq(), count, committedAtNanos);
            SegmentWriter active = writer;
            if (active != null && active.segment().file().bytes() < config.segmentBytes()) {
                active.append(header, payload, buffer());
            } else {
                active = beginSegment(header, payload);
            }
            writeBack.appended(active.segment(), header.recordBytes());
        } catch (IOException | RuntimeException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public SegmentManifest sync() throws IOException {
        checkUsable();
        try {
            writeBack.finish();
            removeTrimmed();
            for (SegmentWriter sealed : sealedSinceSync) {
                sealed.sync();
                sealed.close();
            }
            sealedSinceSync.clear();
            if (writer != null) {
                writer.sync();
            }
            if (namesChanged) {
                files.syncDirectory(directory);
                namesChanged = false;
            }
        } catch (IOException | RuntimeException e) {
            failure = e;
            throw e;
        }
        trimmedBeforeSync.addAll(trimmedSinceSync);
        trimmedSinceSync.clear();
        SegmentView now = view;
        return new SegmentManifest(now.oldestSeq(), now.nextSeq(), now.files());
    }

    @Override
    public long trim(long seq) throws IOException {
        checkUsable();
        SegmentView before = view;
        SegmentView after = before.from(seq);
        view = after;
        int dropped = before.segments().size() - after.segments().size();
        trimmedSinceSync.addAll(before.segments().subList(0, dropped));
        if (after.segments().isEmpty() && writer != null) {
            sealedSinceSync.add(writer);
            writer = null;
        }
        return after.oldestSeq();
    }

    @Override
    public List<SegmentRecord> read(long fromSeq, int maxBytes) throws IOException {
        checkOpen();
        SegmentView now = view;
        checkKept(now, fromSeq);
        List<SegmentRecord> records = new ArrayList<>();
        try {
            gather(now, fromSeq, maxBytes, records);
        } catch (IOException e) {
            checkOpen();
            checkKept(view, fromSeq);
            throw e;
        }
        checkKept(view, fromSeq);
        return records;
    }

    @Override
    public long seekTime(long committedAtNanos) throws IOException {
        while (true) {
            checkOpen();
            SegmentView now = view;
            Segment segment = now.firstEndingAtOrAfter(committedAtNanos);
            if (segment == null) {
                return now.nextSeq();
            }
            try {
                return segment.seekTime(segment.file(), committedAtNanos);
            } catch (IOException e) {
                checkOpen();
                if (segment.file().firstSeq() >= oldestSeq()) {
                    throw e;
                }
            }
        }
    }

    @Override
    public int copy(SegmentFile file, long offset, ByteBuffer target) throws IOException {
        checkOpen();
        SegmentView now = view;
        checkKept(now, file.firstSeq());
        Segment segment = now.named(file);
        try {
            return segment.copy(file, offset, target);
        } catch (IOException e) {
            checkOpen();
            checkKept(view, file.firstSeq());
            throw e;
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        List<SegmentWriter> open = new ArrayList<>(sealedSinceSync);
        if (writer != null) {
            open.add(writer);
        }
        for (SegmentWriter each : open) {
            try {
                each.close();
            } catch (IOException e) {
                throw new UncheckedIOException("closing " + each.segment().path(), e);
            }
        }
    }

    private SegmentWriter beginSegment(RecordHeader header, ByteBuffer payload) throws IOException {
        SegmentWriter full = writer;
        if (full != null) {
            full.seal();
            sealedSinceSync.add(full);
            writer = null;
        }
        namesChanged = true;
        SegmentWriter next = SegmentWriter.create(files, directory, header, payload, buffer());
        writer = next;
        view = view.with(next.segment());
        return next;
    }

    private void removeTrimmed() throws IOException {
        for (Segment segment : trimmedBeforeSync) {
            files.delete(segment.path());
            namesChanged = true;
        }
        trimmedBeforeSync.clear();
    }

    private void gather(SegmentView now, long fromSeq, int maxBytes, List<SegmentRecord> records) throws IOException {
        long end = now.nextSeq();
        long seq = fromSeq;
        int room = maxBytes;
        boolean more = seq < end;
        while (more) {
            Segment segment = now.segments().get(now.indexOf(seq));
            SegmentFile image = segment.file();
            int before = records.size();
            SparseIndex.Point next = segment.read(image, hints.find(segment, seq), seq, room, before == 0, records);
            hints.put(segment, next);
            for (SegmentRecord record : records.subList(before, records.size())) {
                room -= SegmentFormat.RECORD_HEADER_BYTES + record.payload().remaining();
            }
            seq = next.seq();
            more = seq == image.nextSeq() && seq < end && room > 0;
        }
    }

    private RecordBuffer buffer() {
        RecordBuffer made = buffer;
        if (made == null) {
            made = new RecordBuffer();
            buffer = made;
        }
        return made;
    }

    private void checkAppend(int count, long committedAtNanos, ByteBuffer payload) throws IOException {
        checkUsable();
        if (count < 1) {
            throw new IllegalArgumentException("events of a record: expected at least 1, found " + count);
        }
        if (payload.remaining() > SegmentFormat.PAYLOAD_BYTES_MAX) {
            throw new IllegalArgumentException("payload bytes: expected at most " + SegmentFormat.PAYLOAD_BYTES_MAX
                    + ", found " + payload.remaining());
        }
        if (writer != null && committedAtNanos <= writer.segment().file().lastCommittedAtNanos()) {
            throw new IllegalArgumentException("commit time: expected later than "
                    + writer.segment().file().lastCommittedAtNanos() + ", found " + committedAtNanos);
        }
    }

    private void checkUsable() throws IOException {
        checkOpen();
        if (failure != null) {
            throw new IOException("segments in " + directory + " failed before; open them again", failure);
        }
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException("segments in " + directory + " are closed");
        }
    }

    private static void checkKept(SegmentView now, long seq) throws SeqTrimmedException {
        long oldest = now.oldestSeq();
        if (seq < oldest) {
            throw new SeqTrimmedException(seq, oldest);
        }
    }
}
