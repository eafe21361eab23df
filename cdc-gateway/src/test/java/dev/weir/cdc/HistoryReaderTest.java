package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.catalog.LeaseRecord;
import dev.weir.partition.engine.CutRequest;
import dev.weir.partition.engine.SurvivingRows;
import dev.weir.partition.model.HistoryCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backfill that is resumed behind some days reads them again: for as long as anybody is there, and so that one can see it. */
final class HistoryReaderTest {
    private static final int DAYS = 5;
    private static final String LEASE = "00000000000000aa";
    private static final CutRequest CUT = new CutRequest("default", List.of("cpu"), LEASE);
    private static final LeaseRecord.Held HELD = new LeaseRecord.Held(0, DAYS + 1, DAYS + 1, 1);

    @TempDir
    private Path folder;

    private final MemoryCluster cluster = MemoryCluster.of(2);
    private final List<Long> taken = new ArrayList<>();
    private final List<Gap> gaps = new ArrayList<>();
    private FileHistory history;
    private HistoryReader reader;
    private int opened;

    /** One row a day, all gone from the log; four of the days were taken. */
    @BeforeEach
    void resume() throws Exception {
        history = new FileHistory(cluster, folder);
        for (int day = 0; day < DAYS; day++) {
            cluster.log(0).append(MemoryBatch.point("cpu", "a", day * FileHistory.DAY, 1.0));
        }
        history.flush(0, 1);
        cluster.log(0).trim(DAYS + 1);
        history.cut(0, CUT);
        int tableId = history.stored(LEASE, 0).tables().getFirst().schema().tableId();
        reader = reader(HistoryCursor.first(LEASE).at(0, tableId, DAYS - 1, 0), HELD);
    }

    private HistoryReader reader(HistoryCursor place, LeaseRecord.Held... held) {
        LeaseRecord lease = new LeaseRecord(LEASE, "default", List.of("cpu"), List.of(held), 0, 1);
        Duration timeout = Duration.ofMillis(20);
        Lineage lineage = new Lineage(cluster.catalog(), cluster, timeout);
        StreamFilter filter =
                new StreamFilter("default", new TreeSet<>(Set.of("cpu")), Set.of(), new TreeMap<>(), new TreeSet<>());
        return new HistoryReader(
                new HeldHistory(lease, List.of(held), place, false),
                filter,
                history,
                new StartResolver(cluster, lineage, timeout, Clock.systemUTC()));
    }

    @Test
    void readsAgainOnlyWhileTheStreamGoesOn() throws Exception {
        history.onOpen = number -> opened = number + 1;

        assertThat(reader.read(new Client(1))).isFalse();
        assertThat(opened).as("it has left in the first day").isEqualTo(1);
        assertThat(taken).isEmpty();
        assertThat(gaps).isEmpty();
        assertThat(reader.read(new Client(Integer.MAX_VALUE))).isTrue();
        assertThat(taken).containsExactly((long) DAYS);
        assertThat(gaps).isEmpty();
    }

    @Test
    void aTryThatFailsCountsOnlyBeyondTheFurthestOneBefore() throws Exception {
        history.onOpen = number -> {
            if (number == 3) {
                throw new UncheckedIOException(new IOException("the store is away"));
            }
        };
        assertThatFails();
        assertThat(reader.lookedAt()).isEqualTo(3);

        history.onOpen = number -> {
            if (number == 3 + 1 + 2) {
                throw new UncheckedIOException(new IOException("the store is away"));
            }
        };
        assertThatFails();
        assertThat(reader.lookedAt()).isEqualTo(3);

        history.onOpen = number -> {};
        assertThat(reader.read(new Client(Integer.MAX_VALUE))).isTrue();
        assertThat(reader.lookedAt()).isEqualTo(DAYS - 1);
    }

    /** What it looks at again in the first partition would renew the lease with each try, though nothing comes of it. */
    @Test
    void aTryThatFailsInOnePartitionHasTheOneBeforeBehindIt() throws Exception {
        cluster.log(1).append(MemoryBatch.point("cpu", "b", 0, 1.0));
        history.flush(1, 1);
        cluster.log(1).trim(2);
        history.cut(1, CUT);
        reader = reader(HistoryCursor.first(LEASE), HELD, new LeaseRecord.Held(1, 2, 2, 1));
        history.onOpen = number -> opened = number + 1;
        MemoryFeed away = cluster.feeds.remove(1);

        for (int attempt = 0; attempt < 3; attempt++) {
            assertThatThrownBy(() -> reader.read(new Client(Integer.MAX_VALUE))).isInstanceOf(RequestRefused.class);
            assertThat(reader.lookedAt()).isZero();
            assertThat(opened).isEqualTo(DAYS);
            assertThat(reader.place().partition()).isEqualTo(1);
        }
        cluster.feeds.put(1, away);
        assertThat(reader.read(new Client(Integer.MAX_VALUE))).isTrue();
        assertThat(taken).containsExactly(1L, 2L, 3L, 4L, 5L, 1L);
        assertThat(gaps).isEmpty();
    }

    private void assertThatFails() {
        assertThatThrownBy(() -> reader.read(new Client(Integer.MAX_VALUE))).isInstanceOf(UncheckedIOException.class);
    }

    /** Goes once so many batches were read again. */
    private final class Client implements HistoryReader.Target {
        private final int batches;

        Client(int batches) {
            this.batches = batches;
        }

        @Override
        public boolean readsOn() {
            return reader.lookedAt() < batches;
        }

        @Override
        public void take(SurvivingRows rows, int from) {
            for (int row = from; row < rows.count(); row++) {
                taken.add(rows.seq(row));
            }
        }

        @Override
        public boolean gap(Gap gap, HistoryCursor after) {
            gaps.add(gap);
            return true;
        }
    }
}
