package dev.weir.node.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Leadership moves on real logs. */
@Execution(ExecutionMode.CONCURRENT) // most of each is waiting
final class LeadKeeperOnRatisTest {
    private static final Duration SOON = Duration.ofSeconds(90);

    @TempDir
    Path root;

    private LeadWorld world;

    @AfterEach
    void end() {
        world.close();
        assertThat(world.faults).isEmpty();
    }

    @Test
    void leadersBecomeSpreadWhileWritesGoOn() {
        world = new LeadWorld(root, List.of("n1", "n2", "n3", "n1", "n2", "n3"));
        world.leadAllBy("n1");
        List<LeadWorld.Writer> writers = world.startWriters();
        world.startKeepers();

        await().atMost(SOON).untilAsserted(() -> assertThat(world.leaders()).isEqualTo(world.preferred()));
        writers.forEach(writer -> {
            int before = writer.acknowledged();
            await().atMost(SOON).until(() -> writer.acknowledged() > before);
        });
        writers.forEach(LeadWorld.Writer::stop);

        for (LeadWorld.Writer writer : writers) {
            await().atMost(SOON).untilAsserted(() -> writer.assertEachAcknowledgedOnce());
        }
        assertThat(world.keeper("n1").transfers()).isGreaterThanOrEqualTo(4);
        assertThat(world.keeper("n2").transfers() + world.keeper("n3").transfers())
                .as("none goes to and fro")
                .isZero();
    }

    @Test
    void aLeaderWhoseClockIsAheadHandsOverAndStaysAwayForAWhile() {
        world = new LeadWorld(root, List.of("n1"));
        world.leadAllBy("n1");
        world.startKeepers();
        world.awaitPulses();

        world.clockAhead("n1", Duration.ofSeconds(8));
        await().atMost(SOON).until(() -> world.keeper("n1").clockAheadMs() > 7_000);
        assertThat(world.keeper("n1").causes()).isEmpty();
        assertThat(world.leaders()).containsExactly("n1");

        world.clockAhead("n1", Duration.ofSeconds(15));
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(world.keeper("n1").causes())
                        .singleElement()
                        .asString()
                        .contains("clock is 15.", "hands leadership over"));
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(world.leaders()).doesNotContain("n1").doesNotContain(""));
        assertThat(world.keeper("n2").causes()).isEmpty();
        assertThat(world.keeper("n3").causes()).isEmpty();

        world.clockAhead("n1", Duration.ZERO);
        await().atMost(SOON).until(() -> world.keeper("n1").causes().isEmpty());
        await().during(Duration.ofSeconds(5))
                .atMost(SOON)
                .until(() -> !world.leaders().contains("n1"));
        await().atMost(SOON).untilAsserted(() -> assertThat(world.leaders()).containsExactly("n1"));
        assertThat(world.keeper("n1").causes()).isEmpty();
    }

    @Test
    void aSlowClockTakesNoLeadAway() {
        world = new LeadWorld(root, List.of("n1"));
        world.leadAllBy("n1");
        world.startKeepers();
        world.clockAhead("n1", Duration.ofSeconds(-60));
        world.awaitPulses();
        await().during(Duration.ofSeconds(3))
                .atMost(SOON)
                .until(() -> world.leaders().equals(List.of("n1"))
                        && world.keeper("n1").causes().isEmpty());
    }

    @Test
    void aLeaderWhoseDiskIsFullHandsOverUntilThereIsSpace() {
        world = new LeadWorld(root, List.of("n1"));
        world.leadAllBy("n1");
        world.startKeepers();
        world.awaitPulses();

        world.full("n1", true);
        world.full("n2", true);
        await().atMost(SOON).untilAsserted(() -> assertThat(world.leaders()).containsExactly("n3"));
        assertThat(world.keeper("n1").pulse().fitToLead())
                .as("a full disk counts no longer than it is full")
                .isTrue();
        world.full("n1", false);
        await().atMost(SOON).untilAsserted(() -> assertThat(world.leaders()).containsExactly("n1"));
    }

    @Test
    void writesAreRefusedWhileMostVotersAreFull() {
        world = new LeadWorld(root, List.of("n1"));
        world.leadAllBy("n1");
        world.startKeepers();
        world.awaitPulses();

        world.nearlyFull("n2", true);
        await().atMost(SOON).until(() -> !world.keeper("n1").farAboveReserve(List.of("n1", "n2")));
        assertThat(world.keeper("n1").farAboveReserve(List.of("n1", "n3")))
                .as("n2 has no say in what it does not hold")
                .isTrue();
        world.full("n2", true);
        await().during(Duration.ofSeconds(1)).atMost(SOON).until(() -> world.refusal("n1") == null);
        world.full("n3", true);
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(world.refusal("n1")).contains("disk.reserve-bytes on n2, n3", "2 of 3"));
        world.silent("n3", true);
        await().atMost(SOON).until(() -> world.refusal("n1") == null);
        world.silent("n3", false);
        await().atMost(SOON).until(() -> world.refusal("n1") != null);
        world.full("n2", false);
        await().atMost(SOON).until(() -> world.refusal("n1") == null);
    }

    @Test
    void noLogIsGivenToANodeWhoseDiskHungOrThatIsFull() {
        world = new LeadWorld(root, List.of("n2", "n3"));
        world.leadAllBy("n1");
        world.stalled("n2");
        world.full("n3", true);
        world.startKeepers();
        world.awaitPulses();
        await().during(Duration.ofSeconds(4))
                .atMost(SOON)
                .until(() -> world.leaders().equals(List.of("n1", "n1")));
        world.full("n3", false);
        await().atMost(SOON).untilAsserted(() -> assertThat(world.leaders()).containsExactly("n1", "n3"));
    }
}
