package dev.weir.node.letters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.node.ingest.FoldingCatalog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The oldest letters go where there are too many, on a table in DuckDB. */
class LetterBoundsTest {
    private static final long FIRST = 1_796_014_426_954_245_302L;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
    private final Connection database = open();
    private final LetterBounds bounds =
            new LetterBounds(new FoldingCatalog(1), this::run, 1_000, () -> true, blocking, meters);

    private static Connection open() {
        try {
            return DriverManager.getConnection("jdbc:duckdb:");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void table() {
        run("acme", "CREATE TABLE _dead_letters (time TIMESTAMP_NS, bytes BIGINT, code VARCHAR)");
    }

    @AfterEach
    void close() throws SQLException {
        bounds.close();
        blocking.close();
        database.close();
    }

    @Test
    void leavesWhatFits() {
        letters(10, 100);
        assertThat(bounds.hold("acme")).isEqualTo(new LetterBounds.Totals(10, 1_000));
        assertThat(dropped()).isZero();
    }

    @Test
    void dropsTheOldestDownToNineTenths() {
        letters(50, 30);
        assertThat(bounds.hold("acme")).isEqualTo(new LetterBounds.Totals(30, 900));
        assertThat(run("acme", "SELECT count(*), min(epoch_ns(time)) FROM _dead_letters")
                        .getFirst())
                .containsExactly(30L, FIRST + 20);
        assertThat(dropped()).isEqualTo(20);
        assertThat(bounds.hold("acme")).isEqualTo(new LetterBounds.Totals(30, 900));
    }

    @Test
    void dropsASingleLetterThatIsTooLarge() {
        letters(1, 5_000);
        assertThat(bounds.hold("acme")).isEqualTo(new LetterBounds.Totals(0, 0));
    }

    @Test
    void keepsRowsThatWereSetAsideWhateverComes() {
        run("acme", "INSERT INTO _dead_letters VALUES (make_timestamp_ns(5), 400, 'quarantined')");
        letters(50, 30);
        assertThat(bounds.hold("acme")).isEqualTo(new LetterBounds.Totals(17, 400 + 16 * 30));
        assertThat(run("acme", "SELECT count(*) FROM _dead_letters WHERE code = 'quarantined'")
                        .getFirst())
                .containsExactly(1L);
    }

    @Test
    void keepsThemEvenWhereTheyAloneAreTooMany() {
        run("acme", "INSERT INTO _dead_letters VALUES (make_timestamp_ns(5), 4000, 'quarantined')");
        letters(10, 30);
        assertThat(bounds.hold("acme")).isEqualTo(new LetterBounds.Totals(1, 4_000));
    }

    private void letters(int count, int bytes) {
        run(
                "acme",
                "INSERT INTO _dead_letters SELECT make_timestamp_ns(" + FIRST + " + i), " + bytes + ", 'syntax' FROM range("
                        + count + ") AS all_of(i)");
    }

    private double dropped() {
        return meters.get("weir_dead_letters_dropped").counter().count();
    }

    private List<@Nullable Object[]> run(String tenant, String statement) {
        try (Statement run = database.createStatement()) {
            List<@Nullable Object[]> rows = new ArrayList<>();
            if (run.execute(statement)) {
                ResultSet found = run.getResultSet();
                while (found.next()) {
                    @Nullable
                    Object[] cells = new @Nullable Object[found.getMetaData().getColumnCount()];
                    for (int i = 0; i < cells.length; i++) {
                        cells[i] = found.getObject(i + 1);
                    }
                    rows.add(cells);
                }
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(statement, e);
        }
    }
}
