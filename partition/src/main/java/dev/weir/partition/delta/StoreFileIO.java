package dev.weir.partition.delta;

import dev.weir.partition.store.ObjectEntry;
import dev.weir.partition.store.ObjectStore;
import io.delta.kernel.defaults.engine.fileio.FileIO;
import io.delta.kernel.defaults.engine.fileio.InputFile;
import io.delta.kernel.defaults.engine.fileio.OutputFile;
import io.delta.kernel.defaults.engine.fileio.SeekableInputStream;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Delta Kernel's way to files, on an object store: the path of an object is a slash and its key. Any thread; calls block. */
final class StoreFileIO implements FileIO {
    private static final int PAGE = 1000;
    private static final String COMPRESSION = "parquet.compression";

    private final ObjectStore store;
    private final Path temporary;

    /** @param temporary a folder on this node's disk for objects being written */
    StoreFileIO(ObjectStore store, Path temporary) {
        this.store = store;
        this.temporary = temporary;
    }

    static String path(String key) {
        return "/" + key;
    }

    static String key(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path '" + path + "': expected a slash and a key");
        }
        return path.substring(1);
    }

    private interface Call<T> {
        T run() throws IOException, InterruptedException;
    }

    private static <T> T uninterrupted(String path, Call<T> call) throws IOException {
        try {
            return call.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException(path).initCause(e);
        }
    }

    /** Objects in the path's folder, not below it, from the path on; as many as there are now. */
    @Override
    public CloseableIterator<FileStatus> listFrom(String filePath) throws IOException {
        String from = key(filePath);
        String folder = from.substring(0, from.lastIndexOf('/') + 1);
        List<FileStatus> found = new ArrayList<>();
        uninterrupted(filePath, () -> {
            store.stat(from).ifPresent(entry -> found.add(status(entry)));
            String after = from;
            for (List<ObjectEntry> page = store.list(folder, after, PAGE);
                    !page.isEmpty();
                    page = store.list(folder, after, PAGE)) {
                for (ObjectEntry entry : page) {
                    if (entry.key().indexOf('/', folder.length()) < 0) {
                        found.add(status(entry));
                    }
                }
                after = page.getLast().key();
            }
            return found;
        });
        return Utils.toCloseableIterator(found.iterator());
    }

    @Override
    public FileStatus getFileStatus(String path) throws IOException {
        Optional<ObjectEntry> entry = uninterrupted(path, () -> store.stat(key(path)));
        return status(entry.orElseThrow(() -> new FileNotFoundException(path)));
    }

    private static FileStatus status(ObjectEntry entry) {
        return FileStatus.of(
                path(entry.key()), entry.bytes(), entry.modifiedAt().toEpochMilli());
    }

    @Override
    public String resolvePath(String path) {
        return path;
    }

    /** Keys need no folders. */
    @Override
    public boolean mkdirs(String path) {
        return true;
    }

    @Override
    public InputFile newInputFile(String path, long fileSize) {
        return new Input(path, fileSize);
    }

    @Override
    public OutputFile newOutputFile(String path) {
        return new StoreOutput(store, temporary, path);
    }

    @Override
    public boolean delete(String path) throws IOException {
        return uninterrupted(path, () -> {
            store.delete(key(path));
            return true;
        });
    }

    @Override
    public Optional<String> getConf(String confKey) {
        return confKey.equals(COMPRESSION) ? Optional.of("ZSTD") : Optional.empty();
    }

    /** Only tables that a catalog manages copy commits. */
    @Override
    public void copyFileAtomically(String srcPath, String destPath, boolean overwrite) {
        throw new UnsupportedOperationException("copying " + srcPath + " to " + destPath);
    }

    private final class Input implements InputFile {
        private final String path;
        private final long bytes;

        /** @param bytes zero or less where Kernel does not know it */
        Input(String path, long bytes) {
            this.path = path;
            this.bytes = bytes;
        }

        @Override
        public long length() throws IOException {
            return bytes > 0 ? bytes : getFileStatus(path).getSize();
        }

        @Override
        public String path() {
            return path;
        }

        @Override
        public SeekableInputStream newStream() throws IOException {
            return new StoreInput(store, key(path), length());
        }
    }
}
