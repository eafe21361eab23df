package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.partition.entry.MovedSegment;
import dev.weir.partition.store.FileCache;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CachedSegmentsTest {
    private static final int RECORDS = 20;

    @TempDir
    private Path directory;

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
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
