package dev.weir.wal.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileSegmentLogTest {
    private static final SegmentConfig SMALL = new SegmentConfig(200);

    @TempDir
    Path directory;

    private FileSegmentLog log;

    @BeforeEach
    void open() throws IOException {
        log = open(SegmentManifest.empty(1));
    }

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void readsWhatWasAppendedFromAnySeqInARecord() throws IOException {
        append(3, 10, "abc");
        append(2, 20, "de");
        assertThat(log.oldestSeq()).isEqualTo(1);
        assertThat(log.nextSeq()).isEqualTo(6);
        assertThat(payloads(log.read(1, 1000))).containsExactly("abc", "de");
        assertThat(payloads(log.read(3, 1000))).containsExactly("abc", "de");
        assertThat(payloads(log.read(4, 1000))).containsExactly("de");
        assertThat(log.read(6, 1000)).isEmpty();
        SegmentRecord record = log.read(5, 1).getFirst();
        assertThat(record.firstSeq()).isEqualTo(4);
        assertThat(record.count()).isEqualTo(2);
        assertThat(record.committedAtNanos()).isEqualTo(20);
        assertThat(record.payload().isReadOnly()).isTrue();
    }

    @Test
    void boundsAReadByBytesButReturnsAtLeastOneRecord() throws IOException {
        for (int i = 1; i <= 10; i++) {
            append(1, i, "0123456789");
        }
        assertThat(log.read(1, 0)).hasSize(1);
        assertThat(log.read(1, 38)).hasSize(1);
        assertThat(log.read(1, 2 * 38)).hasSize(2);
        assertThat(log.read(1, 3 * 38 + 37)).hasSize(3);
        assertThat(log.read(1, 7 * 38)).as("across segments").hasSize(7);
        assertThat(log.read(1, Integer.MAX_VALUE)).hasSize(10);
    }

    @Test
    void beginsASegmentWhereTheOneBeforeIsFull() throws IOException {
        for (int i = 1; i <= 10; i++) {
            append(1, i, "0123456789");
        }
        List<SegmentFile> files = log.segments();
        assertThat(files)
                .extracting(SegmentFile::name)
                .containsExactly("00000000000000000001.seg", "00000000000000000006.seg");
        assertThat(files).extracting(SegmentFile::sealed).containsExactly(true, false);
        assertThat(files).extracting(SegmentFile::bytes).containsExactly(20L + 5 * 38, 20L + 5 * 38);
        assertThat(log.bytes()).isEqualTo(2 * 210);
    }

    @Test
    void makesTheSameFilesWhereverItWasSyncedAndReopened() throws IOException {
        Path other = directory.resolve("other");
        FileSegmentLog restarted = FileSegmentLog.open(new ChannelFiles(), other, SegmentManifest.empty(1), SMALL);
        for (int i = 1; i <= 40; i++) {
            append(2, i, "payload " + i);
            restarted.append(2, i, bytes("payload " + i));
            if (i % 3 == 0) {
                SegmentManifest manifest = restarted.sync();
                restarted.close();
                restarted = FileSegmentLog.open(new ChannelFiles(), other, manifest, SMALL);
            }
        }
        assertThat(restarted.segments()).isEqualTo(log.segments());
        for (SegmentFile file : log.segments()) {
            assertThat(other.resolve(file.name()))
                    .hasSameBinaryContentAs(segments().resolve(file.name()));
        }
        restarted.close();
    }

    @Test
    void cutsBackToTheManifestAndGoesOn() throws IOException {
        append(1, 1, "kept");
        SegmentManifest manifest = log.sync();
        for (int i = 2; i < 30; i++) {
            append(1, i, "lost");
        }
        log.close();
        log = open(manifest);
        assertThat(log.nextSeq()).isEqualTo(2);
        assertThat(payloads(log.read(1, 1000))).containsExactly("kept");
        try (var names = Files.list(segments())) {
            assertThat(names).hasSize(1);
        }
        append(1, 2, "again");
        assertThat(payloads(log.read(1, 1000))).containsExactly("kept", "again");
    }

    @Test
    void trimsWholeSegmentsAndTellsReaders() throws IOException {
        for (int i = 1; i <= 12; i++) {
            append(1, i, "0123456789");
        }
        assertThat(log.trim(5)).isEqualTo(1);
        assertThat(log.trim(6)).isEqualTo(6);
        assertThat(log.oldestSeq()).isEqualTo(6);
        assertThatThrownBy(() -> log.read(5, 1000))
                .isInstanceOf(SeqTrimmedException.class)
                .hasMessageContaining("seq 5")
                .hasMessageContaining("oldest kept is 6");
        assertThat(log.read(6, 1000)).hasSize(7);
    }

    @Test
    void removesATrimmedFileOnlyWhenAManifestWithoutItIsDurable() throws IOException {
        for (int i = 1; i <= 6; i++) {
            append(1, i, "0123456789");
        }
        SegmentManifest before = log.sync();
        log.trim(6);
        Path trimmed = segments().resolve("00000000000000000001.seg");
        assertThat(trimmed).exists();
        SegmentManifest without = log.sync();
        assertThat(without.oldestSeq()).isEqualTo(6);
        assertThat(trimmed).as("the manifest may not be durable yet").exists();
        log.close();
        log = open(before);
        assertThat(log.read(1, 1000)).hasSize(6);
        log.trim(6);
        log.sync();
        log.sync();
        assertThat(trimmed).doesNotExist();
    }

    @Test
    void trimsTheActiveSegmentToo() throws IOException {
        append(1, 1, "a");
        append(1, 2, "b");
        assertThat(log.trim(100)).isEqualTo(3);
        assertThat(log.segments()).isEmpty();
        assertThat(log.read(3, 10)).isEmpty();
        append(1, 3, "c");
        assertThat(log.segments()).extracting(SegmentFile::firstSeq).containsExactly(3L);
        SegmentManifest manifest = log.sync();
        log.close();
        log = open(manifest);
        assertThat(payloads(log.read(3, 10))).containsExactly("c");
    }

    @Test
    void seeksByCommitTime() throws IOException {
        for (int i = 1; i <= 20; i++) {
            append(2, 10L * i, "0123456789");
        }
        assertThat(log.seekTime(0)).isEqualTo(1);
        assertThat(log.seekTime(10)).isEqualTo(1);
        assertThat(log.seekTime(11)).isEqualTo(3);
        assertThat(log.seekTime(100)).isEqualTo(19);
        assertThat(log.seekTime(200)).isEqualTo(39);
        assertThat(log.seekTime(201)).isEqualTo(41);
        log.trim(11);
        assertThat(log.seekTime(0)).isEqualTo(11);
    }

    @Test
    void findsRecordsInALargeSegmentBeforeAndAfterReopening() throws IOException {
        FileSegmentLog large = FileSegmentLog.open(
                new ChannelFiles(), directory.resolve("large"), SegmentManifest.empty(7), SegmentConfig.DEFAULT);
        Seeded random = new Seeded(42);
        for (int i = 0; i < 20_000; i++) {
            large.append(3, 1000L + i, ByteBuffer.wrap(random.bytes(random.below(300))));
        }
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 300; i++) {
                int record = random.below(20_000);
                long seq = 7 + record * 3L + random.below(3);
                assertThat(large.read(seq, 1).getFirst().firstSeq()).isEqualTo(7 + record * 3L);
                assertThat(large.seekTime(1000L + record)).isEqualTo(7 + record * 3L);
            }
            SegmentManifest manifest = large.sync();
            large.close();
            large = FileSegmentLog.open(
                    new ChannelFiles(), directory.resolve("large"), manifest, SegmentConfig.DEFAULT);
        }
        large.close();
    }

    @Test
    void namesFileOffsetAndChecksumsOfADamagedRecord() throws IOException {
        append(1, 1, "first");
        append(1, 2, "second");
        try (var channel = java.nio.channels.FileChannel.open(
                segments().resolve("00000000000000000001.seg"), StandardOpenOption.WRITE)) {
            channel.write(bytes("S"), 20 + 28 + 5 + 28);
        }
        assertThat(payloads(log.read(1, 30))).containsExactly("first");
        assertThatThrownBy(() -> log.read(2, 1000))
                .isInstanceOf(IOException.class)
                .hasMessageMatching("file 00000000000000000001.seg, offset 53: checksum of the record: "
                        + "expected [0-9a-f]{8}, found [0-9a-f]{8}");
    }

    @Test
    void refusesToOpenWithoutAFileOfTheManifest() throws IOException {
        append(1, 1, "first");
        SegmentManifest manifest = log.sync();
        log.close();
        Files.delete(segments().resolve("00000000000000000001.seg"));
        assertThatThrownBy(() -> open(manifest)).isInstanceOf(IOException.class).hasMessageContaining("no such file");
    }

    @Test
    void refusesAnActiveFileOfOtherContent() throws IOException {
        append(1, 1, "first");
        SegmentManifest manifest = log.sync();
        log.close();
        FileSegmentLog other = open(SegmentManifest.empty(1));
        other.append(1, 1, bytes("First"));
        other.close();
        assertThatThrownBy(() -> open(manifest))
                .isInstanceOf(IOException.class)
                .hasMessageMatching(".*checksum of the first 53 bytes: expected [0-9a-f]{8}, found [0-9a-f]{8}");
    }

    @Test
    void verifiesSealedFilesFromAnotherReplica() throws IOException {
        for (int i = 1; i <= 12; i++) {
            append(1, i, "0123456789");
        }
        SegmentManifest manifest = log.sync();
        Path fetched = Files.createDirectory(directory.resolve("fetched"));
        for (SegmentFile file : manifest.files()) {
            ByteBuffer copy = ByteBuffer.allocate(1000);
            int bytes = log.copy(file, 0, copy);
            assertThat(bytes).isEqualTo((int) file.bytes());
            Files.write(fetched.resolve(file.name()), java.util.Arrays.copyOf(copy.array(), bytes));
        }
        FileSegmentLog.verify(new ChannelFiles(), fetched, manifest);
        try (FileSegmentLog copy = FileSegmentLog.open(new ChannelFiles(), fetched, manifest, SMALL)) {
            assertThat(copy.read(1, 10_000)).hasSize(12);
        }
        Files.write(fetched.resolve("00000000000000000001.seg"), new byte[210]);
        assertThatThrownBy(() -> FileSegmentLog.verify(new ChannelFiles(), fetched, manifest))
                .isInstanceOf(IOException.class);
    }

    @Test
    void copiesNoMoreThanTheManifestNamed() throws IOException {
        append(1, 1, "first");
        SegmentFile file = log.segments().getFirst();
        append(1, 2, "second");
        ByteBuffer target = ByteBuffer.allocate(1000);
        assertThat(log.copy(file, 0, target)).isEqualTo(53);
        assertThat(log.copy(file, 53, target)).isZero();
    }

    @Test
    void refusesUseAfterClose() throws IOException {
        append(1, 1, "a");
        log.close();
        log.close();
        assertThatThrownBy(() -> log.read(1, 10))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> append(1, 2, "b"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void refusesACommitTimeThatDoesNotRise() throws IOException {
        append(1, 5, "a");
        assertThatThrownBy(() -> append(1, 5, "b")).isInstanceOf(IllegalArgumentException.class);
        append(1, 6, "c");
        assertThat(payloads(log.read(1, 1000))).containsExactly("a", "c");
    }

    @Test
    void anInterruptedReaderStopsNeitherTheWriterNorOtherReaders() throws Exception {
        append(1, 1, "0");
        AtomicBoolean stop = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            readers.add(Thread.ofPlatform().start(() -> {
                try {
                    while (!stop.get()) {
                        log.read(Math.max(log.oldestSeq(), log.nextSeq() - 5), 100);
                    }
                } catch (Throwable e) {
                    failure.set(e);
                }
            }));
        }
        for (int i = 2; i < 3000; i++) {
            append(1, i, "x" + i);
            readers.get(i % 3).interrupt();
        }
        stop.set(true);
        for (Thread reader : readers) {
            reader.join();
        }
        assertThat(failure.get()).isNull();
        assertThat(log.read(2999, 100)).hasSize(1);
    }

    @Test
    void aReaderThatIsOvertakenByTrimGetsTheRecordOrIsTold() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Seeded random = new Seeded(i);
            readers.add(Thread.ofVirtual().start(() -> {
                try {
                    while (!stop.get()) {
                        readNear(random);
                    }
                } catch (Throwable e) {
                    failure.set(e);
                }
            }));
        }
        for (int i = 1; i < 1500 && failure.get() == null; i++) {
            append(1, i, "payload of " + i);
            if (i % 10 == 0) {
                log.trim(i - 15);
            }
            if (i % 40 == 0) {
                log.sync();
            }
        }
        stop.set(true);
        for (Thread reader : readers) {
            reader.join();
        }
        assertThat(failure.get()).isNull();
    }

    private void readNear(Seeded random) throws IOException {
        long seq = Math.min(log.nextSeq(), log.oldestSeq() + random.below(8));
        try {
            for (SegmentRecord record : log.read(seq, 150)) {
                assertThat(payloads(List.of(record))).containsExactly("payload of " + record.firstSeq());
            }
            log.seekTime(seq);
        } catch (SeqTrimmedException e) {
            assertThat(e.oldestSeq()).isGreaterThan(seq);
        }
    }

    private FileSegmentLog open(SegmentManifest manifest) throws IOException {
        return FileSegmentLog.open(new ChannelFiles(), segments(), manifest, SMALL);
    }

    private Path segments() {
        return directory.resolve("segments");
    }

    private void append(int count, long committedAt, String payload) throws IOException {
        log.append(count, committedAt, bytes(payload));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> payloads(List<SegmentRecord> records) {
        return records.stream()
                .map(record -> StandardCharsets.UTF_8
                        .decode(record.payload().duplicate())
                        .toString())
                .toList();
    }
}
