package dev.weir.wal.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes of version 1 never change: if this test fails, a version 2 is due. */
final class SegmentFormatTest {
    private static final Path DIRECTORY = Path.of("segments");

    @Test
    void writesTheGoldenBytes() throws IOException {
        MemoryFiles files = new MemoryFiles();
        SegmentManifest manifest = GoldenSegment.write(files, DIRECTORY);
        assertThat(HexFormat.of().formatHex(files.content(DIRECTORY.resolve("00000000000000000042.seg"))))
                .isEqualTo(GoldenSegment.HEX);
        assertThat(manifest).isEqualTo(new SegmentManifest(42, 48, java.util.List.of(GoldenSegment.FILE)));
    }

    @Test
    void readsTheGoldenBytes() throws IOException {
        MemoryFiles files = new MemoryFiles();
        files.put(DIRECTORY.resolve(GoldenSegment.FILE.name()), HexFormat.of().parseHex(GoldenSegment.HEX));
        try (FileSegmentLog log =
                FileSegmentLog.open(files, DIRECTORY, GoldenSegment.MANIFEST, SegmentConfig.DEFAULT)) {
            assertThat(log.read(42, 1000))
                    .containsExactly(
                            new SegmentRecord(42, 3, 1_700_000_000_000_000_001L, text("weir")),
                            new SegmentRecord(45, 1, 1_700_000_000_000_000_002L, text("")),
                            new SegmentRecord(46, 2, 1_700_000_000_000_000_003L, text("change segment")));
        }
    }

    @Test
    void knowsItsFileNames() {
        assertThat(SegmentFormat.fileName(42)).isEqualTo("00000000000000000042.seg");
        assertThat(SegmentFormat.isFileName("00000000000000000042.seg")).isTrue();
        assertThat(SegmentFormat.isFileName("0000000000000000042.seg")).isFalse();
        assertThat(SegmentFormat.isFileName("0000000000000000004x.seg")).isFalse();
        assertThat(SegmentFormat.isFileName("00000000000000000042.seg.part")).isFalse();
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }
}
