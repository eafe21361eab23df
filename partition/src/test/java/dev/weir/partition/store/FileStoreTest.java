package dev.weir.partition.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileStoreTest extends ObjectStoreContract {
    @TempDir
    Path root;

    @Override
    ObjectStore store() throws StoreException {
        return ObjectStore.open(StoreConfig.folder(root.resolve("with space/ж")));
    }

    @Test
    void linksAFileOfTheSameDiskAndNamesIt() throws Exception {
        ObjectStore store = store();
        LocalFile file = file(10, 1);
        store.put("t/k", file);
        Path path = store.localPath("t/k").orElseThrow();
        assertThat(path).hasSameBinaryContentAs(file.path());
        assertThat(Files.getAttribute(path, "unix:ino")).isEqualTo(Files.getAttribute(file.path(), "unix:ino"));
    }

    @Test
    void sweepsWhatACrashLeft() throws Exception {
        ObjectStore store = store();
        Path incoming = root.resolve("with space/ж").resolve(FileStore.INCOMING);
        Files.write(incoming.resolve("left.tmp"), new byte[10]);
        assertThat(store.sweepUnfinished(Instant.now().minusSeconds(600))).isZero();
        assertThat(store.sweepUnfinished(Instant.now().plusSeconds(600))).isEqualTo(1);
        assertThat(incoming).isEmptyDirectory();
        assertThat(walk(store, "", 10)).isEmpty();
    }

    @Test
    void aFolderThatIsGoneIsNotMadeAgain() throws Exception {
        Path folder = root.resolve("mounted");
        ObjectStore store = ObjectStore.open(StoreConfig.folder(folder));
        Files.delete(folder.resolve(FileStore.INCOMING));
        Files.delete(folder);
        failsAs(StoreException.Kind.UNAVAILABLE, () -> store.put("t/k", file(10, 1)));
        failsAs(StoreException.Kind.UNAVAILABLE, () -> store.list("", "", 10));
        assertThat(folder).doesNotExist();
    }

    @Test
    void aFullOrForbiddenDiskIsNamed() throws Exception {
        Path folder = root.resolve("files");
        FileStore store = new FileStore(folder, new DiskFiles() {
            @Override
            public void link(Path file, Path name) throws java.io.IOException {
                throw new java.nio.file.FileSystemException(name.toString(), null, "No space left on device");
            }
        });
        failsAs(StoreException.Kind.FULL, () -> store.put("t/k", file(10, 1)));
        assertThat(store.metrics().lastFailure().text())
                .isEqualTo("put t/k at file:" + folder + ": No space left on device");
    }
}
