package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.feed.PartitionFeed;
import dev.weir.wal.segment.SeqTrimmedException;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class MergeReaderTest {
    private static final Position START = Position.of(new TreeMap<>(Map.of(0, 1L, 1, 1L)));

    private final MemoryCluster cluster = MemoryCluster.of(2);

    private record Read(int partition, long nextSeq, long weight) implements Page {
        @Override
        public boolean servesFrom(long seq) {
            return seq < nextSeq;
        }
    }

    private static Read read(PartitionFeed feed, int partition, long from) throws IOException {
        return new Read(partition, feed.read(from, 1).nextSeq(), 1);
    }

    @Test
    void aReplicaThatLacksWhatItSaysItHasIsLeftRatherThanGoneBackTo() throws Exception {
        cluster.log(0).append(MemoryBatch.point("cpu", "a", 1, 1L).placed(0, 0, 1));
        try (FeedSet feeds = new FeedSet(cluster, new Signal())) {
            MergeReader<Read> reader = new MergeReader<>(feeds, (feed, partition, from) -> {
                throw new SeqTrimmedException(from, from);
            });

            assertThat(reader.nextPage(START, null)).isNull();
            assertThat(feeds.takeMissing()).as("another replica is looked for").isTrue();
        }
    }

    @Test
    void aPartitionThatWaitsForTheStoreIsLeftOutForAWhile() throws Exception {
        for (int partition = 0; partition < 2; partition++) {
            cluster.log(partition).append(MemoryBatch.point("cpu", "a", 1, 1L).placed(partition, 0, 1));
        }
        MemoryFeed away = cluster.feeds.get(0);
        away.storeAway = true;
        try (FeedSet feeds = new FeedSet(cluster, new Signal())) {
            MergeReader<Read> reader = new MergeReader<>(feeds, MergeReaderTest::read);
            for (int i = 0; i < 3; i++) {
                Read page = reader.nextPage(START, null);
                assertThat(page).isNotNull().extracting(Read::partition).isEqualTo(1);
            }
            assertThat(away.reads).as("once, not at each turn").hasValue(1);
            assertThat(feeds.takeMissing()).as("it is looked for again").isTrue();

            away.storeAway = false;
            Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> {
                Read page = reader.nextPage(START, null);
                return page != null && page.partition() == 0;
            });
        }
    }
}
