package dev.weir.node.letters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.node.ingest.FoldingCatalog;
import dev.weir.node.ingest.MapPartitions;
import dev.weir.node.ingest.letter.LetterReplay;
import dev.weir.node.ingest.letter.LetterTable;
import dev.weir.node.ingest.rows.NameCaches;
import dev.weir.node.ingest.write.RowWriter;
import dev.weir.node.ingest.write.Workbench;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.model.TableSettings;
import dev.weir.partition.write.BatchId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages of letters are bounded by rows and by bytes, and leave none out. */
class LetterDeskTest {
    private static final int MIB = 1 << 20;

    private final FoldingCatalog catalog = new FoldingCatalog(1);
    private final MapPartitions partitions = new MapPartitions();
    private final LetterTableInDuck table = new LetterTableInDuck();
    private Runnable afterTheSizes = () -> {};
    private final LetterDesk desk = new LetterDesk(
            catalog,
            this::run,
            new LetterReplay(
                    new RowWriter(catalog, partitions, () -> new BatchId("n1", 1, 1), new Workbench(1)),
                    new NameCaches(1 << 20)),
            new LetterDeletes(catalog, partitions, () -> new BatchId("n1", 1, 1)),
            Instant::now,
            new SimpleMeterRegistry());

    @BeforeEach
    void declare() {
        catalog.propose(new CatalogCommand.CreateTable(
                        "acme", LetterTable.NAME, false, false, List.of(), TableSettings.DEFAULTS))
                .toCompletableFuture()
                .join();
    }

    @AfterEach
    void close() throws SQLException {
        table.close();
    }

    private List<@Nullable Object[]> run(String tenant, String statement) {
        List<@Nullable Object[]> rows = table.run(tenant, statement);
        if (statement.startsWith("SELECT bytes")) {
            afterTheSizes.run();
            afterTheSizes = () -> {};
        }
        return rows;
    }

    private List<Integer> pages(int limit) {
        List<Integer> pages = new ArrayList<>();
        Optional<String> after = Optional.empty();
        do {
            LetterDesk.Page page = desk.list("acme", LetterFilter.ALL, after, limit);
            pages.add(page.letters().size());
            after = page.after();
        } while (after.isPresent());
        return pages;
    }

    @Test
    void pagesEndByBytes() {
        for (int i = 0; i < 10; i++) {
            table.add(1_000 + i, "syntax", "n1", MIB);
        }
        assertThat(pages(1_000)).containsExactly(4, 4, 2);
    }

    @Test
    void aLetterThatIsLargerThanAPageComesAlone() {
        table.add(1, "syntax", "n1", 9 * MIB);
        table.add(2, "syntax", "n1", 1);
        assertThat(pages(1_000)).containsExactly(1, 1);
    }

    @Test
    void aLetterThatComesBetweenTheSizesAndTheTextsPushesNoneOutOfTheList() {
        for (int i = 0; i < 3; i++) {
            table.add(1_000 + i, "syntax", "n1", 10);
        }
        afterTheSizes = () -> table.add(999, "syntax", "n2", 10);
        assertThat(pages(1_000)).containsExactly(3, 1);
        afterTheSizes = () -> table.run("acme", "DELETE FROM _dead_letters WHERE epoch_ns(time) >= 1001");
        assertThat(pages(1_000)).as("asks once more than needed").containsExactly(2, 0);
    }

    @Test
    void pagesEndByRows() {
        for (int i = 0; i < 5; i++) {
            table.add(1_000 + i, "syntax", "n1", 10);
        }
        assertThat(pages(2)).containsExactly(2, 2, 1);
        assertThat(pages(1_000)).containsExactly(5);
    }
}
