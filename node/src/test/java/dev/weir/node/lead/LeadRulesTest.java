package dev.weir.node.lead;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPeer;
import dev.weir.wal.LogStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class LeadRulesTest {
    private static final long START = TimeUnit.DAYS.toNanos(1);
    private static final PreferredLeaders.Pace PACE = new PreferredLeaders.Pace(
            Duration.ofSeconds(2),
            Duration.ofSeconds(15),
            Duration.ofSeconds(3),
            Duration.ofSeconds(30),
            Duration.ofSeconds(120),
            Duration.ofSeconds(600));

    private final PreferredLeaders leaders = new PreferredLeaders(PACE);

    @Test
    void waitsUntilALogHasHadItsLeaderForAWhile() {
        HeldLog log = log(1, "n2", 7, Map.of("n2", 100L));
        assertThat(leaders.next(List.of(log), (held, id) -> true, at(0))).isEmpty();
        assertThat(leaders.next(List.of(log), (held, id) -> true, at(14))).isEmpty();
        assertThat(leaders.next(List.of(log), (held, id) -> true, at(15))).contains(log);

        HeldLog nextTerm = log(1, "n2", 8, Map.of("n2", 100L));
        assertThat(leaders.next(List.of(nextTerm), (held, id) -> true, at(16))).isEmpty();
        assertThat(leaders.next(List.of(nextTerm), (held, id) -> true, at(31))).contains(nextTerm);
    }

    @Test
    void beginsAnewWithALogThatWasLostInBetween() {
        HeldLog log = log(1, "n2", 7, Map.of("n2", 100L));
        leaders.next(List.of(log), (held, id) -> true, at(0));
        leaders.next(List.of(), (held, id) -> true, at(10));
        leaders.next(List.of(log), (held, id) -> true, at(12));
        assertThat(leaders.next(List.of(log), (held, id) -> true, at(20))).isEmpty();
    }

    @Test
    void handsOverOneAtATimeWithAPauseBetween() {
        List<HeldLog> logs = Stream.of(1, 2)
                .map(each -> log(each, "n2", 1, Map.of("n2", 100L)))
                .toList();
        leaders.next(logs, (held, id) -> true, at(0));
        assertThat(leaders.next(logs, (held, id) -> true, at(20))).contains(logs.getFirst());
        leaders.tried(logs.getFirst(), at(20));
        assertThat(leaders.next(logs, (held, id) -> true, at(22))).isEmpty();
        assertThat(leaders.next(logs, (held, id) -> true, at(23))).contains(logs.getLast());
    }

    @Test
    void aLogThatComesBackWaitsLongerEachTime() {
        HeldLog log = log(1, "n2", 1, Map.of("n2", 100L));
        leaders.next(List.of(log), (held, id) -> true, at(0));
        leaders.tried(log, at(20));
        assertThat(leaders.next(List.of(log), (held, id) -> true, at(49))).isEmpty();
        assertThat(leaders.next(List.of(log), (held, id) -> true, at(50))).isPresent();
        leaders.tried(log, at(50));
        assertThat(leaders.next(List.of(log), (held, id) -> true, at(109))).isEmpty();
        assertThat(leaders.next(List.of(log), (held, id) -> true, at(110))).isPresent();
        leaders.tried(log, at(110));
        leaders.tried(log, at(230));
        assertThat(leaders.next(List.of(log), (held, id) -> true, at(349))).isEmpty();
        assertThat(leaders.next(List.of(log), (held, id) -> true, at(350))).isPresent();
    }

    @Test
    void handsOverOnlyToAVoterThatFollowsCloselyAndIsFit() {
        HeldLog far = log(1, "n2", 1, Map.of("n2", 10L, "n3", 100L));
        HeldLog unreachable = log(2, "n2", 1, Map.of("n3", 100L));
        HeldLog noVoter = log(3, "n9", 1, Map.of("n9", 100L));
        HeldLog mine = log(4, null, 1, Map.of("n2", 100L));
        HeldLog unfit = log(5, "n3", 1, Map.of("n3", 100L));
        List<HeldLog> all = List.of(far, unreachable, noVoter, mine, unfit);
        leaders.next(all, (held, id) -> !id.equals("n3"), at(0));
        assertThat(leaders.next(all, (held, id) -> !id.equals("n3"), at(60))).isEmpty();
        assertThat(leaders.next(all, (held, id) -> true, at(60))).contains(unfit);
    }

    @Test
    void theMedianNeedsMostClocks() {
        assertThat(ClockMedian.of(List.of(0L), 1)).hasValue(0);
        assertThat(ClockMedian.of(List.of(0L), 2)).isEmpty();
        assertThat(ClockMedian.of(List.of(0L, -15_000L), 3)).hasValue(-7_500);
        assertThat(ClockMedian.of(List.of(-15_000L, 0L, -15_010L), 3)).hasValue(-15_000);
        assertThat(ClockMedian.of(List.of(0L, 20L, 90_000L), 3)).hasValue(20);
        assertThat(ClockMedian.of(List.of(0L, 20L), 5)).isEmpty();
        assertThat(ClockMedian.of(List.of(1L, 2L, 3L, 9L), 5)).hasValue(2);
    }

    @Test
    void aMajorityNeedsSpaceAndTheUnknownAreNotFull() {
        assertThat(DiskMajority.shortage(1, List.of())).isNull();
        assertThat(DiskMajority.shortage(3, List.of("n2"))).isNull();
        assertThat(DiskMajority.shortage(3, List.of("n2", "n3")))
                .contains("disk.reserve-bytes on n2, n3", "at least 2 of 3");
        assertThat(DiskMajority.shortage(1, List.of("n1"))).isNotNull();
        assertThat(DiskMajority.shortage(5, List.of("n1", "n2"))).isNull();
    }

    @Test
    void aReadingGetsOldAndAPauseBeginsItAnew() {
        Pulses pulses = new Pulses();
        NodePulse pulse = new NodePulse(0, true, true, true);
        pulses.heard("n2", pulse, 3, at(0));
        pulses.heard("n2", pulse, 4, at(5));
        assertThat(pulses.fresh("n2", at(6)))
                .hasValueSatisfying(reading -> assertThat(reading.sinceNanos()).isEqualTo(at(0)));
        assertThat(pulses.fresh("n2", at(13))).isEmpty();
        pulses.heard("n2", pulse, 4, at(14));
        assertThat(pulses.fresh("n2", at(15)))
                .hasValueSatisfying(reading -> assertThat(reading.sinceNanos()).isEqualTo(at(14)));
    }

    @Test
    void aNodeWhoseClockWasAheadIsUnfitForAWhile() {
        NodeFitness fitness = new NodeFitness(() -> 0, PACE.unfit());
        fitness.leftByClock(at(1));
        assertThat(fitness.fit(at(600))).isFalse();
        assertThat(fitness.cause(at(2)))
                .as("the clock is told of by its reading")
                .isEmpty();
        assertThat(fitness.fit(at(602))).isTrue();
    }

    @Test
    void aNodeWhoseDiskHungIsUnfitForAWhile() {
        AtomicLong stalls = new AtomicLong();
        NodeFitness fitness = new NodeFitness(stalls::get, PACE.unfit());
        assertThat(fitness.fit(at(0))).isTrue();
        assertThat(fitness.cause(at(0))).isEmpty();

        stalls.set(1);
        assertThat(fitness.fit(at(1))).isFalse();
        assertThat(fitness.cause(at(30))).isPresent();
        assertThat(fitness.cause(at(62))).isEmpty();
        assertThat(fitness.fit(at(600))).isFalse();
        assertThat(fitness.fit(at(602))).isTrue();
    }

    private static long at(long seconds) {
        return START + TimeUnit.SECONDS.toNanos(seconds);
    }

    private static HeldLog log(int number, String preferred, long term, Map<String, Long> followers) {
        LogMembers members = LogMembers.voters(Stream.of("n1", "n2", "n3")
                .map(id -> new LogPeer(id, id + ":1"))
                .toList());
        LogStatus status =
                new LogStatus(LogStatus.Role.LEADER, term, "n1", true, 100, 100, followers, members, "running", 0, 0);
        return new HeldLog("log " + number, new LogGroupId(new UUID(0, number)), preferred, status, why -> {});
    }
}
