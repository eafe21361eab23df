package dev.weir.wal.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Golden bytes, changed: the log refuses them and says what it expected and found; it never hangs. */
final class SegmentLogFuzzTest {
    private static final Path DIRECTORY = Path.of("segments");
    private static final byte[] GOLDEN = HexFormat.of().parseHex(GoldenSegment.HEX);

    @Test
    void refusesEachChangedBit() {
        Assertions.assertTimeoutPreemptively(Duration.ofMinutes(5), () -> {
            for (int bit = 0; bit < GOLDEN.length * 8; bit++) {
                byte[] changed = GOLDEN.clone();
                changed[bit / 8] ^= (byte) (1 << bit % 8);
                assertRefused(changed, false, "bit " + bit);
                assertRefused(changed, true, "bit " + bit);
            }
        });
    }

    @Test
    void refusesRandomDamage() {
        long first = Long.getLong("weir.seed", System.nanoTime());
        System.out.println("seeds from " + first + " (-Dweir.seed=" + first + ")");
        Assertions.assertTimeoutPreemptively(Duration.ofMinutes(5), () -> {
            for (long seed = first; seed < first + 20_000; seed++) {
                Seeded random = new Seeded(seed);
                byte[] changed = damage(random);
                if (!Arrays.equals(changed, GOLDEN)) {
                    assertRefused(changed, random.oneIn(2), "seed " + seed);
                }
            }
        });
    }

    private static byte[] damage(Seeded random) {
        byte[] changed = Arrays.copyOf(GOLDEN, GOLDEN.length - (random.oneIn(4) ? random.below(GOLDEN.length) : 0));
        for (int i = random.below(6); i >= 0 && changed.length > 0; i--) {
            int at = random.below(changed.length);
            switch (random.below(4)) {
                case 0 -> changed[at] = (byte) random.nextLong();
                case 1 -> changed[at] = (byte) (random.oneIn(2) ? 0xff : 0x7f);
                case 2 -> Arrays.fill(changed, at, Math.min(changed.length, at + random.below(9)), (byte) 0);
                default -> {
                    int from = random.below(changed.length);
                    int count = Math.min(random.below(12), changed.length - Math.max(at, from));
                    System.arraycopy(changed, from, changed, at, count);
                }
            }
        }
        return changed;
    }

    private static void assertRefused(byte[] bytes, boolean sealed, String which) {
        try {
            assertThat(read(bytes, sealed)).as(which + " was not noticed").isNull();
        } catch (IOException e) {
            assertThat(e).as(which).hasMessageContaining("expected").hasMessageContaining("found");
        }
    }

    private static List<SegmentRecord> read(byte[] bytes, boolean sealed) throws IOException {
        MemoryFiles files = new MemoryFiles();
        SegmentFile file = GoldenSegment.FILE;
        files.put(DIRECTORY.resolve(file.name()), bytes);
        SegmentFile named = new SegmentFile(
                file.name(),
                file.firstSeq(),
                file.nextSeq(),
                file.firstCommittedAtNanos(),
                file.lastCommittedAtNanos(),
                file.bytes(),
                file.crc32c(),
                sealed);
        SegmentManifest manifest = new SegmentManifest(42, 48, List.of(named));
        try (FileSegmentLog log = FileSegmentLog.open(files, DIRECTORY, manifest, SegmentConfig.DEFAULT)) {
            return log.read(42, 1000);
        }
    }
}
