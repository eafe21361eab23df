package dev.weir.partition.engine;

import static dev.weir.partition.engine.OneReplica.CPU;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.entry.Section.CompactionSection;
import dev.weir.partition.entry.Section.FlushSection;
import dev.weir.partition.entry.Section.RangeDeleteCause;
import dev.weir.partition.entry.Section.RangeDeleteSection;
import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.write.AppendOutcome.Applied;
import dev.weir.partition.write.AppendOutcome.VoidedRow;
import dev.weir.partition.write.BatchId;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a replica forgets when rows have become older than their table's retention. */
final class ExpiredRowsTest {
    @TempDir
    Path directory;

    private OneReplica replica;
    private long batch = 5000;

    @BeforeEach
    void open() {
        replica = new OneReplica(directory, 1 << 20, 1 << 16);
    }

    @AfterEach
    void close() {
        replica.close();
    }

    @Test
    void knowsItsOldestRowAlsoAfterARestart() {
        assertThat(replica.replica().oldestNanos(7)).isEqualTo(Long.MAX_VALUE);
        replica.write(CPU, Rows.row("a", 10, "f", 1.0), Rows.row("b", 30, "f", 1.0));
        assertThat(replica.replica().oldestNanos(7)).isEqualTo(10);
        expire(20);
        assertThat(replica.replica().oldestNanos(7)).isEqualTo(21);
        replica.snapshot();
        replica.restart();
        assertThat(replica.replica().oldestNanos(7)).isEqualTo(21);
    }

    @Test
    void filesThatAreTooOldGoByAnEntryAlone() {
        replica.write(CPU, Rows.row("a", 10, "f", 1.0));
        flush(new StoredFile("old", 1, 1, new byte[32], 10, 10, 1, 2, 0, 0, List.of(), false, 2, 1));
        replica.write(CPU, Rows.row("a", 15, "f", 1.0), Rows.row("a", 30, "f", 1.0));
        flush(new StoredFile("mixed", 1, 2, new byte[32], 15, 30, 3, 4, 0, 0, List.of(), false, 4, 1));
        assertThat(replica.replica().oldestNanos(7)).isEqualTo(10);

        expire(20);

        FileSet files = files();
        assertThat(files.covered()).extracting(StoredFile::key).containsExactly("old");
        assertThat(files.isWorthCleaning(files.files().get(1)))
                .as("the rest goes soon")
                .isFalse();
        assertThat(files.hasDeleted(files.files().get(1))).isTrue();
        assertThat(replica.replica().oldestNanos(7)).isEqualTo(21);
        replica.apply(entry -> entry.add(new CompactionSection(7, List.of("old"), List.of(), 5, 1)));
        assertThat(files().files()).extracting(StoredFile::key).containsExactly("mixed");
        assertThat(files().deletes()).hasSize(1);
        assertThat(replica.replica().fileStats().coveredFiles()).isEqualTo(1);
        assertThat(replica.replica().fileStats().retentionDeletes()).isEqualTo(1);
    }

    @Test
    void aRowWrittenAfterTheDeleteKeepsItsFile() {
        expire(20);
        replica.write(CPU, Rows.row("a", 10, "f", 1.0));
        flush(new StoredFile("late", 1, 1, new byte[32], 10, 10, 1, 3, 0, 0, List.of(), false, 3, 1));
        assertThat(files().covered()).isEmpty();
    }

    @Test
    void seriesWhosePointsAreGoneCountNoMoreAndComeBack() {
        replica.write(CPU, Rows.row("a", 10, "f", 1.0), Rows.row("b", 11, "f", 1.0), Rows.row("c", 40, "f", 1.0));
        assertThat(replica.replica().seriesByTenant()).isEqualTo(Map.of("t", 3));

        expire(20);

        assertThat(replica.replica().seriesByTenant()).isEqualTo(Map.of("t", 1));
        assertThat(replica.replica().fullestTable()).contains(new TableSeries("t", "cpu", 1, "host"));
        assertThat(limited(3, "d", "e", "f")).extracting(VoidedRow::row).containsExactly(2);
        replica.snapshot();
        replica.restart();
        assertThat(replica.replica().seriesByTenant()).isEqualTo(Map.of("t", 3));
        replica.write(CPU, Rows.row("a", 50, "f", 1.0));
        assertThat(replica.replica().seriesByTenant()).isEqualTo(Map.of("t", 4));
    }

    @Test
    void seriesWithoutPointsAreNoWayAroundTheLimit() {
        for (int round = 0; round < TableDirectory.DEFINED_PER_SERIES; round++) {
            assertThat(limited(2, "a" + round, "b" + round)).isEmpty();
            expire(1000 + round);
        }
        assertThat(limited(2, "last"))
                .singleElement()
                .satisfies(row -> assertThat(row.message()).contains("limits.series-per-table", "points are gone"));
    }

    private List<VoidedRow> limited(int seriesMax, String... hosts) {
        Rows.Row[] rows = new Rows.Row[hosts.length];
        for (int i = 0; i < hosts.length; i++) {
            rows[i] = Rows.row(hosts[i], 100, "f", 1.0);
        }
        Applied outcome =
                (Applied) replica.apply(entry -> entry.add(Rows.request(++batch, Rows.block(CPU, rows)), seriesMax))
                        .getFirst();
        return outcome.voided();
    }

    private void expire(long throughNanos) {
        replica.apply(entry -> entry.add(new RangeDeleteSection(
                new BatchId("front", 1, ++batch),
                Rows.GENERATION,
                "t",
                7,
                "cpu",
                List.of(),
                Long.MIN_VALUE,
                throughNanos,
                RangeDeleteCause.RETENTION,
                "change")));
    }

    private void flush(StoredFile file) {
        replica.apply(
                entry -> entry.add(new FlushSection(7, files().flushedThrough(), file.lastSeq(), List.of(file), 1)));
        assertThat(files().files()).extracting(StoredFile::key).contains(file.key());
    }

    private FileSet files() {
        return replica.replica().opened().cut(7).orElseThrow().files();
    }
}
