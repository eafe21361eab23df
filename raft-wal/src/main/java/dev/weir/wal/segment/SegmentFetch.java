package dev.weir.wal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings the segments that another replica's manifest names into this replica's folder; what is here already is not fetched again.
 *
 * <p>Each file is written beside its place, under its name and {@code .part}, and takes the place when its checksum is right. Since replicas'
 * files are equal as far as both reach, a crash at any time leaves the folder good for the manifest that this replica had, and after
 * {@link #finish} it is good for the new one.
 *
 * <p>Used by one thread, while nobody appends to a log in the folder; that log's readers go on, its writer must open again.
 */
public final class SegmentFetch {
    private static final String PART = ".part";

    private final SegmentFiles files;
    private final Path directory;
    private final SegmentManifest manifest;

    public SegmentFetch(SegmentFiles files, Path directory, SegmentManifest manifest) {
        this.files = files;
        this.directory = directory;
        this.manifest = manifest;
    }

    static boolean isPart(String name) {
        return name.endsWith(PART) && SegmentFormat.isFileName(name.substring(0, name.length() - PART.length()));
    }

    /** The files of the manifest that are not here with the right checksum, oldest first. Reads what is here. */
    public List<SegmentFile> missing() throws IOException {
        files.createDirectories(directory);
        List<SegmentFile> missing = new ArrayList<>();
        for (SegmentFile file : manifest.files()) {
            if (!isHere(file)) {
                missing.add(file);
            }
        }
        return missing;
    }

    /** Begins to receive a file; a part left by an earlier try is dropped. */
    public Part begin(SegmentFile file) throws IOException {
        Path part = directory.resolve(file.name() + PART);
        if (files.list(directory).contains(file.name() + PART)) {
            files.delete(part);
        }
        return new Part(file, part, files.create(part));
    }

    /** Makes the new names durable. The manifest may be made durable after this, and the log opened with it. */
    public void finish() throws IOException {
        files.syncDirectory(directory);
    }

    private boolean isHere(SegmentFile file) throws IOException {
        try (SegmentFiles.OpenFile in = files.open(directory.resolve(file.name()))) {
            long size = in.size();
            boolean length = file.sealed() ? size == file.bytes() : size >= file.bytes();
            return length && SegmentRecovery.checksum(file, in) == file.crc32c();
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** A file on its way. */
    public final class Part implements AutoCloseable {
        private final SegmentFile file;
        private final Path path;
        private final SegmentFiles.OpenFile out;
        private long bytes;

        private Part(SegmentFile file, Path path, SegmentFiles.OpenFile out) {
            this.file = file;
            this.path = path;
            this.out = out;
        }

        /** How many bytes have come; the offset to ask for next. */
        public long bytes() {
            return bytes;
        }

        /** Adds the bytes that follow. */
        public void write(ByteBuffer source) throws IOException {
            long end = bytes + source.remaining();
            if (end > file.bytes()) {
                throw SegmentFormat.damaged(file.name(), bytes, "bytes fetched", "at most " + file.bytes(), end);
            }
            out.write(source, bytes);
            bytes = end;
        }

        /**
         * Checks the whole file and puts it in its place, its bytes durable.
         *
         * @throws IOException it is not the file that the manifest names; or it could not be written
         */
        public void complete() throws IOException {
            if (bytes != file.bytes()) {
                throw SegmentFormat.damaged(file.name(), bytes, "bytes fetched", file.bytes(), bytes);
            }
            SegmentRecovery.check(file, out);
            out.force();
            files.move(path, directory.resolve(file.name()));
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
