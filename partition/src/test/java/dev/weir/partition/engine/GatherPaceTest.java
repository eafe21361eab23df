package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GatherPaceTest {
    private static final long START = Long.MAX_VALUE - 1_000_000;

    private final GatherPace pace = new GatherPace();

    @Test
    void lacksDelayBeforeTheFirstAnswer() {
        assertThat(pace.delay(START)).isZero();
    }

    @Test
    void waitsLongerTheLongerAppendsTakeUpToItsLimit() {
        pace.answered(START, ms(2), true);
        assertThat(pace.delay(START)).isZero();
        pace.answered(START, ms(5), true);
        assertThat(pace.delay(START)).isEqualTo(ms(2));
        pace.answered(START, ms(500), true);
        assertThat(pace.delay(START)).isEqualTo(ms(10));
    }

    @Test
    void countsFromTheAnswer() {
        pace.answered(START, ms(8), true);
        assertThat(pace.delay(START + ms(3))).isEqualTo(ms(2));
        assertThat(pace.delay(START + ms(5))).isZero();
        assertThat(pace.delay(START + ms(50))).isZero();
    }

    @Test
    void neverDelaysAClientThatWritesOneAfterAnother() {
        pace.answered(START, ms(500), false);
        assertThat(pace.delay(START)).isZero();
    }

    private static long ms(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
