package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FoundSeqsTest {
    private static final long SINCE = 1_000_003;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void gapsAreAllThatWasNotFound(long seed) {
        Random random = new Random(seed);
        long end = SINCE + 1 + random.nextInt(400_000);
        FoundSeqs found = new FoundSeqs(3, SINCE, end);
        TreeSet<Long> missing = new TreeSet<>();
        for (long seq = SINCE; seq < end; seq++) {
            missing.add(seq);
        }
        for (int run = 0; run < 8; run++) {
            long from = SINCE - 10 + random.nextInt(400_000);
            long to = from + random.nextInt(150_000);
            for (long seq = from; seq < to; seq++) {
                found.add(seq);
                missing.remove(seq);
            }
        }

        TreeSet<Long> told = new TreeSet<>();
        long last = 0;
        for (Gap gap = found.gapFrom(0); gap != null; gap = found.gapFrom(gap.last() + 1)) {
            assertThat(gap.first()).as("not one gap with the one before").isGreaterThan(last + 1);
            for (long seq = gap.first(); seq <= gap.last(); seq++) {
                told.add(seq);
            }
            last = gap.last();
        }
        assertThat(told).isEqualTo(missing);
    }

    @Test
    void aGapGoesOnOverPagesAndFromItsMiddle() {
        FoundSeqs found = new FoundSeqs(3, SINCE, SINCE + (1 << 28));
        found.add(SINCE);
        found.add(SINCE + (1 << 27));

        assertThat(found.gapFrom(0)).isEqualTo(gap(SINCE + 1, SINCE + (1 << 27) - 1));
        assertThat(found.gapFrom(SINCE + 70_000)).isEqualTo(gap(SINCE + 70_000, SINCE + (1 << 27) - 1));
        assertThat(found.gapFrom(SINCE + (1 << 27))).isEqualTo(gap(SINCE + (1 << 27) + 1, SINCE + (1 << 28) - 1));
        assertThat(found.gapFrom(SINCE + (1 << 28))).isNull();
    }

    /** Reserved they were 32 GiB. */
    @Test
    void longStretchesTakeMemoryOnlyForWhatWasFound() {
        List<FoundSeqs> many = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            many.add(new FoundSeqs(i, 1, 1 + (1 << 28)));
        }
        assertThat(many).allMatch(each -> each.gapFrom(0).last() == 1 << 28);
    }

    private static Gap gap(long first, long last) {
        return new Gap(3, first, last, Gap.Reason.COMPACTED);
    }
}
