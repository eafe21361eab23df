package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.partition.entry.MovedSegment;
import dev.weir.partition.store.FileCache;
import dev.weir.partition.store.LocalFile;
import dev.weir.partition.store.Pinned;
import dev.weir.partition.store.StoreException;
import dev.weir.wal.segment.ChannelFiles;
import dev.weir.wal.segment.FileSegmentLog;
import dev.weir.wal.segment.SegmentConfig;
import dev.weir.wal.segment.SegmentFile;
import dev.weir.wal.segment.SegmentManifest;
import dev.weir.wal.segment.SegmentRecord;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CachedSegmentsTest {
    private static final int RECORDS = 20;

    @TempDir
    private Path directory;

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Error> errors = new CopyOnWriteArrayList<>();
    private RemoteStore store;
    private FileCache cache;
    private MovedSegment segment;
    private List<SegmentRecord> records;

    @BeforeEach
    void moveASegment() throws Exception {
        store = new RemoteStore(directory.resolve("store"));
        cache = FileCache.open(directory.resolve("cache"), 1 << 20, store);
        try (FileSegmentLog log = FileSegmentLog.open(
                new ChannelFiles(), directory.resolve("log"), SegmentManifest.empty(1), SegmentConfig.DEFAULT)) {
            for (int i = 1; i <= RECORDS; i++) {
                log.append(1, i, ByteBuffer.allocate(100).putInt(0, i));
            }
            SegmentFile file = log.segments().getFirst();
            segment = new SegmentOutput(3, store, directory).write(log, file, 1);
            records = log.read(1, 1 << 20);
        }
    }

    @AfterEach
    void close() {
        store.gate.countDown();
        executor.close();
        cache.close();
        store.close();
    }

    @Test
    void isFetchedOnceHoweverManyRead() throws Exception {
        store.gate = new CountDownLatch(1);
        CachedSegments segments = segments(Duration.ofSeconds(30));
        List<Future<List<SegmentRecord>>> readers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            readers.add(executor.submit(() -> segments.read(segment, 1, 1 << 20)));
        }
        await().until(() -> store.downloads.get() == 1);
        store.gate.countDown();
        for (Future<List<SegmentRecord>> each : readers) {
            assertThat(each.get()).isEqualTo(records);
        }
        assertThat(segments.read(segment, 7, 1)).containsExactly(records.get(6));
        assertThat(segments.seekTime(segment, 9)).isEqualTo(9);
        assertThat(store.downloads).hasValue(1);
        assertThat(segments.fetched()).isEqualTo(1);
        assertThat(segments.reads()).isEqualTo(10);
        assertThat(segments.failures()).isZero();
        assertThat(segments.fetching()).isZero();
    }

    @Test
    void whoWaitsTooLongFindsTheSegmentTheNextTime() throws Exception {
        store.gate = new CountDownLatch(1);
        CachedSegments segments = segments(Duration.ofMillis(20));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> segments.read(segment, 1, 100))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            away -> assertThat(away.mayHeal()).isTrue())
                    .hasMessageContaining("is still being fetched from remote: after 20 ms");
        }
        assertThat(segments.fetching()).isEqualTo(1);
        store.gate.countDown();
        await().until(() -> segments.fetching() == 0);
        assertThat(segments.read(segment, 1, 1 << 20)).isEqualTo(records);
        assertThat(store.downloads).hasValue(1);
        assertThat(segments.failures()).isEqualTo(3);
    }

    @Test
    void nobodyWaitsForAFetchThatHasTakenTooLongAlready() throws Exception {
        store.gate = new CountDownLatch(1);
        CachedSegments segments = segments(Duration.ofSeconds(2));
        assertThatThrownBy(() -> segments.read(segment, 1, 100)).hasMessageContaining("still being fetched");
        long from = System.nanoTime();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> segments.read(segment, 1, 100)).hasMessageContaining("still being fetched");
        }
        assertThat(System.nanoTime() - from).isLessThan(Duration.ofSeconds(2).toNanos());
    }

    @Test
    void aFailureIsTriedAgainByTheNextReader() throws Exception {
        CachedSegments segments = segments(Duration.ofSeconds(30));
        store.away = true;
        assertThatThrownBy(() -> segments.read(segment, 1, 100))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the store is away");
        store.away = false;
        assertThat(segments.read(segment, 1, 1 << 20)).isEqualTo(records);
    }

    @Test
    void anErrorEndsTheFetchToo() throws Exception {
        CachedSegments segments = new CachedSegments(
                cache,
                task -> executor.execute(() -> {
                    try {
                        task.run();
                    } catch (LinkageError e) {
                        errors.add(e);
                    }
                }),
                Duration.ofSeconds(30));
        store.breaks = true;
        assertThatThrownBy(() -> segments.read(segment, 1, 100)).hasMessageContaining("download");
        assertThat(segments.fetching()).isZero();
        await().until(() -> errors.size() == 1);
        store.breaks = false;
        assertThat(segments.read(segment, 1, 1 << 20)).isEqualTo(records);
    }

    @Test
    void countsWhatRunsAndWhatWaitsApart() throws Exception {
        store.gate = new CountDownLatch(1);
        CachedSegments segments = segments(Duration.ofMillis(1));
        int wanted = CachedSegments.FETCHES_MAX + 3;
        for (int i = 0; i < wanted; i++) {
            MovedSegment other =
                    new MovedSegment("other-" + i, segment.bytes(), new byte[] {(byte) i}, 1, RECORDS + 1, 1, RECORDS);
            assertThatThrownBy(() -> segments.read(other, 1, 100)).isInstanceOf(StoreException.class);
        }
        await().until(() -> segments.queued() == 3);
        assertThat(segments.fetching()).isEqualTo(CachedSegments.FETCHES_MAX);
    }

    /** Who waits may hold what readers of other history need, so only as many wait as fetches run. */
    @Test
    void nobodyReadsOnAFetchThatWaitsForOthers() throws Exception {
        store.gate = new CountDownLatch(1);
        CachedSegments segments = segments(Duration.ofMinutes(5));
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < CachedSegments.FETCHES_MAX; i++) {
            MovedSegment other =
                    new MovedSegment("other-" + i, segment.bytes(), new byte[] {(byte) i}, 1, RECORDS + 1, 1, RECORDS);
            readers.add(Thread.startVirtualThread(
                    () -> assertThatThrownBy(() -> segments.read(other, 1, 100)).isInstanceOf(StoreException.class)));
        }
        await().until(() -> segments.fetching() == CachedSegments.FETCHES_MAX);
        assertThatThrownBy(() -> segments.read(segment, 1, 100)).hasMessageContaining("is still being fetched");
        store.gate.countDown();
        for (Thread each : readers) {
            each.join();
        }
        await().until(() -> segments.fetching() == 0 && segments.queued() == 0);
        assertThat(segments.read(segment, 1, 1 << 20)).isEqualTo(records);
    }

    @Test
    void whatReadersWaitForIsNotEvictedBeforeTheyHaveIt() throws Exception {
        store.gate = new CountDownLatch(1);
        Files.write(directory.resolve("other"), new byte[100]);
        LocalFile other = LocalFile.of(directory.resolve("other"));
        store.put("other", other);
        FileCache small = FileCache.open(directory.resolve("small"), segment.bytes() + 10, store);
        CachedSegments segments = new CachedSegments(
                small,
                task -> executor.execute(() -> {
                    task.run();
                    take(small, other);
                }),
                Duration.ofSeconds(30));
        List<FutureTask<List<SegmentRecord>>> reads = new ArrayList<>();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            FutureTask<List<SegmentRecord>> read = new FutureTask<>(() -> segments.read(segment, 1, 1 << 20));
            reads.add(read);
            readers.add(Thread.startVirtualThread(read));
        }
        await().until(() -> readers.stream().allMatch(each -> each.getState() == Thread.State.TIMED_WAITING));
        store.gate.countDown();
        for (FutureTask<List<SegmentRecord>> each : reads) {
            assertThat(each.get()).isEqualTo(records);
        }
        assertThat(segments.fetched()).isEqualTo(1);
        await().until(() -> small.stats().pinnedBytes() == 0);
    }

    /** Takes the place of what nobody has in use; else there is none. */
    private static void take(FileCache small, LocalFile other) {
        try (Pinned pinned = small.open("other", other.bytes(), other.sha256())) {
            assertThat(pinned.path()).exists();
        } catch (StoreException e) {
            assertThat(e.kind()).isEqualTo(StoreException.Kind.FULL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void otherBytesThanThoseThatWereStoredAreRefused() throws Exception {
        Path object = directory.resolve("store").resolve(segment.key());
        byte[] bytes = Files.readAllBytes(object);
        bytes[bytes.length / 2] ^= 1;
        Files.write(object, bytes);
        assertThatThrownBy(() -> segments(Duration.ofSeconds(30)).read(segment, 1, 100))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        damaged -> assertThat(damaged.kind()).isEqualTo(StoreException.Kind.CORRUPT));
    }

    private CachedSegments segments(Duration wait) {
        return new CachedSegments(cache, executor, wait);
    }
}
