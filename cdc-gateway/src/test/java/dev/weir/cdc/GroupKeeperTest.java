package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.MemberStream;
import dev.weir.partition.catalog.SubscriptionBudget;
import dev.weir.partition.catalog.SubscriptionRecord;
import dev.weir.partition.model.Cursor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who coordinates groups, by itself. Partition 7 is a child of 1, which has one event. */
class GroupKeeperTest {
    private final MemoryCluster cluster = MemoryCluster.of(2);
    private final GroupKeeper keeper = new GroupKeeper(
            cluster.catalog(),
            new Lineage(cluster.catalog(), cluster, Duration.ofSeconds(1)),
            Duration.ofSeconds(100),
            () -> true,
            () -> 0);

    @BeforeEach
    void split() {
        cluster.log(1).append(MemoryBatch.point("cpu", "a", 1, 1L));
        cluster.fold(new CatalogCommand.PutSubscription(
                SubscriptionRecord.made(
                        "default", "work", new TreeMap<>(), "now", at(1, 1), SubscriptionBudget.NONE, 0),
                9));
        cluster.fold(new CatalogCommand.JoinGroup(
                "default",
                "work",
                "m1",
                new MemberStream("n", "x"),
                CatalogCommand.Group.ANY_GENERATION,
                new TreeSet<>(List.of(0, 1)),
                9));
        cluster.add(7, 2, List.of(1));
        cluster.end(1);
    }

    @AfterEach
    void close() {
        keeper.close();
    }

    private static Cursor at(long next0, long next1) {
        return new Cursor(new TreeMap<>(Map.of(0, next0, 1, next1)));
    }

    private SortedSet<Integer> ready() {
        return cluster.catalog()
                .image()
                .subscription("default", "work")
                .orElseThrow()
                .group()
                .ready();
    }

    /** The parent is acknowledged to its end when it is looked at, and to be read again when that comes to effect. */
    @Test
    void aChildThatWasReadyBeforeASeekIsNotHandedOutBehindIt() {
        cluster.fold(new CatalogCommand.SeekSubscription("default", "work", at(1, 2)));
        cluster.elsewhere = new CatalogCommand.SeekSubscription("default", "work", at(1, 1));
        keeper.tick();
        assertThat(ready()).doesNotContain(7);

        keeper.tick();
        assertThat(ready()).containsExactly(0, 1);
    }

    @Test
    void aChildIsHandedOutWhereItsParentIsAcknowledged() {
        cluster.fold(new CatalogCommand.SeekSubscription("default", "work", at(1, 2)));
        keeper.tick();
        assertThat(ready()).containsExactly(0, 7);
    }
}
