package dev.weir.partition.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Power fails at every call of a put in turn: what the put confirmed is there, and nothing is ever there in part. */
final class FileStoreCrashTest {
    private static final String KEY = "tenant/table-1/date=2026-01-01/p0-1-2-ab.parquet";

    @TempDir
    Path folder;

    @Test
    void aPutIsWholeOrNothing() throws Exception {
        int failAt = 1;
        while (crash(failAt, false)) {
            failAt++;
        }
        assertThat(failAt).as("calls of a put").isGreaterThan(8);
    }

    @Test
    void aPutFromAnotherDiskIsWholeOrNothing() throws Exception {
        int failAt = 1;
        while (crash(failAt, true)) {
            failAt++;
        }
        assertThat(failAt).as("calls of a put").isGreaterThan(10);
    }

    /** Returns whether the power failed before the put was done. */
    private boolean crash(int failAt, boolean copies) throws Exception {
        Path root = folder.resolve("root" + failAt + copies);
        LocalFile file = file(failAt);
        LossyFiles files = new LossyFiles(failAt);
        files.dirty(file.path());
        boolean confirmed = false;
        try {
            new FileStore(root, copies ? new OtherDisk(files, file.path()) : files).put(KEY, file);
            confirmed = true;
        } catch (StoreException expected) {
            assertThat(expected).hasMessageContaining("no power");
        }
        files.lose();
        FileStore after = new FileStore(root, new DiskFiles());
        boolean isThere = after.stat(KEY).isPresent();
        assertThat(isThere || !confirmed).as("confirmed at %d", failAt).isTrue();
        if (isThere) {
            assertThat(Sha256.ofFile(after.localPath(KEY).orElseThrow())).isEqualTo(file.sha256());
        }
        after.put(KEY, new LocalFile(fresh(failAt), file.bytes(), file.sha256()));
        after.sweepUnfinished(Instant.now().plusSeconds(60));
        assertThat(root.resolve(FileStore.INCOMING)).isEmptyDirectory();
        return files.hasFailed();
    }

    private LocalFile file(int seed) throws IOException {
        Path path = fresh(seed);
        return new LocalFile(path, Files.size(path), Sha256.ofFile(path));
    }

    private Path fresh(int seed) throws IOException {
        byte[] bytes = new byte[10_000];
        new Random(seed).nextBytes(bytes);
        return Files.write(Files.createTempFile(folder, "source", ""), bytes);
    }

    /** Refuses to link the caller's file, as between file systems. */
    private record OtherDisk(StoreFiles files, Path source) implements StoreFiles {
        @Override
        public void createDirectory(Path path) throws IOException {
            files.createDirectory(path);
        }

        @Override
        public void copy(Path from, Path to) throws IOException {
            files.copy(from, to);
        }

        @Override
        public void sync(Path file) throws IOException {
            files.sync(file);
        }

        @Override
        public void link(Path file, Path name) throws IOException {
            if (file.equals(source)) {
                throw new java.nio.file.FileSystemException(
                        name.toString(), file.toString(), "Invalid cross-device link");
            }
            files.link(file, name);
        }

        @Override
        public void delete(Path file) throws IOException {
            files.delete(file);
        }

        @Override
        public void syncDirectory(Path path) throws IOException {
            files.syncDirectory(path);
        }
    }
}
