package dev.weir.partition.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.store.ObjectStore.Put;
import dev.weir.partition.store.StoreException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every store promises; each form of store runs it. */
abstract class ObjectStoreContract {
    @TempDir
    Path local;

    private int files;

    /** A store with nothing in it. */
    abstract ObjectStore store() throws Exception;

    @Test
    void givesBackWhatWasPut() throws Exception {
        ObjectStore store = store();
        LocalFile file = file(300_000, 1);
        assertThat(store.put("t/a.parquet", file)).isEqualTo(Put.STORED);
        Path copy = local.resolve("copy");
        assertThat(store.download("t/a.parquet", copy)).isEqualTo(300_000);
        assertThat(copy).hasSameBinaryContentAs(file.path());
        assertThat(store.stat("t/a.parquet").orElseThrow().bytes()).isEqualTo(300_000);
        assertThat(store.stat("t/a.parquet").orElseThrow().modifiedAt())
                .isBetween(Instant.now().minusSeconds(300), Instant.now().plusSeconds(300));
        assertThat(store.stat("t/b.parquet")).isEmpty();
        assertThat(store.stat("t")).isEmpty();
    }

    @Test
    void replacesNothing() throws Exception {
        ObjectStore store = store();
        LocalFile first = file(1000, 1);
        store.put("k", first);
        assertThat(store.put("k", first)).isEqualTo(Put.PRESENT);
        assertThat(store.put("k", file(1000, 1))).isEqualTo(Put.PRESENT);
        failsAs(Kind.CONFLICT, () -> store.put("k", file(1000, 2)));
        failsAs(Kind.CONFLICT, () -> store.put("k", file(999, 1)));
        assertThat(read(store, "k", 0, 2000)).isEqualTo(Files.readAllBytes(first.path()));
    }

    @Test
    void readsRanges() throws Exception {
        ObjectStore store = store();
        LocalFile file = file(5000, 3);
        store.put("k", file);
        byte[] bytes = Files.readAllBytes(file.path());
        assertThat(read(store, "k", 1234, 100)).isEqualTo(Arrays.copyOfRange(bytes, 1234, 1334));
        assertThat(read(store, "k", 4990, 100)).isEqualTo(Arrays.copyOfRange(bytes, 4990, 5000));
        assertThat(read(store, "k", 5000, 10)).isEmpty();
        assertThat(read(store, "k", 9999, 10)).isEmpty();
        failsAs(Kind.NOT_FOUND, () -> read(store, "other", 0, 10));
    }

    @Test
    void keepsObjectsOfNoBytes() throws Exception {
        ObjectStore store = store();
        store.put("k", file(0, 1));
        assertThat(read(store, "k", 0, 10)).isEmpty();
        assertThat(store.download("k", local.resolve("empty"))).isZero();
        assertThat(store.stat("k").orElseThrow().bytes()).isZero();
    }

    @Test
    void keepsObjectsOfSeveralParts() throws Exception {
        ObjectStore store = store();
        LocalFile file = file(2 * S3Config.PART_BYTES_MIN + 4321, 4);
        assertThat(store.put("big", file)).isEqualTo(Put.STORED);
        assertThat(store.put("big", file)).isEqualTo(Put.PRESENT);
        Path copy = local.resolve("copy");
        store.download("big", copy);
        assertThat(Sha256.ofFile(copy)).isEqualTo(file.sha256());
        assertThat(store.sweepUnfinished(Instant.now().plusSeconds(60)))
                .as("nothing stays behind")
                .isZero();
    }

    @Test
    void aFailedDownloadLeavesNoFile() throws Exception {
        ObjectStore store = store();
        Path copy = local.resolve("copy");
        failsAs(Kind.NOT_FOUND, () -> store.download("nothing", copy));
        assertThat(copy).doesNotExist();
        store.put("k", file(10, 1));
        Files.write(copy, new byte[1]);
        failsAs(Kind.INVALID, () -> store.download("k", copy));
        assertThat(copy).hasSize(1);
    }

