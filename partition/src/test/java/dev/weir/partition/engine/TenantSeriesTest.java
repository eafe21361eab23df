package dev.weir.partition.engine;

import static dev.weir.partition.engine.OneReplica.CPU;
import static dev.weir.partition.engine.OneReplica.DISK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.entry.RowBlock;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.write.AppendOutcome.Applied;
import dev.weir.partition.write.AppendOutcome.VoidCause;
import dev.weir.partition.write.AppendOutcome.VoidedRow;
import dev.weir.partition.write.TenantSeriesLimit;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many series a tenant has in a partition, and where that ends. */
final class TenantSeriesTest {
    private static final TableSchema OTHERS = Rows.schema(9, "u", "cpu", 1);

    @TempDir
    Path directory;

    private OneReplica replica;
    private long batch = 1000;

    @BeforeEach
    void open() {
        replica = new OneReplica(directory, 1 << 20, 1 << 16);
    }

    @AfterEach
    void close() {
        replica.close();
    }

    @Test
    void newSeriesBeyondTheLimitAreVoidAndTheKnownGoOn() {
        replica.write(CPU, Rows.row("a", 1, "f", 1.0), Rows.row("b", 1, "f", 1.0));
        replica.write(OTHERS, Rows.row("x", 1, "f", 1.0), Rows.row("y", 1, "f", 1.0));

        Applied outcome = limited(
                new TenantSeriesLimit(50, 3),
                Rows.block(
                        DISK, Rows.row("a", 2, "f", 1.0), Rows.row("new", 2, "f", 1.0), Rows.row("more", 2, "f", 1.0)),
                Rows.block(CPU, Rows.row("b", 2, "f", 2.0), Rows.row("c", 2, "f", 2.0)));

        assertThat(outcome.inserted()).isEqualTo(2);
        assertThat(outcome.voided()).extracting(VoidedRow::row).containsExactly(1, 2, 4);
        assertThat(outcome.voided())
                .allSatisfy(row -> {
                    assertThat(row.cause()).isEqualTo(VoidCause.LIMIT);
                    assertThat(row.code()).isEqualTo(ErrorCode.LIMIT_SERIES);
                })
                .last()
                .satisfies(row -> assertThat(row.message())
                        .isEqualTo("tenant t is at its limit of 50 series (limits.series-per-tenant), in table cpu;"
                                + " the tag with most values is host"));
        assertThat(replica.replica().seriesByTenant()).isEqualTo(Map.of("t", 3, "u", 2));
    }

    @Test
    void theLimitOfTheTableIsNamedWhereItComesFirst() {
        Applied outcome = (Applied) replica.apply(entry -> entry.add(
                        Rows.request(++batch, Rows.block(CPU, Rows.row("a", 1, "f", 1.0), Rows.row("b", 1, "f", 1.0))),
                        1,
                        new TenantSeriesLimit(50, 10)))
                .getFirst();
        assertThat(outcome.voided())
                .singleElement()
                .satisfies(row -> assertThat(row.message()).contains("limits.series-per-table"));
    }

    @Test
    void seriesThatComeBackCountAsNewOnesDo() {
        replica.write(CPU, Rows.row("a", 1, "f", 1.0), Rows.row("b", 1, "f", 1.0));
        replica.delete(CPU, SimOp.tags("a"));
        replica.delete(CPU, SimOp.tags("b"));
        assertThat(table(2, "c", "d").voided()).isEmpty();

        assertThat(table(2, "a", "c", "b").voided()).extracting(VoidedRow::row).containsExactly(0, 2);
        assertThat(replica.replica().seriesByTenant()).isEqualTo(Map.of("t", 2));

        Applied byTenant = limited(
                new TenantSeriesLimit(5, 3), Rows.block(CPU, Rows.row("a", 2, "f", 1.0), Rows.row("b", 2, "f", 1.0)));
        assertThat(byTenant.voided()).singleElement().satisfies(row -> {
            assertThat(row.row()).isEqualTo(1);
            assertThat(row.message()).contains("limits.series-per-tenant");
        });
    }

    private Applied table(int seriesMax, String... hosts) {
        Rows.Row[] rows =
                Arrays.stream(hosts).map(host -> Rows.row(host, 9, "f", 1.0)).toArray(Rows.Row[]::new);
        batch++;
        return (Applied) replica.apply(entry -> entry.add(Rows.request(batch, Rows.block(CPU, rows)), seriesMax))
                .getFirst();
    }

    @Test
    void weirsOwnTablesKnowNoLimitOfSeries() {
        TableSchema own = Rows.schema(10, "t", TableSchema.DEAD_LETTERS, 1);
        Applied outcome = (Applied) replica.apply(entry -> entry.add(
                        Rows.request(++batch, Rows.block(own, Rows.row("a", 1, "f", 1.0), Rows.row("b", 1, "f", 1.0))),
                        1,
                        new TenantSeriesLimit(1, 0)))
                .getFirst();
        assertThat(outcome.inserted()).isEqualTo(2);
    }

    @Test
    void seriesOfADroppedTableCountNoMoreAlsoAfterARestart() {
        replica.write(CPU, Rows.row("a", 1, "f", 1.0), Rows.row("b", 1, "f", 1.0));
        replica.write(DISK, Rows.row("a", 1, "f", 1.0));
        assertThat(replica.replica().fullestTable()).contains(new TableSeries("t", "cpu", 2, "host"));

        replica.delete(CPU, null);

        assertThat(replica.replica().seriesByTenant()).isEqualTo(Map.of("t", 1));
        assertThat(replica.replica().fullestTable()).contains(new TableSeries("t", "disk", 1, "host"));
        replica.snapshot();
        replica.restart();
        assertThat(replica.replica().seriesByTenant()).isEqualTo(Map.of("t", 1));
        Applied outcome = limited(
                new TenantSeriesLimit(2, 2), Rows.block(DISK, Rows.row("b", 1, "f", 1.0), Rows.row("c", 1, "f", 1.0)));
        assertThat(outcome.voided()).extracting(VoidedRow::row).containsExactly(1);
    }

    @Test
    void aRepeatIsAnsweredAsTheFirst() {
        RowBlock block = Rows.block(CPU, Rows.row("a", 1, "f", 1.0), Rows.row("b", 1, "f", 1.0));
        Applied first = limited(new TenantSeriesLimit(1, 1), block);
        batch--;
        assertThat(limited(new TenantSeriesLimit(10, 10), block)).isEqualTo(first);
        assertThat(first.voided()).hasSize(1);
    }

    private Applied limited(TenantSeriesLimit limit, RowBlock... blocks) {
        batch++;
        List<?> outcomes = replica.apply(entry -> entry.add(Rows.request(batch, blocks), 0, limit));
        return (Applied) outcomes.getFirst();
    }
}
