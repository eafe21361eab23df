package dev.weir.partition.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.store.StoreException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileCacheTest {
    @TempDir
    Path folder;

    private final CountingStore store = new CountingStore();

    @Test
    void fetchesAFileOnceHoweverManyAsk() throws Exception {
        FileCache cache = FileCache.open(folder, 10_000, store);
        StoredFile file = object("a", 1000);
        store.gate = new CountDownLatch(1);
        List<Future<byte[]>> read = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 8; i++) {
                read.add(threads.submit(() -> {
                    try (Pinned pinned = cache.open(file)) {
                        return Files.readAllBytes(pinned.path());
                    }
                }));
            }
            Awaitility.await().until(() -> store.downloads.get() == 1);
            store.gate.countDown();
            for (Future<byte[]> one : read) {
                assertThat(one.get()).isEqualTo(store.objects.get("a"));
            }
        }
        assertThat(store.downloads).hasValue(1);
        assertThat(cache.stats()).isEqualTo(new CacheStats(1000, 10_000, 1, 0, 7, 1, 0, 0));
        assertThat(cache.holds(file.sha256())).isTrue();
    }

    @Test
    void theLongestUnusedGoesFirst() throws Exception {
        FileCache cache = FileCache.open(folder, 3000, store);
        StoredFile a = object("a", 1000);
        StoredFile b = object("b", 1000);
        use(cache, a);
        use(cache, b);
        use(cache, object("c", 1000));
        use(cache, object("d", 1000));
        assertThat(cache.holds(a.sha256())).isFalse();
        assertThat(cache.holds(b.sha256())).isTrue();
        assertThat(cache.stats().evictions()).isEqualTo(1);
        assertThat(folder.toFile().list()).hasSize(3);
    }

    @Test
    void aFileThatCannotBeRemovedKeepsNobodyWaiting() throws Exception {
        FileCache cache = FileCache.open(folder, 1500, store);
        StoredFile a = object("a", 1000);
        use(cache, a);
        Path stuck;
        try (Pinned pinned = cache.open(a)) {
            stuck = pinned.path();
        }
        Files.delete(stuck);
        Files.createDirectories(stuck.resolve("not-empty"));
        StoredFile b = object("b", 1000);

        use(cache, b);
        use(cache, b);

        assertThat(cache.holds(b.sha256())).isTrue();
        assertThat(cache.stats().evictions()).isEqualTo(1);
    }

    @Test
    void aScanDoesNotPushOutWhatIsInSteadyUse() throws Exception {
        FileCache cache = FileCache.open(folder, 5000, store);
        StoredFile steady = object("steady", 1000);
        use(cache, steady);
        use(cache, steady);
        for (int i = 0; i < 20; i++) {
            use(cache, object("scanned" + i, 1000));
        }
        assertThat(cache.holds(steady.sha256())).isTrue();
    }

    @Test
    void filesInUseStayAndTooManyAreRefused() throws Exception {
        FileCache cache = FileCache.open(folder, 2500, store);
        Pinned a = cache.open(object("a", 1000));
        Pinned b = cache.open(object("b", 1000));
        StoredFile c = object("c", 1000);
        assertThatThrownBy(() -> cache.open(c))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.FULL))
                .hasMessageContaining("files in use have 2000 of cache.bytes-max 2500");
        assertThat(a.path()).exists();
        b.close();
        b.close();
        use(cache, c);
        assertThat(b.path()).doesNotExist();
        assertThat(a.path()).exists();
        a.close();
        assertThat(cache.stats().pinnedBytes()).isZero();
        assertThat(cache.stats().refused()).isEqualTo(1);
    }

    @Test
    void whatIsThereSurvivesARestartAndIsCheckedOnce() throws Exception {
        StoredFile good = object("good", 1000);
        StoredFile bad = object("bad", 1000);
        FileCache before = FileCache.open(folder, 10_000, store);
        use(before, good);
        use(before, bad);
        Files.write(path(bad), new byte[1000]);
        Files.write(folder.resolve("left.part"), new byte[10]);
        FileCache after = FileCache.open(folder, 10_000, store);
        assertThat(folder.resolve("left.part")).doesNotExist();
        assertThat(after.stats().bytes()).isEqualTo(2000);
        use(after, good);
        assertThat(store.downloads).hasValue(2);
        use(after, bad);
        assertThat(store.downloads).hasValue(3);
        assertThat(after.stats().bytes()).isEqualTo(2000);
    }

    @Test
    void aSmallerBoundTakesEffectAtTheNextStart() throws Exception {
        StoredFile old = object("old", 1000);
        StoredFile young = object("young", 1000);
        FileCache before = FileCache.open(folder, 10_000, store);
        use(before, old);
        use(before, young);
        Files.setLastModifiedTime(path(old), FileTime.fromMillis(1));
        FileCache after = FileCache.open(folder, 1500, store);
        assertThat(after.holds(old.sha256())).isFalse();
        assertThat(after.holds(young.sha256())).isTrue();
        assertThat(path(old)).doesNotExist();
    }

    @Test
    void otherBytesThanTheManifestNamesAreRefused() throws Exception {
        FileCache cache = FileCache.open(folder, 10_000, store);
        StoredFile file = object("a", 1000);
        store.objects.put("a", new byte[1000]);
        assertThatThrownBy(() -> cache.open(file))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT));
        assertThat(folder).isEmptyDirectory();
        assertThat(cache.stats().bytes()).isZero();
        assertThat(cache.stats().pinnedBytes()).isZero();
    }

    @Test
    void anInterruptedFetchIsTakenOverByWhoWaits() throws Exception {
        FileCache cache = FileCache.open(folder, 10_000, store);
        StoredFile file = object("a", 1000);
        store.gate = new CountDownLatch(1);
        CompletableFuture<Boolean> first = new CompletableFuture<>();
        Thread fetcher = Thread.ofVirtual().start(() -> first.complete(isInterrupted(() -> cache.open(file))));
        Awaitility.await().until(() -> store.downloads.get() == 1);
        CompletableFuture<Boolean> second = new CompletableFuture<>();
        Thread waiter = Thread.ofVirtual().start(() -> second.complete(isInterrupted(() -> cache.open(file))));
        Awaitility.await().until(() -> waiter.getState() == Thread.State.WAITING);
        fetcher.interrupt();
        assertThat(first.get(5, TimeUnit.SECONDS)).isTrue();
        store.gate.countDown();
        assertThat(second.get(5, TimeUnit.SECONDS)).isFalse();
        assertThat(cache.holds(file.sha256())).isTrue();
    }

    @Test
    void aStoreOfFilesIsNotCopied() throws Exception {
        Path root = folder.resolve("store");
        Path cached = folder.resolve("cache");
        ObjectStore files = ObjectStore.open(StoreConfig.folder(root));
        Path source = Files.write(folder.resolve("source"), new byte[100]);
        byte[] sha256 = Sha256.ofFile(source);
        files.put("k", new LocalFile(source, 100, sha256));
        FileCache cache = FileCache.open(cached, 10, files);
        try (Pinned pinned = cache.open(stored("k", 100, sha256))) {
            assertThat(pinned.path()).isEqualTo(root.resolve("k"));
        }
        assertThat(cached).isEmptyDirectory();
        assertThatThrownBy(() -> cache.open(stored("gone", 100, sha256)))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_FOUND));
        assertThatThrownBy(() -> cache.open(stored("k", 99, sha256)))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT));
    }

    @Test
    void theBoundHoldsUnderRandomUse() throws Exception {
        FileCache cache = FileCache.open(folder, 5000, store);
        List<StoredFile> files = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            files.add(object("f" + i, 100 + 60 * i));
        }
        SplittableRandom random = new SplittableRandom(3);
        List<Pinned> pins = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            if (pins.size() > random.nextInt(8)) {
                pins.remove(random.nextInt(pins.size())).close();
            }
            try {
                Pinned pinned = cache.open(files.get(random.nextInt(files.size())));
                assertThat(pinned.path()).exists();
                pins.add(pinned);
            } catch (StoreException e) {
                assertThat(e.kind()).isEqualTo(Kind.FULL);
            }
            long onDisk = 0;
            for (String name : folder.toFile().list()) {
                onDisk += Files.size(folder.resolve(name));
            }
            assertThat(onDisk).isEqualTo(cache.stats().bytes()).isLessThanOrEqualTo(5000);
        }
        pins.forEach(Pinned::close);
        assertThat(cache.stats().pinnedBytes()).isZero();
    }

    private static boolean isInterrupted(Callable<Pinned> open) {
        try {
            open.call().close();
            return false;
        } catch (InterruptedException e) {
            return true;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void use(FileCache cache, StoredFile file) throws StoreException, InterruptedException {
        cache.open(file).close();
    }

    private Path path(StoredFile file) {
        return folder.resolve(HexFormat.of().formatHex(file.sha256()) + ".parquet");
    }

    private StoredFile object(String key, int bytes) throws IOException {
        byte[] content = new byte[bytes];
        new Random(key.hashCode()).nextBytes(content);
        store.objects.put(key, content);
        return stored(key, bytes, Sha256.start().digest(content));
    }

    private static StoredFile stored(String key, long bytes, byte[] sha256) {
        return new StoredFile(key, bytes, 1, sha256, 0, 0, 1, 1, 0, 0, List.of(), false, 0, 1);
    }
}
