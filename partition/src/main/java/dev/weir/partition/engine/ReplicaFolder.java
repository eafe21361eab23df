package dev.weir.partition.engine;

import dev.weir.wal.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files of one replica.
 *
 * <pre>
 * manifest          names the folder in use; replaced by an atomic rename
 * data-N/           definitions, segments/, keys/
 * data-N+1/         what a running installation has fetched so far
 * </pre>
 *
 * <p>Not thread-safe.
 */
final class ReplicaFolder {
    static final String DEFINITIONS = "definitions";
    static final String SEGMENTS = "segments";
    static final String KEYS = "keys";
    static final String FIRST = "data-1";

    private static final String MANIFEST = "manifest";
    private static final String MANIFEST_NEW = "manifest.new";
    private static final String PREFIX = "data-";
    private static final int MANIFEST_BYTES_MAX = 1 << 30;

    private final SegmentFiles files;
    private final Path directory;

    ReplicaFolder(SegmentFiles files, Path directory) {
        this.files = files;
        this.directory = directory;
    }

    Path segments(String folder) {
        return directory.resolve(folder).resolve(SEGMENTS);
    }

    Path definitions(String folder) {
        return directory.resolve(folder).resolve(DEFINITIONS);
    }

    Path keys(String folder) {
        return directory.resolve(folder).resolve(KEYS);
    }

    /** The folder that an installation fills while {@code current} is in use. */
    static String after(String current) {
        return PREFIX + (Integer.parseInt(current.substring(PREFIX.length())) + 1);
    }

    void create(String folder) throws IOException {
        files.createDirectories(segments(folder));
        files.createDirectories(keys(folder));
    }

    /** The newest durable manifest, null where there is none. */
    @Nullable
    ReplicaManifest readManifest() throws IOException {
        files.createDirectories(directory);
        if (!files.list(directory).contains(MANIFEST)) {
            return null;
        }
        try (SegmentFiles.OpenFile file = files.open(directory.resolve(MANIFEST))) {
            long size = file.size();
            if (size > MANIFEST_BYTES_MAX) {
                throw new IOException(
                        "manifest in " + directory + ": " + size + " bytes, expected at most " + MANIFEST_BYTES_MAX);
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) size);
            file.read(bytes, 0);
            return ManifestCodec.decode(bytes.array());
        } catch (IOException e) {
            throw new IOException("manifest in " + directory + ": " + e.getMessage(), e);
        }
    }

    /** Makes a manifest, whose files are durable, the newest; itself durable when this returns. */
    void writeManifest(ReplicaManifest manifest) throws IOException {
        Path fresh = directory.resolve(MANIFEST_NEW);
        if (files.list(directory).contains(MANIFEST_NEW)) {
            files.delete(fresh);
        }
        try (SegmentFiles.OpenFile file = files.create(fresh)) {
            file.write(ByteBuffer.wrap(ManifestCodec.encode(manifest)), 0);
            file.force();
        }
        files.syncDirectory(directory.resolve(manifest.folder()));
        files.move(fresh, directory.resolve(MANIFEST));
        files.syncDirectory(directory);
    }

    /** Begins empty: without a manifest nothing here counts. */
    void restart() throws IOException {
        keep(after(FIRST));
        create(FIRST);
    }

    /** Removes data folders but the one in use and the one that an installation may have begun. */
    void keep(String current) throws IOException {
        for (String name : files.list(directory)) {
            if (name.startsWith(PREFIX) && !name.equals(current) && !name.equals(after(current))) {
                remove(directory.resolve(name));
            }
        }
    }

    /** Removes key files that the manifest in use does not name. */
    void keepKeys(String data, KeyManifest manifest, String unfinished) throws IOException {
        Path keys = keys(data);
        files.createDirectories(keys);
        Set<String> named = new HashSet<>();
        manifest.files().forEach(file -> named.add(file.name()));
        for (String name : files.list(keys)) {
            if (!named.contains(name) && !name.equals(unfinished)) {
                files.delete(keys.resolve(name));
            }
        }
    }

    private void remove(Path data) throws IOException {
        for (String name : files.list(data)) {
            if (name.equals(SEGMENTS) || name.equals(KEYS)) {
                for (String file : files.list(data.resolve(name))) {
                    files.delete(data.resolve(name).resolve(file));
                }
            }
            files.delete(data.resolve(name));
        }
        files.delete(data);
    }
}
