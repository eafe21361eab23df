package dev.weir.node.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.node.ingest.letter.LetterReplay;
import dev.weir.node.ingest.letter.LetterReplay.Kept;
import dev.weir.node.ingest.rows.NameCaches;
import dev.weir.node.ingest.write.RowWriter;
import dev.weir.node.ingest.write.Workbench;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.write.BatchId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Kept texts are read again as they were meant. */
class LetterReplayTest {
    private static final String LINES = "{\"precision\":\"s\",\"nan\":\"drop-field\",\"default_time\":77}";
    private static final String JSON = "{\"precision\":\"ms\",\"default_time\":78}";
    private static final String FLAT =
            "{\"precision\":\"ns\",\"measurement\":\"f\",\"tags\":[\"h\"],\"time\":\"at\",\"default_time\":79}";

    private final MapPartitions partitions = new MapPartitions();
    private final AtomicLong batch = new AtomicLong();
    private final RowWriter writer = new RowWriter(
            new FoldingCatalog(2), partitions, () -> new BatchId("n1", 1, batch.incrementAndGet()), new Workbench(1));
    private final LetterReplay replay = new LetterReplay(writer, new NameCaches(1 << 20));

    @Test
    void readsEachTextInItsFormatWithItsParameters() throws InterruptedException {
        List<Optional<Refusal>> outcomes = replay.replay(
                "acme",
                List.of(
                        new Kept("m v=1i 5", "lp", LINES),
                        new Kept("m v=2i,w=NaN", "lp", LINES),
                        new Kept("{\"measurement\":\"m\",\"fields\":{\"v\":3},\"time\":9}", "json", JSON),
                        new Kept("{\"h\":\"a\",\"v\":4.5,\"at\":6}", "flat", FLAT),
                        new Kept("{\"h\":\"a\",\"v\":5}", "flat", FLAT)),
                1);
        assertThat(outcomes).allMatch(Optional::isEmpty);
        assertThat(partitions.texts())
                .containsExactlyInAnyOrder(
                        "m[] {v=1} @5000000000",
                        "m[] {v=2} @77",
                        "m[] {v=3} @9000000",
                        "f[h=a] {v=4.5} @6",
                        "f[h=a] {v=5.0} @79");
    }

    @Test
    void readsTextsThatAreLongerThanARowMayBeWhenItComes() throws InterruptedException {
        int bytes = IngestLimits.ROW_BYTES_MAX_DEFAULT / 16;
        StringBuilder fields = new StringBuilder();
        for (int i = 0; i < 17; i++) {
            fields.append(i == 0 ? "" : ",")
                    .append("\"f")
                    .append(i)
                    .append("\":\"")
                    .append("x".repeat(bytes))
                    .append('"');
        }
        String text = "{\"measurement\":\"m\",\"fields\":{" + fields + "},\"timestamp\":5}";
        assertThat(text.length()).isGreaterThan(IngestLimits.ROW_BYTES_MAX_DEFAULT);
        assertThat(replay.replay("acme", List.of(new Kept(text, "json", JSON)), 1))
                .containsExactly(Optional.empty());
        assertThat(partitions.rows()).hasSize(1);
    }

    @Test
    void namesWhatIsRefusedAgainAndLeavesNoLetters() throws InterruptedException {
        List<Optional<Refusal>> outcomes = replay.replay(
                "acme",
                List.of(
                        new Kept("m v=", "lp", LINES),
                        new Kept("m v=1i 5", "lp", LINES),
                        new Kept("m v=\"x\" 5", "lp", LINES),
                        new Kept("m v=1i 6\nm v=1i 7", "lp", LINES),
                        new Kept("[{\"measurement\":\"m\",\"fields\":{\"v\":3}},{", "json", JSON),
                        new Kept("# no row", "lp", LINES)),
                1);
        assertThat(outcomes.stream()
                        .map(outcome ->
                                outcome.map(why -> why.code().wireName()).orElse("stored")))
                .containsExactly("syntax", "stored", "type_conflict", "syntax", "syntax", "syntax");
        assertThat(partitions.texts()).containsExactly("m[] {v=1} @5000000000");
        assertThat(partitions.letters()).isEmpty();
    }
}
