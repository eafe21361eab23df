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

    @TempDir
    private Path folder;

    private final MemoryCluster cluster = MemoryCluster.of(1);
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
        history.cut(0, new CutRequest("default", List.of("cpu"), LEASE));
        LeaseRecord.Held held = new LeaseRecord.Held(0, DAYS + 1, DAYS + 1, 1);
        LeaseRecord lease = new LeaseRecord(LEASE, "default", List.of("cpu"), List.of(held), 0, 1);
        int tableId = history.stored(LEASE, 0).tables().getFirst().schema().tableId();
        HistoryCursor place = HistoryCursor.first(LEASE).at(0, tableId, DAYS - 1, 0);
        Duration timeout = Duration.ofSeconds(1);
        Lineage lineage = new Lineage(cluster.catalog(), cluster, timeout);
        StreamFilter filter =
                new StreamFilter("default", new TreeSet<>(Set.of("cpu")), Set.of(), new TreeMap<>(), new TreeSet<>());
        reader = new HistoryReader(
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
