package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.wal.segment.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicaFilesTest {
    @TempDir
    private Path directory;

    private long now;
    private OneReplica one;
    private ReplicaFiles files;

    @BeforeEach
    void open() {
        one = new OneReplica(directory, 400, 300);
        files = new ReplicaFiles(directory, () -> now);
        for (int i = 0; i < 20; i++) {
            one.write(OneReplica.CPU, Rows.row("a", i, "i", 1L));
        }
        one.snapshot();
    }

    @AfterEach
    void close() {
        one.close();
    }

    @Test
    void keepsTheFilesOfATransferThoughTheyAreTrimmed() throws IOException {
        ReplicaFiles.Opened opened = files.open();
        ReplicaManifest manifest = ManifestCodec.decode(opened.manifest());
        one.apply(entry -> entry.addTrim(15));
        one.snapshot();
        one.snapshot();
        assertThat(one.replica().feed().oldestSeq()).isGreaterThan(1);
        for (SegmentFile file : manifest.segments().files()) {
            byte[] bytes = read(opened.id(), file.name());
            CRC32C crc = new CRC32C();
            crc.update(bytes);
            assertThat(bytes).hasSize((int) file.bytes());
            assertThat((int) crc.getValue()).isEqualTo(file.crc32c());
        }
    }

    @Test
    void refusesMoreTransfersThanItsLimitUntilOneEndsOrIdles() throws IOException {
        ReplicaFiles.Opened first = files.open();
        files.open();
        assertThatThrownBy(files::open).isInstanceOf(IOException.class).hasMessageContaining("at most 2");
        files.close(first.id());
        files.open();
        now = ReplicaFiles.IDLE_NANOS + 1;
        files.open();
        assertThat(files.transfers()).isEqualTo(1);
    }

    @Test
    void servesNothingButTheFilesOfTheManifest() throws IOException {
        long id = files.open().id();
        ByteBuffer target = ByteBuffer.allocate(10);
        assertThatThrownBy(() -> files.read(id, "../manifest", 0, target)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> files.read(id + 1, ReplicaFolder.DEFINITIONS, 0, target))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is over");
    }

    @Test
    void removesWhatAnEarlierProcessHasLeft() throws IOException {
        files.open();
        new ReplicaFiles(directory, () -> now).clean();
        assertThat(new QuickFiles().list(directory)).noneMatch(name -> name.startsWith("transfer"));
    }

    private byte[] read(long id, String name) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(10_000);
        ByteBuffer piece = ByteBuffer.allocate(100);
        while (files.read(id, name, all.position(), piece) > 0) {
            all.put(piece.flip());
            piece.clear();
        }
        byte[] bytes = new byte[all.flip().remaining()];
        all.get(bytes);
        return bytes;
    }
}
