package dev.weir.node.letters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.node.ingest.FoldingCatalog;
import dev.weir.node.ingest.letter.LetterTable;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.model.TableSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The oldest letters go where there are too many, on a table in DuckDB. */
class LetterBoundsTest {
    private static final long FIRST = 1_796_014_426_954_245_302L;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
    private final LetterTableInDuck table = new LetterTableInDuck();
    private final FoldingCatalog catalog = new FoldingCatalog(1);
    private final LetterBounds bounds = new LetterBounds(catalog, table, 1_000, () -> true, blocking, meters);

    @AfterEach
    void close() throws SQLException {
        bounds.close();
        blocking.close();
        table.close();
    }

    @Test
    void leavesWhatFits() {
        letters(10, 100);
        assertThat(bounds.hold("acme")).isEqualTo(new LetterBounds.Totals(10, 1_000, 0));
        assertThat(dropped()).isZero();
    }

    @Test
    void dropsTheOldestDownToNineTenths() {
        letters(50, 30);
        assertThat(bounds.hold("acme")).isEqualTo(new LetterBounds.Totals(30, 900, 0));
        assertThat(table.run("acme", "SELECT count(*), min(epoch_ns(time)) FROM _dead_letters")
                        .getFirst())
                .containsExactly(30L, FIRST + 20);
        assertThat(dropped()).isEqualTo(20);
        assertThat(bounds.hold("acme")).isEqualTo(new LetterBounds.Totals(30, 900, 0));
    }

    @Test
    void dropsASingleLetterThatIsTooLarge() {
        letters(1, 5_000);
        assertThat(bounds.hold("acme")).isEqualTo(new LetterBounds.Totals(0, 0, 0));
    }

    @Test
    void keepsRowsThatWereSetAsideWhateverComes() {
        table.add(5, LetterTable.QUARANTINED, "n1", 400);
        letters(50, 30);
        assertThat(bounds.hold("acme")).isEqualTo(new LetterBounds.Totals(17, 400 + 16 * 30, 400));
        assertThat(table.run("acme", "SELECT count(*) FROM _dead_letters WHERE code = 'quarantined'")
                        .getFirst())
                .containsExactly(1L);
    }

    @Test
    void keepsThemEvenWhereTheyAloneAreTooMany() {
        table.add(5, LetterTable.QUARANTINED, "n1", 4_000);
        letters(10, 30);
        assertThat(bounds.hold("acme")).isEqualTo(new LetterBounds.Totals(1, 4_000, 4_000));
    }

    @Test
    void keepsRowsThatAreSetAsideAfterTheCount() {
        letters(50, 30);
        LetterSql meanwhile = (tenant, statement) -> {
            if (statement.startsWith("SELECT epoch_ns")) {
                table.add(5, LetterTable.QUARANTINED, "n2", 400);
            }
            return table.run(tenant, statement);
        };
        try (LetterBounds other =
                new LetterBounds(new FoldingCatalog(1), meanwhile, 1_000, () -> true, blocking, meters)) {
            assertThat(other.hold("acme")).isEqualTo(new LetterBounds.Totals(30, 900, 0));
        }
        assertThat(table.run("acme", "SELECT code, count(*) FROM _dead_letters GROUP BY code ORDER BY code"))
                .containsExactly(new Object[] {"quarantined", 1L}, new Object[] {"syntax", 30L});
    }

    @Test
    void tellsHowMuchRowsThatWereSetAsideMayTake() {
        catalog.propose(new CatalogCommand.CreateTable(
                        "acme", LetterTable.NAME, false, false, List.of(), TableSettings.DEFAULTS))
                .toCompletableFuture()
                .join();
        table.add(5, LetterTable.QUARANTINED, "n1", 400);
        letters(3, 30);
        bounds.all();
        assertThat(bounds.totals()).isEqualTo(new LetterBounds.Totals(4, 490, 400));
        assertThat(meters.get("weir_dead_letters_tenant_quarantined_bytes_max")
                        .gauge()
                        .value())
                .isEqualTo(500);
        assertThat(meters.get("weir_dead_letters_quarantined_bytes").gauge().value())
                .isEqualTo(400);
    }

    private void letters(int count, int bytes) {
        for (int i = 0; i < count; i++) {
            table.add(FIRST + i, "syntax", "n1", bytes);
        }
    }

    private double dropped() {
        return meters.get("weir_dead_letters_dropped").counter().count();
    }
}
