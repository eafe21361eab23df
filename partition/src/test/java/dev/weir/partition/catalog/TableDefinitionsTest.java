package dev.weir.partition.catalog;

import static dev.weir.partition.catalog.CatalogSamples.agree;
import static dev.weir.partition.catalog.CatalogSamples.beyond;
import static dev.weir.partition.catalog.CatalogSamples.field;
import static dev.weir.partition.catalog.CatalogSamples.tag;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Publication;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.TableSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TableDefinitionsTest {
    private FoldedImage image = CatalogSamples.born();
    private long version = 1;
    private CatalogLimits limits = CatalogLimits.DEFAULTS;

    @Test
    void declaredTableHasItsColumnsAndSettings() {
        TableSettings settings = new TableSettings(Duration.ofDays(30), 1_000_000, Publication.NONE);
        done(create("cpu", true, settings, tag("host"), field("v", FieldType.INT64)));

        TableSchema cpu = table("cpu");
        assertThat(cpu.version()).isEqualTo(1);
        assertThat(cpu.strict()).isTrue();
        assertThat(cpu.columns())
                .containsExactly(
                        new Column(1, "host", ColumnRole.TAG, FieldType.STRING, false),
                        new Column(2, "v", ColumnRole.FIELD, FieldType.INT64, false));
        assertThat(image.settings(cpu.tableId())).isEqualTo(settings);
        assertThat(image.settings(99)).isEqualTo(TableSettings.DEFAULTS);
    }

    @Test
    void tableIsDeclaredOnce() {
        done(create("cpu", false, TableSettings.DEFAULTS, tag("host")));

        refused(create("cpu", true, TableSettings.DEFAULTS), ErrorCode.CONFLICT, "cpu exists already");
        done(new CatalogCommand.CreateTable("default", "cpu", true, true, List.of(), TableSettings.DEFAULTS));
        assertThat(table("cpu").strict()).isFalse();
        refused(
                new CatalogCommand.CreateTable("none", "cpu", false, true, List.of(), TableSettings.DEFAULTS),
                ErrorCode.NOT_FOUND,
                "tenant 'none'");
        refused(
                create("mem", false, TableSettings.DEFAULTS, tag("a"), field("a", FieldType.BOOL)),
                ErrorCode.BAD_REQUEST,
                "a is named twice");
    }

    @Test
    void limitsHoldAndAreNamed() {
        limits = new CatalogLimits(2, 1);
        refused(
                create("cpu", false, TableSettings.DEFAULTS, tag("a"), tag("b"), tag("c")),
                ErrorCode.LIMIT_COLUMNS,
                "limits.columns-per-table");
        done(create("cpu", false, TableSettings.DEFAULTS, tag("a"), tag("b")));
        refused(add("cpu", tag("c")), ErrorCode.LIMIT_COLUMNS, "limits.columns-per-table");
        refused(create("mem", false, TableSettings.DEFAULTS), ErrorCode.LIMIT_COLUMNS, "limits.tables-per-tenant");
    }

    @Test
    void strictTableGrowsByAlterationOnly() {
        done(create("cpu", true, TableSettings.DEFAULTS, field("v", FieldType.INT64)));

        propose(agree("cpu", field("w", FieldType.INT64)));
        assertThat(table("cpu").version()).isEqualTo(1);
        done(add("cpu", field("w", FieldType.UINT64)));
        assertThat(table("cpu").version()).isEqualTo(2);
        assertThat(table("cpu").column("w").orElseThrow().id()).isEqualTo(2);
        refused(add("cpu", tag("w")), ErrorCode.CONFLICT, "w (uint64) already");
        refused(add("mem", tag("w")), ErrorCode.NOT_FOUND, "mem");
        done(set("cpu", Optional.of(false), Optional.empty(), Optional.empty()));
        assertThat(table("cpu").strict()).isFalse();
        assertThat(table("cpu").version()).isEqualTo(3);
    }

    @Test
    void droppedColumnsIdIsNeverUsedAgain() {
        done(create("cpu", false, TableSettings.DEFAULTS, tag("host"), field("a", FieldType.INT64)));
        done(add("cpu", field("b", FieldType.INT64)));

        done(drop("cpu", "b"));
        assertThat(table("cpu").column("b")).isEmpty();
        assertThat(table("cpu").version()).isEqualTo(3);
        done(set("cpu", Optional.empty(), Optional.of(Duration.ofHours(1)), Optional.empty()));
        done(add("cpu", field("b", FieldType.STRING)));
        assertThat(table("cpu").column("b").orElseThrow().id()).isEqualTo(4);
        done(drop("cpu", "b"));
        propose(agree("cpu", field("b", FieldType.BOOL)));
        assertThat(table("cpu").column("b").orElseThrow().id())
                .as("added by rows")
                .isEqualTo(5);
        refused(drop("cpu", "z"), ErrorCode.NOT_FOUND, "no column z");
        refused(drop("cpu", "host"), ErrorCode.NOT_ALLOWED, "is a tag, expected a field");
    }

    @Test
    void typesOnlyWiden() {
        done(create(
                "cpu",
                false,
                TableSettings.DEFAULTS,
                tag("host"),
                field("i", FieldType.INT64),
                field("u", FieldType.UINT64),
                field("d", FieldType.FLOAT64)));

        done(widen("cpu", "i", FieldType.FLOAT64));
        assertThat(table("cpu").column("i").orElseThrow())
                .isEqualTo(new Column(2, "i", ColumnRole.FIELD, FieldType.FLOAT64, false));
        assertThat(table("cpu").version()).isEqualTo(2);
        done(widen("cpu", "i", FieldType.FLOAT64));
        assertThat(table("cpu").version()).as("nothing to do").isEqualTo(2);
        refused(widen("cpu", "u", FieldType.FLOAT64), ErrorCode.TYPE_CONFLICT, "int64 to float64");
        refused(widen("cpu", "d", FieldType.INT64), ErrorCode.TYPE_CONFLICT, "d (float64) can't become int64");
        refused(widen("cpu", "host", FieldType.STRING), ErrorCode.TYPE_CONFLICT, "host (tag)");
        refused(widen("cpu", "z", FieldType.FLOAT64), ErrorCode.NOT_FOUND, "z");
    }

    @Test
    void integersWithoutAnExactDoubleStayIntegers() {
        propose(agree("cpu", beyond("i")));

        refused(widen("cpu", "i", FieldType.FLOAT64), ErrorCode.TYPE_CONFLICT, "beyond ±2^53");
    }

    @Test
    void settingsChangeOneByOneAndGoWithTheTable() {
        done(create("cpu", false, new TableSettings(Duration.ofDays(1), 1_000, Publication.NONE), tag("host")));
        int first = table("cpu").tableId();

        done(set("cpu", Optional.empty(), Optional.of(Duration.ofDays(2)), Optional.empty()));
        assertThat(image.settings(first)).isEqualTo(new TableSettings(Duration.ofDays(2), 1_000, Publication.NONE));
        done(set("cpu", Optional.empty(), Optional.of(Duration.ZERO), Optional.of(1_000_000_000L)));
        assertThat(image.settings(first)).isEqualTo(new TableSettings(Duration.ZERO, 1_000_000_000, Publication.NONE));
        done(new CatalogCommand.AlterTable(
                "default",
                "cpu",
                new TableAlteration.Set(
                        Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(Publication.DELTA))));
        assertThat(image.settings(first)).isEqualTo(new TableSettings(Duration.ZERO, 1_000_000_000, Publication.DELTA));
        assertThat(table("cpu").version()).isEqualTo(1);

        propose(new CatalogCommand.DropTable("default", "cpu", "x"));
        assertThat(image.settings(first)).isEqualTo(TableSettings.DEFAULTS);
        done(create("cpu", false, TableSettings.DEFAULTS, tag("host")));
        assertThat(image.settings(table("cpu").tableId())).isEqualTo(TableSettings.DEFAULTS);
    }

    private static CatalogCommand create(String name, boolean strict, TableSettings settings, ColumnWish... columns) {
        return new CatalogCommand.CreateTable("default", name, false, strict, List.of(columns), settings);
    }

    private static CatalogCommand add(String table, ColumnWish column) {
        return new CatalogCommand.AlterTable("default", table, new TableAlteration.AddColumn(column));
    }

    private static CatalogCommand drop(String table, String column) {
        return new CatalogCommand.AlterTable("default", table, new TableAlteration.DropColumn(column));
    }

    private static CatalogCommand widen(String table, String column, FieldType type) {
        return new CatalogCommand.AlterTable("default", table, new TableAlteration.WidenColumn(column, type));
    }

    private static CatalogCommand set(
            String table, Optional<Boolean> strict, Optional<Duration> retention, Optional<Long> unit) {
        return new CatalogCommand.AlterTable(
                "default", table, new TableAlteration.Set(strict, retention, unit, Optional.empty()));
    }

    private TableSchema table(String name) {
        return image.table("default", name).orElseThrow();
    }

    private CatalogReply propose(CatalogCommand command) {
        version++;
        CatalogFold.Step step = CatalogFold.step(image, version, limits, command);
        image = step.image();
        return step.reply();
    }

    private void done(CatalogCommand command) {
        assertThat(propose(command)).isEqualTo(new CatalogReply.Done(version));
    }

    private void refused(CatalogCommand command, ErrorCode code, String words) {
        FoldedImage before = image;
        CatalogReply reply = propose(command);
        assertThat(reply).isInstanceOf(CatalogReply.Refused.class);
        assertThat(((CatalogReply.Refused) reply).refusal().code()).isEqualTo(code);
        assertThat(((CatalogReply.Refused) reply).refusal().message()).contains(words);
        assertThat(image).isEqualTo(before.with(version, List.of()));
    }
}
