package dev.weir.wal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A segment of three records, byte by byte. */
final class GoldenSegment {
    static final String HEX = "5753454700000001000000000000002aef6a9a3e"
            + "0863ead700000004000000000000002a0000000317979cfe362a000177656972"
            + "1738dd0300000000000000000000002d0000000117979cfe362a0002"
            + "4fd108cc0000000e000000000000002e0000000217979cfe362a00036368616e6765207365676d656e74";

    static final SegmentFile FILE = new SegmentFile(
            "00000000000000000042.seg",
            42,
            48,
            1_700_000_000_000_000_001L,
            1_700_000_000_000_000_003L,
            HEX.length() / 2,
            0x9fde82d4,
            false);

    static final SegmentManifest MANIFEST = new SegmentManifest(42, 48, List.of(FILE));

    private GoldenSegment() {}

    static SegmentManifest write(SegmentFiles files, Path directory) throws IOException {
        try (FileSegmentLog log =
                FileSegmentLog.open(files, directory, SegmentManifest.empty(42), SegmentConfig.DEFAULT)) {
            log.append(3, 1_700_000_000_000_000_001L, text("weir"));
            log.append(1, 1_700_000_000_000_000_002L, text(""));
            log.append(2, 1_700_000_000_000_000_003L, text("change segment"));
            return log.sync();
        }
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }
}
