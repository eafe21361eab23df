package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How streams end when the node stops. */
class StopWavesTest {
    private static final class Counting implements OpenStream {
        final AtomicInteger stops = new AtomicInteger();

        @Override
        public void run() {
            throw new AssertionError("not run here");
        }

        @Override
        public void stop() {
            stops.incrementAndGet();
        }

        @Override
        public Position position() {
            throw new AssertionError("not asked here");
        }

        @Override
        public long pendingBytes() {
            return 0;
        }

        @Override
        public boolean drops() {
            return false;
        }
    }

    private static List<Counting> streams(int count) {
        return IntStream.range(0, count).mapToObj(i -> new Counting()).toList();
    }

    @Test
    void areOfOneSizeAndNoMoreThanTwenty() {
        for (int count : new int[] {0, 1, 3, 20, 21, 100, 2_001}) {
            StopWaves waves = StopWaves.of(new ArrayList<>(streams(count)), Duration.ofSeconds(2));

            assertThat(waves.waves()).hasSizeLessThanOrEqualTo(Math.min(count, StopWaves.WAVES_MAX));
            assertThat(waves.waves().stream().mapToInt(List::size).max().orElse(0))
                    .isEqualTo((count + StopWaves.WAVES_MAX - 1) / StopWaves.WAVES_MAX);
            assertThat(waves.pause()).isEqualTo(Duration.ofMillis(100));
        }
    }

    @Test
    void stopEachStreamOnce() {
        List<Counting> streams = streams(137);

        StopWaves.of(new ArrayList<>(streams), Duration.ofNanos(100)).run();

        assertThat(streams).allMatch(stream -> stream.stops.get() == 1);
    }

    @Test
    void stopTheRestAtOnceWhereTheThreadIsToEnd() throws InterruptedException {
        List<Counting> streams = streams(40);
        Thread thread = Thread.ofVirtual().unstarted(StopWaves.of(new ArrayList<>(streams), Duration.ofHours(1))::run);
        thread.start();
        thread.interrupt();
        thread.join();

        assertThat(streams).allMatch(stream -> stream.stops.get() == 1);
    }
}
