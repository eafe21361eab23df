package dev.weir.node.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.PartitionRecord;
import dev.weir.partition.catalog.SlotRange;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Asked on node n9, which holds nothing. */
final class LeaderTableTest {
    private static final PartitionRecord RECORD =
            new PartitionRecord(5, 0, List.of(new SlotRange(0, 4)), List.of("n1", "n2", "n3"), List.of());

    private final LeaderTable leaders = new LeaderTable("n9", new NoPartitions(), partition -> Optional.empty());

    @Test
    void asksWhoIsKnownToLead() {
        leaders.learn(5, "n2");
        assertThat(leaders.target(RECORD, 0)).isEqualTo("n2");
        assertThat(leaders.target(RECORD, 1)).isEqualTo("n2");
        leaders.unlearn(5, "n2");
        assertThat(leaders.target(RECORD, 1)).isNotEqualTo(leaders.target(RECORD, 2));
    }

    /** As while a partition moves: the map does not name it yet, or no more. */
    @Test
    void asksALeaderOutsideTheMapAndTheOthersToo() {
        leaders.learn(5, "n4");
        assertThat(leaders.target(RECORD, 0)).isEqualTo("n4");
        for (int from = 0; from < 8; from += 4) {
            Set<String> asked = new HashSet<>();
            for (int attempt = from; attempt < from + 4; attempt++) {
                asked.add(leaders.target(RECORD, attempt));
            }
            assertThat(asked).as("within four tries").containsExactlyInAnyOrder("n1", "n2", "n3", "n4");
        }
    }
}
