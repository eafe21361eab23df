package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.model.Tag;
import java.util.List;
import org.junit.jupiter.api.Test;

class FileSetTest {
    private static final List<Tag> A = List.of(new Tag("host", "a"));

    /** @param seq of all rows, and through which the table is flushed then */
    private static StoredFile file(long seq) {
        return new StoredFile("f" + seq, 1, 1, new byte[32], 0, 1_000_000, seq, seq, 0, 0, List.of(), false, seq, 1);
    }

    @Test
    void retentionLeavesOneRuleHoweverManyFlushesLieBetween() {
        LogFacts facts = new LogFacts();
        for (int seq = 1; seq <= 100; seq += 2) {
            facts.deleted(7, new DeleteRule(seq, false, List.of(), Long.MIN_VALUE, seq * 10L));
            facts.files(7, facts.files(7).flushed(seq + 1, List.of(file(seq - 1))));
        }
        assertThat(facts.files(7).deletes()).containsExactly(new DeleteRule(99, false, List.of(), Long.MIN_VALUE, 990));
    }

    @Test
    void whatALaterDeleteDoesNotTakeStaysInForce() {
        DeleteRule young = new DeleteRule(3, false, List.of(), 500, 900);
        DeleteRule old = new DeleteRule(4, false, A, 10, 20);
        DeleteRule retention = new DeleteRule(9, false, List.of(), Long.MIN_VALUE, 100);
        FileSet files = new FileSet(2, List.of(file(1)), List.of(young, old));
        assertThat(files.with(List.of(retention)).deletes()).containsExactly(young, retention);
        DeleteRule range = new DeleteRule(12, false, List.of(), 0, 2_000);
        assertThat(files.with(List.of(retention, range)).deletes()).containsExactly(young, retention, range);
    }
}