    @Test
    void listsInOrderOfKeys() throws Exception {
        ObjectStore store = store();
        List<String> keys = new ArrayList<>(List.of(
                "a/date=2026-01-01/x",
                "a/date=2026-01-02/x",
                "a/date=2026-01-02/y",
                "a-b/x",
                "a.b",
                "a0",
                "a%2F",
                "ä/ж",
                "b"));
        for (String key : keys) {
            store.put(key, file(10, 1));
        }
        keys.sort(ObjectKeys::compare);
        assertThat(walk(store, "", 1)).isEqualTo(keys);
        assertThat(walk(store, "", 4)).isEqualTo(keys);
        assertThat(walk(store, "", 1000)).isEqualTo(keys);
        assertThat(walk(store, "a/", 2)).hasSize(3);
        assertThat(walk(store, "a/date=2026-01-02", 1000))
                .containsExactly("a/date=2026-01-02/x", "a/date=2026-01-02/y");
        assertThat(walk(store, "nothing/", 10)).isEmpty();
    }

    @Test
    void deletesAndForgets() throws Exception {
        ObjectStore store = store();
        store.put("a/b/c", file(10, 1));
        store.put("a/d", file(10, 1));
        store.delete("a/b/c");
        store.delete("a/b/c");
        store.delete("never/was");
        assertThat(walk(store, "", 10)).containsExactly("a/d");
        assertThat(store.put("a/b/c", file(20, 2))).isEqualTo(Put.STORED);
    }

    @Test
    void ofRacingPutsOneWins() throws Exception {
        ObjectStore store = store();
        List<Callable<Object>> puts = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            LocalFile file = file(5000, i);
            puts.add(() -> {
                try {
                    return store.put("raced", file);
                } catch (StoreException e) {
                    return e.kind();
                }
            });
        }
        List<Object> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Object> result : threads.invokeAll(puts)) {
                results.add(result.get());
            }
        }
        assertThat(results).containsOnly(Put.STORED, Kind.CONFLICT).containsOnlyOnce(Put.STORED);
    }

    @Test
    void refusesKeysThatAreNoPaths() throws Exception {
        ObjectStore store = store();
        for (String key :
                List.of("", "/a", "a/", "a//b", ".", "..", "a/../b", "a/.", "a\u0000b", "a\\b", "x".repeat(901))) {
            failsAs(Kind.INVALID, () -> store.put(key, file(1, 1)));
            failsAs(Kind.INVALID, () -> store.delete(key));
        }
        failsAs(Kind.INVALID, () -> store.list("", "", 0));
    }

    @Test
    void passesItsProbe() throws Exception {
        ObjectStore store = store();
        store.probe();
        assertThat(walk(store, "", 10)).isEmpty();
    }

    @Test
    void countsAndCloses() throws Exception {
        ObjectStore store = store();
        store.put("k", file(1000, 1));
        read(store, "k", 0, 100);
        assertThat(store.metrics().bytesUp()).isEqualTo(1000);
        assertThat(store.metrics().bytesDown()).isEqualTo(100);
        assertThat(store.metrics().requests()).isGreaterThanOrEqualTo(2);
        assertThat(store.metrics().errors()).isZero();
        store.close();
        failsAs(Kind.INVALID, () -> store.stat("k"));
    }

    @Test
    void anInterruptEndsACall() throws Exception {
        ObjectStore store = store();
        LocalFile file = file(1000, 1);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> store.put("k", file)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    LocalFile file(int bytes, long seed) throws IOException {
        byte[] content = new byte[bytes];
        new Random(seed).nextBytes(content);
        Path path = local.resolve("file" + files++);
        Files.write(path, content);
        return new LocalFile(path, bytes, Sha256.ofFile(path));
    }

    static void failsAs(Kind kind, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.kind()).as("%s", e).isEqualTo(kind));
    }

    static byte[] read(ObjectStore store, String key, long offset, int bytes)
            throws StoreException, InterruptedException {
        ByteBuffer target = ByteBuffer.allocate(bytes);
        int read = store.read(key, offset, target);
        assertThat(read).isEqualTo(target.position());
        return Arrays.copyOf(target.array(), read);
    }

    static List<String> walk(ObjectStore store, String prefix, int page) throws StoreException, InterruptedException {
        List<String> keys = new ArrayList<>();
        List<ObjectEntry> found = store.list(prefix, "", page);
        while (!found.isEmpty()) {
            found.forEach(entry -> keys.add(entry.key()));
            found = store.list(prefix, keys.getLast(), page);
        }
        return keys;
    }
}
