package dev.weir.node.letters;

import dev.weir.node.ingest.letter.LetterKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Letters of one node whose times follow each other nanosecond by nanosecond, as those of one write do: nothing can lie between them, so a delete of
 * the range takes them and no other.
 *
 * @param codes that occur in it
 */
record LetterRun(String node, TreeSet<String> codes, long fromNanos, long toNanos) {
    static List<LetterRun> of(List<LetterKey> letters) {
        List<LetterKey> sorted = letters.stream()
                .sorted(Comparator.comparing(LetterKey::node).thenComparingLong(LetterKey::timeNanos))
                .toList();
        List<LetterRun> runs = new ArrayList<>();
        for (LetterKey letter : sorted) {
            LetterRun last = runs.isEmpty() ? null : runs.getLast();
            boolean follows = last != null && last.node.equals(letter.node()) && letter.timeNanos() - last.toNanos <= 1;
            if (last == null || !follows) {
                runs.add(new LetterRun(
                        letter.node(), new TreeSet<>(List.of(letter.code())), letter.timeNanos(), letter.timeNanos()));
            } else {
                last.codes.add(letter.code());
                runs.set(runs.size() - 1, new LetterRun(last.node, last.codes, last.fromNanos, letter.timeNanos()));
            }
        }
        return runs;
    }
}
