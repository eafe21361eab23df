package dev.weir.node.letters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.node.ingest.letter.LetterKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Ranges of deletes take the letters that are meant, and could take no other. */
class LetterRunTest {
    @Test
    void joinsWhatFollowsNanosecondByNanosecondOnOneNode() {
        List<LetterRun> runs = LetterRun.of(List.of(
                letter(7, "a", "syntax"),
                letter(5, "a", "syntax"),
                letter(6, "a", "type_conflict"),
                letter(9, "a", "syntax"),
                letter(8, "b", "syntax")));
        assertThat(runs)
                .containsExactly(
                        new LetterRun("a", new TreeSet<>(List.of("syntax", "type_conflict")), 5, 7),
                        new LetterRun("a", new TreeSet<>(List.of("syntax")), 9, 9),
                        new LetterRun("b", new TreeSet<>(List.of("syntax")), 8, 8));
    }

    @Test
    void coversExactlyTheChosenOnes() {
        Random random = new Random(11);
        for (int round = 0; round < 200; round++) {
            List<LetterKey> chosen = new ArrayList<>();
            List<LetterKey> others = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                LetterKey letter = letter(100 + i, "n" + random.nextInt(2), random.nextBoolean() ? "x" : "y");
                (random.nextInt(4) > 0 ? chosen : others).add(letter);
            }
            List<LetterRun> runs = LetterRun.of(chosen);
            assertThat(chosen).allMatch(letter -> isTaken(letter, runs));
            assertThat(others).noneMatch(letter -> isTaken(letter, runs));
        }
    }

    private static boolean isTaken(LetterKey letter, List<LetterRun> runs) {
        return runs.stream()
                .anyMatch(run -> run.node().equals(letter.node())
                        && run.codes().contains(letter.code())
                        && letter.timeNanos() >= run.fromNanos()
                        && letter.timeNanos() <= run.toNanos());
    }

    private static LetterKey letter(long time, String node, String code) {
        return new LetterKey(time, node, code);
    }
}
