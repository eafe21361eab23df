package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PointTimesTest {
    @Test
    void tellsWhatEachTimeIsToItsSeries() {
        PointTimes times = new PointTimes();
        assertThat(times.add(5, 10)).isEqualTo(PointTimes.ADDED_NEWEST);
        assertThat(times.add(5, 10)).isEqualTo(PointTimes.EXISTED_NEWEST);
        assertThat(times.add(5, 8)).isEqualTo(PointTimes.ADDED_OLDER);
        assertThat(times.add(5, 8)).isEqualTo(PointTimes.EXISTED);
        assertThat(times.add(4, 8)).isEqualTo(PointTimes.ADDED_NEWEST);
        assertThat(times.newest(5)).isEqualTo(10);
        assertThat(times.points()).isEqualTo(3);
    }

    @Test
    void takesTheEndsOfTheRangeOfTimes() {
        PointTimes times = new PointTimes();
        assertThat(times.add(0, Long.MIN_VALUE)).isEqualTo(PointTimes.ADDED_NEWEST);
        assertThat(times.add(0, Long.MAX_VALUE)).isEqualTo(PointTimes.ADDED_NEWEST);
        assertThat(times.removeRange(0, Long.MIN_VALUE, Long.MAX_VALUE)).isEqualTo(2);
        assertThat(times.add(0, Long.MIN_VALUE)).isEqualTo(PointTimes.ADDED_NEWEST);
    }

    @Test
    void agreesWithSortedSetsWhateverTheOrder() {
        for (int seed = 0; seed < 60; seed++) {
            agree(new Random(seed), seed % 3, seed);
        }
    }

    @Test
    void staysFastWhenALongSeriesComesBackwards() {
        PointTimes times = new PointTimes();
        for (long time = 300_000; time > 0; time--) {
            times.add(0, time);
        }
        assertThat(times.count(0)).isEqualTo(300_000);
        assertThat(times.newest(0)).isEqualTo(300_000);
    }

    private static void agree(Random random, int shape, int seed) {
        PointTimes times = new PointTimes();
        TreeSet<Long> model = new TreeSet<>();
        long next = 0;
        for (int i = 0; i < 4000; i++) {
            next += random.nextInt(3);
            long time = switch (shape) {
                case 0 -> random.nextInt(3000);
                case 1 -> next - (random.nextInt(10) == 0 ? random.nextInt(500) : 0);
                default -> -next + random.nextInt(20);
            };
            boolean isNewest = model.isEmpty() || time >= model.last();
            boolean added = model.add(time);
            int expected = added
                    ? isNewest ? PointTimes.ADDED_NEWEST : PointTimes.ADDED_OLDER
                    : isNewest ? PointTimes.EXISTED_NEWEST : PointTimes.EXISTED;
            assertThat(times.add(1, time)).as("seed %d step %d", seed, i).isEqualTo(expected);
            if (random.nextInt(700) == 0) {
                long from = time - random.nextInt(300);
                int removed = model.subSet(from, true, time, true).size();
                model.subSet(from, true, time, true).clear();
                assertThat(times.removeRange(1, from, time)).isEqualTo(removed);
            }
            if (random.nextInt(2000) == 0) {
                assertThat(times.clear(1)).isEqualTo(model.size());
                model.clear();
            }
        }
        assertThat(times.times(1))
                .containsExactly(model.stream().mapToLong(t -> t).toArray());
        assertThat(times.points()).isEqualTo(model.size());
        for (long time = -3100; time < 3100; time++) {
            assertThat(times.contains(1, time)).isEqualTo(model.contains(time));
        }
    }
}
