package dev.weir.wal.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WriteBackTest {
    @TempDir
    Path directory;

    private final AtomicInteger forces = new AtomicInteger();
    private volatile boolean failing;
    private FileSegmentLog log;

    @BeforeEach
    void open() throws IOException {
        log = FileSegmentLog.open(new Counting(), directory, SegmentManifest.empty(1), SegmentConfig.DEFAULT);
    }

    @Test
    void bringsBytesToTheDiskBeforeASyncAsks() throws IOException {
        appendPiece();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(forces).hasValue(1));
        log.sync();
        assertThat(forces).hasValue(2);
        log.close();
    }

    @Test
    void aSyncTellsOfAWriteThatWasLostBefore() throws IOException {
        failing = true;
        appendPiece();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(forces).hasValue(1));
        failing = false;
        assertThatThrownBy(log::sync).isInstanceOf(IOException.class).hasMessageContaining("could not be written");
        assertThatThrownBy(() -> log.append(1, Long.MAX_VALUE, ByteBuffer.allocate(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("failed before");
        log.close();
    }

    private void appendPiece() throws IOException {
        ByteBuffer payload = ByteBuffer.allocate(1 << 20);
        for (int i = 1; i <= WriteBack.PIECE_BYTES >> 20; i++) {
            log.append(1, i, payload);
        }
    }

    /** Real files that count and refuse syncs. */
    private final class Counting implements SegmentFiles {
        private final ChannelFiles files = new ChannelFiles();

        @Override
        public void createDirectories(Path path) throws IOException {
            files.createDirectories(path);
        }

        @Override
        public java.util.List<String> list(Path path) throws IOException {
            return files.list(path);
        }

        @Override
        public OpenFile create(Path file) throws IOException {
            return new CountingFile(files.create(file));
        }

        @Override
        public OpenFile open(Path file) throws IOException {
            return new CountingFile(files.open(file));
        }

        @Override
        public void move(Path from, Path to) throws IOException {
            files.move(from, to);
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

    private final class CountingFile implements SegmentFiles.OpenFile {
        private final SegmentFiles.OpenFile file;

        CountingFile(SegmentFiles.OpenFile file) {
            this.file = file;
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            file.write(source, position);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void force() throws IOException {
            boolean refused = failing;
            forces.incrementAndGet();
            if (refused) {
                throw new IOException("disk gone");
            }
            file.force();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
