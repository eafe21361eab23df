package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BlockRingTest {
    private static RunBlock block(int length, long seq) {
        return new RunBlock(
                Buffer.buffer(new byte[length]), 1, 0, seq, Position.of(new TreeMap<>()), null, 0, 0, false);
    }

    @Test
    void keepsBlocksUnderTheirIndexesWhileItGrowsAndShrinks() {
        Random random = new Random(1);
        BlockRing ring = new BlockRing();
        ArrayDeque<Long> model = new ArrayDeque<>();
        long weight = 0;
        for (long step = 0; step < 3000; step++) {
            if (random.nextInt(3) > 0 || model.isEmpty()) {
                RunBlock block = block(random.nextInt(100), step);
                ring.add(block);
                model.add(step);
                weight += block.weight();
            } else {
                weight -= ring.from(ring.first(), 1).getFirst().weight();
                ring.removeOldest();
                model.remove();
            }
            assertThat(ring.size()).isEqualTo(model.size());
            assertThat(ring.bytes()).isEqualTo(weight);
        }
        List<RunBlock> all = ring.from(ring.first(), Integer.MAX_VALUE);
        assertThat(all).extracting(RunBlock::lastSeq).containsExactlyElementsOf(model);
        assertThat(ring.from(ring.next(), 10)).isEmpty();
        ring.clear();
        assertThat(ring.bytes()).isZero();
        assertThat(ring.from(ring.first(), 10)).isEmpty();
    }

    @Test
    void givesAtLeastOneBlockHoweverLargeAndNoMoreThanAsked() {
        BlockRing ring = new BlockRing();
        ring.add(block(1000, 1));
        ring.add(block(50, 2));
        ring.add(block(50, 3));
        assertThat(ring.from(0, 100)).hasSize(1);
        assertThat(ring.from(1, 100)).hasSize(2);
        assertThat(ring.from(1, 99)).hasSize(1);
    }
}
