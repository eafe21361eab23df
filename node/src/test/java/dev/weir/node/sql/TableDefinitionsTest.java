package dev.weir.node.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.node.ingest.FoldingCatalog;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Publication;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.TableSettings;
import dev.weir.query.sql.statement.Statement;
import dev.weir.query.sql.statement.StatementParser;
import dev.weir.query.sql.statement.TableStatements.InsertRows;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TableDefinitionsTest {
    private final FoldingCatalog catalog = new FoldingCatalog(1);
    private final TableNames names = new TableNames(catalog);
    private final TableDefinitions definitions = new TableDefinitions(catalog, names);

    @Test
    void whatShowCreateTableSaysMakesTheSameTable() {
        for (String text : List.of(
                "CREATE TABLE \"cpu\" (\"host\" TAG, \"a b\" DOUBLE, \"q\"\"q\" UBIGINT, \"n\" BIGINT, \"ok\" BOOLEAN, \"Text\" VARCHAR)"
                        + " WITH (schema = 'strict', retention = '30d', time_unit = 'ms')",
                "CREATE TABLE \"mem\" WITH (schema = 'open')",
                "CREATE TABLE \"disk\" (\"v\" DOUBLE) WITH (schema = 'open', retention = '90s')",
                "CREATE TABLE \"net\" (\"v\" DOUBLE) WITH (schema = 'open', retention = '36h', time_unit = 'us', published = 'delta')")) {
            Statement.CreateTable create = (Statement.CreateTable) parse(text);
            definitions.create("acme", create);
            assertThat(shown(create.table())).isEqualTo(text);
        }
    }

    @Test
    void alterationsReachTheCatalog() {
        run("CREATE TABLE cpu (host TAG, v BIGINT, w DOUBLE)");
        run("ALTER TABLE cpu ADD COLUMN zone TAG");
        run("ALTER TABLE CPU DROP COLUMN W");
        run("ALTER TABLE cpu ADD COLUMN w VARCHAR");
        run("ALTER TABLE cpu ALTER COLUMN v TYPE DOUBLE");
        run("ALTER TABLE cpu SET retention = '1h'");
        run("ALTER TABLE cpu SET (schema = 'strict', time_unit = 's')");

        assertThat(shown("cpu"))
                .isEqualTo("CREATE TABLE \"cpu\" (\"host\" TAG, \"v\" DOUBLE, \"zone\" TAG, \"w\" VARCHAR)"
                        + " WITH (schema = 'strict', retention = '1h', time_unit = 's')");
        assertThat(table("cpu").columns()).extracting(Column::id).containsExactly(1, 2, 4, 5);
        run("ALTER TABLE cpu SET published = 'delta'");
        assertThat(shown("cpu")).endsWith("time_unit = 's', published = 'delta')");
        run("ALTER TABLE cpu SET published = 'none'");
        assertThat(shown("cpu")).endsWith("time_unit = 's')");
        run("ALTER TABLE cpu SET retention = 'forever'");
        assertThat(catalog.image().settings(table("cpu").tableId()).retention()).isZero();
        run("CREATE TABLE IF NOT EXISTS cpu (other TAG)");
        assertThat(table("cpu").column("other")).isEmpty();
    }

    @Test
    void refusalsSayWhatIsWrong() {
        run("CREATE TABLE cpu (host TAG, u UBIGINT)");

        refused("CREATE TABLE cpu", ErrorCode.CONFLICT, "exists already");
        refused("CREATE TABLE _own", ErrorCode.RESERVED_NAME, "_own");
        refused("CREATE TABLE x (_seq BIGINT)", ErrorCode.RESERVED_NAME, "_seq");
        refused("ALTER TABLE cpu ADD COLUMN time DOUBLE", ErrorCode.RESERVED_NAME, "time");
        refused("ALTER TABLE cpu ALTER COLUMN u TYPE DOUBLE", ErrorCode.TYPE_CONFLICT, "int64 to float64");
        refused("ALTER TABLE cpu DROP COLUMN host", ErrorCode.NOT_ALLOWED, "tag");
        refused("ALTER TABLE none DROP COLUMN host", ErrorCode.NOT_FOUND, "none");
        refused("ALTER TABLE cpu SET retention = '999999999w'", ErrorCode.BAD_REQUEST, "at most 219600d");
    }

    @Test
    void namesAreFoundIgnoringCaseWhereOneAloneIsAlike() {
        run("CREATE TABLE cpu (v BIGINT)");
        assertThat(names.find("acme", "CPU")).contains(table("cpu"));
        assertThat(names.find("other", "cpu")).isEmpty();
        run("CREATE TABLE Cpu (v BIGINT)");
        assertThat(names.find("acme", "CPU")).isEmpty();
        assertThat(names.find("acme", "Cpu").orElseThrow().name()).isEqualTo("Cpu");
    }

    @Test
    void integersInTimeCountTheTablesUnit() {
        run("CREATE TABLE cpu (v BIGINT)");
        List<@Nullable Object[]> rows = List.<@Nullable Object[]>of(new @Nullable Object[] {5L, 1L});

        assertThat(lines(new InsertRows(rows, false), 1_000_000)).contains("\"timestamp\":5000000}");
        assertThat(lines(new InsertRows(rows, true), 1_000_000)).contains("\"timestamp\":5}");
    }

    @Test
    void durationsAreShownInTheLargestExactUnit() {
        assertThat(new TableSettings(Duration.ofDays(14), 1, Publication.NONE).retentionText())
                .isEqualTo("14d");
        assertThat(new TableSettings(Duration.ofMinutes(90), 1, Publication.NONE).retentionText())
                .isEqualTo("90m");
        assertThat(CreateText.of(
                        new TableSchema(1, "t", "m", 1, false, List.of()),
                        new TableSettings(Duration.ZERO, 1_000, Publication.NONE)))
                .isEqualTo("CREATE TABLE \"m\" WITH (schema = 'open', time_unit = 'us')");
    }

    private String lines(InsertRows rows, long unitNanos) {
        return new String(
                InsertLines.write(table("cpu"), List.of("time", "v"), rows, unitNanos), StandardCharsets.UTF_8);
    }

    private String shown(String name) {
        TableSchema table = table(name);
        return CreateText.of(table, catalog.image().settings(table.tableId()));
    }

    private TableSchema table(String name) {
        return catalog.image().table("acme", name).orElseThrow();
    }

    private void run(String text) {
        switch (parse(text)) {
            case Statement.CreateTable create -> definitions.create("acme", create);
            case Statement.AddColumn add -> definitions.addColumn("acme", add);
            case Statement.DropColumn drop -> definitions.dropColumn("acme", drop);
            case Statement.ColumnType type -> definitions.columnType("acme", type);
            case Statement.SetOptions set -> definitions.setOptions("acme", set);
            default -> throw new IllegalArgumentException(text);
        }
    }

    private void refused(String text, ErrorCode code, String words) {
        assertThatThrownBy(() -> run(text))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(words)
                .satisfies(refused -> assertThat(
                                ((RefusedException) refused).refusal().code())
                        .isEqualTo(code));
    }

    private static Statement parse(String text) {
        return new StatementParser(0).parse(text).orElseThrow();
    }
}
