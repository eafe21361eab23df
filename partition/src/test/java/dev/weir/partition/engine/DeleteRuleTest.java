package dev.weir.partition.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.Tag;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeleteRuleTest {
    private static final List<Tag> A = List.of(new Tag("host", "a"));
    private static final List<Tag> A_CPU_1 = List.of(new Tag("cpu", "1"), new Tag("host", "a"));

    @Test
    void aLaterRuleTakesThePlaceOfOneThatItCovers() {
        DeleteRule before = new DeleteRule(5, false, A, 10, 20);
        assertThat(new DeleteRule(9, false, A, 0, 20).replaces(before)).isTrue();
        assertThat(new DeleteRule(9, false, List.of(), 10, 20).replaces(before)).isTrue();
        assertThat(new DeleteRule(9, false, A, 11, 20).replaces(before)).isFalse();
        assertThat(new DeleteRule(9, false, A_CPU_1, 0, 30).replaces(before))
                .as("fewer series")
                .isFalse();
        assertThat(DeleteRule.ofSeries(9, A).replaces(before))
                .as("one series of those")
                .isFalse();
        assertThat(new DeleteRule(9, false, A, Long.MIN_VALUE, Long.MAX_VALUE)
                        .replaces(DeleteRule.ofSeries(5, A_CPU_1)))
                .isTrue();
    }

    @Test
    void factsKeepOneRuleForDeletesOfWhatIsOld() {
        LogFacts facts = new LogFacts();
        for (int seq = 1; seq <= 100; seq++) {
            facts.deleted(7, new DeleteRule(seq, false, List.of(), Long.MIN_VALUE, seq * 10L));
        }
        assertThat(facts.files(7).deletes())
                .containsExactly(new DeleteRule(100, false, List.of(), Long.MIN_VALUE, 1000));
    }
}
