package dev.weir.partition.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.partition.model.Publication;
import dev.weir.partition.model.TableSettings;
import java.time.Duration;
import java.util.Optional;

/** What entries about the definition of tables say, after their head. See FORMATS, "Catalog log". */
final class TableEntryJson {
    private TableEntryJson() {}

    /** The kind of entry that carries an alteration. */
    static String kind(TableAlteration alteration) {
        return switch (alteration) {
            case TableAlteration.AddColumn add -> "add_column";
            case TableAlteration.DropColumn drop -> "drop_column";
            case TableAlteration.WidenColumn widen -> "widen_column";
            case TableAlteration.Set set -> "set_table";
        };
    }

    static ObjectNode create(ObjectNode json, CatalogLimits limits, CatalogCommand.CreateTable create) {
        json.put("tenant", create.tenant()).put("table", create.table());
        limits(json, limits);
        RecordJson.flag(json, "if_not_exists", create.ifNotExists());
        RecordJson.flag(json, "strict", create.strict());
        json.set("columns", RecordJson.list(create.columns(), RecordJson::wish));
        return RecordJson.settings(json, create.settings());
    }

    static CatalogCommand.CreateTable create(JsonReader json) {
        return new CatalogCommand.CreateTable(
                json.text("tenant"),
                json.text("table"),
                json.flag("if_not_exists"),
                json.flag("strict"),
                json.list("columns", RecordJson::wish),
                RecordJson.settings(json));
    }

    static ObjectNode alter(ObjectNode json, CatalogLimits limits, CatalogCommand.AlterTable alter) {
        json.put("tenant", alter.tenant()).put("table", alter.table());
        return switch (alter.alteration()) {
            case TableAlteration.AddColumn add -> limits(json, limits).set("column", RecordJson.wish(add.column()));
            case TableAlteration.DropColumn drop -> json.put("column", drop.column());
            case TableAlteration.WidenColumn widen ->
                json.put("column", widen.column()).put("type", widen.type().wireName());
            case TableAlteration.Set set -> {
                set.strict().ifPresent(strict -> json.put("schema", strict ? "strict" : "open"));
                set.retention().ifPresent(retention -> json.put("retention_seconds", retention.toSeconds()));
                set.timeUnitNanos().ifPresent(nanos -> json.put("time_unit_nanos", nanos));
                set.published().ifPresent(published -> json.put("published", published.word()));
                yield json;
            }
        };
    }

    static CatalogCommand.AlterTable addColumn(JsonReader json) {
        return alter(json, new TableAlteration.AddColumn(RecordJson.wish(json.object("column"))));
    }

    static CatalogCommand.AlterTable dropColumn(JsonReader json) {
        return alter(json, new TableAlteration.DropColumn(json.text("column")));
    }

    static CatalogCommand.AlterTable widenColumn(JsonReader json) {
        return alter(json, new TableAlteration.WidenColumn(json.text("column"), RecordJson.type(json)));
    }

    static CatalogCommand.AlterTable set(JsonReader json) {
        Optional<Boolean> strict = json.has("schema") ? Optional.of(strict(json.text("schema"))) : Optional.empty();
        TableSettings settings = RecordJson.settings(json);
        Optional<Duration> retention =
                json.has("retention_seconds") ? Optional.of(settings.retention()) : Optional.empty();
        Optional<Long> unit = json.has("time_unit_nanos") ? Optional.of(settings.timeUnitNanos()) : Optional.empty();
        Optional<Publication> published = json.has("published") ? Optional.of(settings.published()) : Optional.empty();
        return alter(json, new TableAlteration.Set(strict, retention, unit, published));
    }

    static ObjectNode limits(ObjectNode json, CatalogLimits limits) {
        return json.put("columns_per_table", limits.columnsPerTable())
                .put("tables_per_tenant", limits.tablesPerTenant());
    }

    private static CatalogCommand.AlterTable alter(JsonReader json, TableAlteration alteration) {
        return new CatalogCommand.AlterTable(json.text("tenant"), json.text("table"), alteration);
    }

    private static boolean strict(String schema) {
        return switch (schema) {
            case "strict" -> true;
            case "open" -> false;
            default -> throw new IllegalArgumentException("schema: expected open or strict, found '" + schema + "'");
        };
    }
}
