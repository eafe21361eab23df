package dev.weir.wal.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SegmentCopyTest {
    private static final int RECORDS = 5_000;

    @TempDir
    Path directory;

    private FileSegmentLog log;

    @BeforeEach
    void open() throws IOException {
        log = FileSegmentLog.open(
                new ChannelFiles(), directory.resolve("log"), SegmentManifest.empty(7), new SegmentConfig(600 << 10));
        for (int i = 0; i < RECORDS; i++) {
            String text = (i + " ").repeat(i == 100 ? 40_000 : 60);
            log.append(1 + i % 3, 100 + 10L * i, ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        }
    }

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void aWholeSegmentIsThatSegment() throws IOException {
        assertThat(log.segments()).hasSizeGreaterThan(2);
        for (SegmentFile segment : log.segments()) {
            Path target = directory.resolve("copy-" + segment.firstSeq());
            SegmentFile copy = SegmentCopy.write(log, segment.firstSeq(), segment.nextSeq(), target);
            assertThat(Files.readAllBytes(target))
                    .isEqualTo(Files.readAllBytes(directory.resolve("log").resolve(segment.name())));
            assertThat(copy.bytes()).isEqualTo(segment.bytes());
            assertThat(copy.crc32c()).isEqualTo(segment.crc32c());
            assertThat(copy.firstCommittedAtNanos()).isEqualTo(segment.firstCommittedAtNanos());
            assertThat(copy.lastCommittedAtNanos()).isEqualTo(segment.lastCommittedAtNanos());
        }
    }

    @Test
    void refusesToCopyNothing() {
        Path target = directory.resolve("copy");
        assertThatThrownBy(() -> SegmentCopy.write(log, 9, 9, target))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("copy: expected events before seq 9, found none from 9 on");
        assertThat(target).doesNotExist();
    }

    @Test
    void aPartOverSegmentsIsReadFromAnywhereInIt() throws IOException {
        List<SegmentRecord> all = log.read(7, Integer.MAX_VALUE);
        List<SegmentRecord> part = all.subList(1_234, 4_321);
        SegmentFile copy = copy(part.getFirst().firstSeq(), part.getLast().nextSeq());
        assertThat(copy.crc32c()).isEqualTo(crc(directory.resolve("copy")));
        SealedSegment sealed = new SealedSegment(directory.resolve("copy"), copy);

        List<SegmentRecord> read = new ArrayList<>();
        for (long seq = copy.firstSeq();
                seq < copy.nextSeq();
                seq = read.getLast().nextSeq()) {
            read.addAll(sealed.read(seq, 10_000));
        }
        assertThat(read).isEqualTo(part);
        for (SegmentRecord record : part) {
            assertThat(sealed.read(record.nextSeq() - 1, 1)).containsExactly(record);
            assertThat(sealed.seekTime(record.committedAtNanos())).isEqualTo(record.firstSeq());
            assertThat(sealed.seekTime(record.committedAtNanos() - 1)).isEqualTo(record.firstSeq());
        }
        assertThat(sealed.seekTime(0)).isEqualTo(copy.firstSeq());
        assertThatThrownBy(() -> sealed.read(copy.firstSeq() - 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sealed.read(copy.nextSeq(), 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFileThatMayNotBeWrittenIsRead() throws IOException {
        SegmentFile copy = copy(7, log.segments().getFirst().nextSeq());
        Files.setPosixFilePermissions(
                directory.resolve("copy"), Set.of(java.nio.file.attribute.PosixFilePermission.OWNER_READ));
        assertThat(new SealedSegment(directory.resolve("copy"), copy).read(7, 1))
                .isNotEmpty();
    }

    @Test
    void beginsAndEndsWithRecordsOnly() {
        long second = log.segments().get(1).firstSeq();
        assertThatThrownBy(() -> SegmentCopy.write(log, 9, second, directory.resolve("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected a record from seq 9");
        assertThatThrownBy(() -> SegmentCopy.write(log, 7, 9, directory.resolve("b")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SegmentCopy.write(log, 7, log.nextSeq() + 1, directory.resolve("c")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the log has none");
    }

    @Test
    void damageIsNamed() throws IOException {
        SegmentFile copy = copy(7, log.segments().getFirst().nextSeq());
        Path path = directory.resolve("copy");
        byte[] bytes = Files.readAllBytes(path);
        bytes[300] ^= 1;
        Files.write(path, bytes);
        SealedSegment sealed = new SealedSegment(path, copy);
        assertThatThrownBy(() -> sealed.read(7, 1_000))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("checksum of the record");
    }

    private SegmentFile copy(long fromSeq, long toSeq) throws IOException {
        return SegmentCopy.write(log, fromSeq, toSeq, directory.resolve("copy"));
    }

    private static int crc(Path path) throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(Files.readAllBytes(path));
        return (int) crc.getValue();
    }
}
