package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CatchUpPaceTest {
    private static final long EVENTS = 800;
    private static final long TOOK = Duration.ofMillis(2).toNanos();

    private final MemoryCluster cluster = MemoryCluster.of(1);
    private long now = Long.MAX_VALUE - 1_000_000_000L;
    private double busy = 0.9;
    private final CatchUpPace pace = new CatchUpPace(cluster, 0.2, () -> busy, () -> now);

    /** Half a second passes in which so much is written. */
    private void halfASecond(int appends) {
        for (int n = 0; n < appends; n++) {
            cluster.log(0).append(MemoryBatch.point("cpu", "a", n, 1L));
        }
        now += Duration.ofMillis(500).toNanos();
    }

    /** Reads a page, which takes 2 ms. */
    private long page() {
        CatchUpPace.Turn turn = pace.reserve(EVENTS);
        now += turn.waitNanos() + TOOK;
        pace.made(turn, TOOK, EVENTS);
        return turn.waitNanos();
    }

    /** Pages that one reader gets in a second in which it does nothing else, while so much is written. */
    private int pagesOfASecond(int appends) {
        int pages = 0;
        for (int half = 0; half < 2; half++) {
            long from = now;
            halfASecond(appends / 2);
            long until = now;
            now = from;
            while (until - now > 0) {
                page();
                pages++;
            }
        }
        return pages;
    }

    @Test
    void nobodyWaitsWhereNothingIsWritten() {
        page();
        halfASecond(0);

        assertThat(page()).isZero();
        assertThat(page()).isZero();
        assertThat(pace.share()).as("no limit").isZero();
    }

    @Test
    void pagesTakeTheLeastShareWhileTheMachineIsBusyWithWrites() {
        page();
        halfASecond(150);
        for (int i = 0; i < 20; i++) {
            page();
        }

        assertThat(page()).as("a page of 2 ms every 10 ms").isBetween(4 * TOOK - 10, 4 * TOOK);
        assertThat(pace.share()).isEqualTo(0.2);
        assertThat(pagesOfASecond(300)).isBetween(95, 105);
    }

    @Test
    void readersTakeTurns() {
        page();
        halfASecond(150);
        page();

        long first = pace.reserve(EVENTS).waitNanos();
        assertThat(pace.reserve(EVENTS).waitNanos()).isGreaterThan(first + TOOK);
    }

    @Test
    void shareRisesWhileProcessorsAreFreeAndFallsWhenTheyAreNot() {
        busy = 0.2;
        page();
        for (int i = 0; i < 10; i++) {
            pagesOfASecond(300);
        }
        double risen = pace.share();
        assertThat(risen).as("all of a processor, and more").isGreaterThan(1);

        busy = 0.9;
        for (int i = 0; i < 3; i++) {
            pagesOfASecond(300);
        }
        assertThat(pace.share()).isLessThan(risen / 4);
        for (int i = 0; i < 20; i++) {
            pagesOfASecond(300);
        }
        assertThat(pace.share()).isEqualTo(0.2);
    }

    @Test
    void readersGainOnWritersHoweverFastTheseAre() {
        int appends = 80_000;
        page();
        pagesOfASecond(appends);
        pagesOfASecond(appends);

        assertThat(pagesOfASecond(appends) * EVENTS).isGreaterThan(3L * appends);
    }

    @Test
    void nobodyWaitsForEver() {
        page();
        halfASecond(150);
        long longest = 0;
        for (int reader = 0; reader < 1_000; reader++) {
            longest = Math.max(longest, pace.reserve(EVENTS).waitNanos());
        }

        assertThat(longest).isEqualTo(Duration.ofSeconds(1).toNanos());
    }

    @Test
    void aPageThatWaitedForTheStoreCountsForLittle() {
        page();
        halfASecond(150);
        pace.made(pace.reserve(EVENTS), Duration.ofMinutes(1).toNanos(), EVENTS);

        assertThat(page()).isLessThanOrEqualTo(Duration.ofMillis(510).toNanos());
    }

    @Test
    void whatIsNewHereCountsForNothing() {
        page();
        cluster.add(1, 1_000_000, List.of(0));
        halfASecond(0);

        page();
        assertThat(page()).isZero();
    }
}
