package dev.weir.wal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Brings a folder to exactly what a manifest says: other segments and unfinished fetches go, the last file is cut to its length and checked byte by byte.
 * Sealed files are checked by length; their records are checked when they are read.
 */
final class SegmentRecovery {
    private static final int CHECK_BYTES = 256 << 10;

    private final SegmentFiles files;
    private final Path directory;
    private final SegmentManifest manifest;

    SegmentRecovery(SegmentFiles files, Path directory, SegmentManifest manifest) {
        this.files = files;
        this.directory = directory;
        this.manifest = manifest;
    }

    /** What a log opens with: its segments, and the writer of the last one unless that is sealed. */
    record Recovered(SegmentView view, @Nullable SegmentWriter writer) {}

    Recovered recover() throws IOException {
        checkManifest();
        files.createDirectories(directory);
        removeUnnamed();
        List<Segment> segments = new ArrayList<>();
        SegmentWriter writer = null;
        for (SegmentFile file : manifest.files()) {
            if (file.sealed()) {
                segments.add(sealed(file));
            } else {
                writer = active(file);
                segments.add(writer.segment());
            }
        }
        return new Recovered(new SegmentView(segments, manifest.nextSeq()), writer);
    }

    /** Reads every file the manifest names, whole, and compares its checksum. */
    void verifyAll() throws IOException {
        checkManifest();
        for (SegmentFile file : manifest.files()) {
            Path path = directory.resolve(file.name());
            try (SegmentFiles.OpenFile in = open(path, file)) {
                check(file, in);
            }
        }
    }

    private void checkManifest() throws IOException {
        long seq = manifest.oldestSeq();
        for (int i = 0; i < manifest.files().size(); i++) {
            SegmentFile file = manifest.files().get(i);
            boolean last = i == manifest.files().size() - 1;
            expect(file.name(), "name", SegmentFormat.fileName(file.firstSeq()), file.name());
            expect(file.name(), "first seq", seq, file.firstSeq());
            expect(file.name(), "sealed unless last", true, file.sealed() || last);
            expect(file.name(), "next seq behind the first", true, file.nextSeq() > file.firstSeq());
            expect(file.name(), "bytes of a record", true, file.bytes() > SegmentFormat.FILE_HEADER_BYTES);
            seq = file.nextSeq();
        }
        expect("manifest", "next seq", seq, manifest.nextSeq());
    }

    private void removeUnnamed() throws IOException {
        Set<String> named = manifest.files().stream().map(SegmentFile::name).collect(Collectors.toSet());
        boolean removed = false;
        for (String name : files.list(directory)) {
            if (SegmentFetch.isPart(name) || (SegmentFormat.isFileName(name) && !named.contains(name))) {
                files.delete(directory.resolve(name));
                removed = true;
            }
        }
        if (removed) {
            files.syncDirectory(directory);
        }
    }

    private Segment sealed(SegmentFile file) throws IOException {
        Path path = directory.resolve(file.name());
        try (SegmentFiles.OpenFile in = open(path, file)) {
            long size = in.size();
            if (size != file.bytes()) {
                throw SegmentFormat.damaged(file.name(), size, "bytes of a sealed segment", file.bytes(), size);
            }
        }
        return new Segment(path, new SharedFile(files, path), file);
    }

    private SegmentWriter active(SegmentFile file) throws IOException {
        Path path = directory.resolve(file.name());
        SegmentFiles.OpenFile in = open(path, file);
        try {
            if (in.size() > file.bytes()) {
                in.truncate(file.bytes());
                in.force();
            }
            Segment segment = new Segment(path, new SharedFile(files, path, in), file);
            CRC32C running = check(file, in);
            index(segment, file, in);
            return new SegmentWriter(segment, in, running);
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    /** Refuses bytes that are not those which the manifest speaks of. Returns their checksum, to be continued. */
    static CRC32C check(SegmentFile file, SegmentFiles.OpenFile in) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(SegmentFormat.FILE_HEADER_BYTES);
        in.read(header, 0);
        SegmentFormat.checkFileHeader(header.flip(), file.name(), file.firstSeq());
        CRC32C running = running(file, in);
        int found = (int) running.getValue();
        if (found != file.crc32c()) {
            throw SegmentFormat.damaged(
                    file.name(),
                    0,
                    "checksum of the first " + file.bytes() + " bytes",
                    SegmentFormat.hex(file.crc32c()),
                    SegmentFormat.hex(found));
        }
        return running;
    }

    /** The checksum of as many bytes as the manifest names, which are there. */
    static int checksum(SegmentFile file, SegmentFiles.OpenFile in) throws IOException {
        return (int) running(file, in).getValue();
    }

    private static CRC32C running(SegmentFile file, SegmentFiles.OpenFile in) throws IOException {
        CRC32C running = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(CHECK_BYTES, file.bytes()));
        for (long offset = 0; offset < file.bytes(); offset += buffer.limit()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), file.bytes() - offset));
            int found = in.read(buffer, offset);
            if (found < buffer.limit()) {
                throw SegmentFormat.damaged(file.name(), offset, "bytes", buffer.limit(), found);
            }
            running.update(buffer.flip());
        }
        return running;
    }

    private static void index(Segment segment, SegmentFile file, SegmentFiles.OpenFile in) throws IOException {
        SparseIndex.Point start = new SparseIndex.Point(file.firstSeq(), SegmentFormat.FILE_HEADER_BYTES);
        RecordScan scan = new RecordScan(file.name(), in, start, file.bytes());
        RecordHeader header;
        do {
            header = scan.next();
            segment.index(header, scan.offset());
        } while (scan.offset() + header.recordBytes() < file.bytes());
        expect(file.name(), "next seq", file.nextSeq(), header.nextSeq());
    }

    private SegmentFiles.OpenFile open(Path path, SegmentFile file) throws IOException {
        try {
            SegmentFiles.OpenFile in = files.open(path);
            long size = in.size();
            if (size < file.bytes()) {
                in.close();
                throw SegmentFormat.damaged(file.name(), size, "bytes", "at least " + file.bytes(), size);
            }
            return in;
        } catch (NoSuchFileException e) {
            throw new IOException("file " + path + ": expected " + file.bytes() + " bytes, found no such file", e);
        }
    }

    private static void expect(String file, String what, Object expected, Object found) throws IOException {
        if (!expected.equals(found)) {
            throw new IOException(
                    "file " + file + ": " + what + ": manifest: expected " + expected + ", found " + found);
        }
    }
}
