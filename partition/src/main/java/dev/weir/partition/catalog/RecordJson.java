package dev.weir.partition.catalog;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Publication;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.TableSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/** The catalog's records as JSON, the same in log entries, answers and snapshots. Sets are written in order, so equal records are equal bytes. */
final class RecordJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private RecordJson() {}

    static byte[] bytes(ObjectNode json) {
        try {
            return MAPPER.writeValueAsBytes(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree can always be written", e);
        }
    }

    /** @throws IllegalArgumentException the bytes are not one JSON object */
    static JsonReader reader(String what, byte[] bytes) {
        try {
            JsonNode json = MAPPER.readTree(bytes);
            return new JsonReader(what, json);
        } catch (IOException e) {
            throw new IllegalArgumentException(what + ": expected JSON: " + e.getMessage(), e);
        }
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static <T> ArrayNode list(Collection<T> items, Function<T, ObjectNode> writer) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode(items.size());
        items.forEach(item -> array.add(writer.apply(item)));
        return array;
    }

    static ArrayNode texts(Collection<String> items) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode(items.size());
        items.forEach(array::add);
        return array;
    }

    static void flag(ObjectNode json, String name, boolean value) {
        if (value) {
            json.put(name, true);
        }
    }

    static ObjectNode node(NodeRecord node) {
        ObjectNode json = object().put("id", node.id())
                .put("host", node.host())
                .put("http", node.httpPort())
                .put("raft", node.raftPort())
                .put("hazelcast", node.hazelcastPort())
                .put("incarnation", node.incarnation());
        flag(json, "tls", node.tls());
        return json;
    }

    static NodeRecord node(JsonReader json) {
        return new NodeRecord(
                json.text("id"),
                json.text("host"),
                json.int32("http"),
                json.int32("raft"),
                json.int32("hazelcast"),
                json.integer("incarnation"),
                json.flag("tls"));
    }

    static ObjectNode partition(PartitionRecord partition) {
        ObjectNode json = object().put("id", partition.id()).put("generation", partition.generation());
        json.set(
                "slots",
                list(
                        partition.slots(),
                        range -> object().put("from", range.from()).put("to", range.to())));
        json.set("replicas", texts(partition.replicas()));
        ArrayNode parents = json.putArray("parents");
        partition.parents().forEach(parents::add);
        return json;
    }

    static PartitionRecord partition(JsonReader json) {
        List<SlotRange> slots = json.list("slots", range -> new SlotRange(range.int32("from"), range.int32("to")));
        return new PartitionRecord(
                json.int32("id"), json.int32("generation"), slots, json.texts("replicas"), json.integers("parents"));
    }

    static ObjectNode tenant(TenantRecord tenant) {
        ObjectNode json = object().put("name", tenant.name());
        json.set("aliases", texts(tenant.aliases().stream().sorted().toList()));
        return json;
    }

    static TenantRecord tenant(JsonReader json) {
        return new TenantRecord(json.text("name"), Set.copyOf(json.texts("aliases")));
    }

    static ObjectNode token(TokenRecord token) {
        ObjectNode json =
                object().put("id", token.id()).put("sha256", token.sha256()).put("tenant", token.tenant());
        json.set(
                "scopes",
                texts(token.scopes().stream().sorted().map(Scope::wireName).toList()));
        return json.put("created_at", token.createdAtNanos());
    }

    static TokenRecord token(JsonReader json) {
        Set<Scope> scopes = EnumSet.noneOf(Scope.class);
        json.texts("scopes").forEach(name -> scopes.add(one(Scope.values(), Scope::wireName, "scope", name)));
        return new TokenRecord(
                json.text("id"), json.text("sha256"), json.text("tenant"), scopes, json.integer("created_at"));
    }

    static ObjectNode drop(TableDrop drop) {
        return object().put("table_id", drop.tableId())
                .put("tenant", drop.tenant())
                .put("name", drop.name())
                .put("change_id", drop.changeId());
    }

    static TableDrop drop(JsonReader json) {
        return new TableDrop(json.int32("table_id"), json.text("tenant"), json.text("name"), json.text("change_id"));
    }

    static ObjectNode lease(LeaseRecord lease) {
        ObjectNode json = object().put("id", lease.id()).put("tenant", lease.tenant());
        json.set("tables", texts(lease.tables()));
        json.set(
                "held",
                list(
                        lease.held(),
                        held -> held(
                                object().put("partition", held.partition())
                                        .put("from", held.fromSeq())
                                        .put("cut", held.cutSeq()),
                                held)));
        return json.put("created_at", lease.createdAtNanos()).put("expires_at", lease.expiresAtNanos());
    }

    private static ObjectNode held(ObjectNode json, LeaseRecord.Held held) {
        return held.isBackfill() ? json.put("since", held.sinceSeq()) : json;
    }

    static LeaseRecord lease(JsonReader json) {
        return new LeaseRecord(
                json.text("id"),
                json.text("tenant"),
                json.texts("tables"),
                json.list(
                        "held",
                        held -> new LeaseRecord.Held(
                                held.int32("partition"),
                                held.integer("from"),
                                held.integer("cut"),
                                held.has("since") ? held.integer("since") : LeaseRecord.Held.WHOLE)),
                json.integer("created_at"),
                json.integer("expires_at"));
    }

    static ObjectNode schema(TableSchema schema) {
        ObjectNode json = object().put("table_id", schema.tableId())
                .put("tenant", schema.tenant())
                .put("name", schema.name())
                .put("version", schema.version());
        flag(json, "strict", schema.strict());
        json.set("columns", list(schema.columns(), RecordJson::column));
        return json;
    }

    static TableSchema schema(JsonReader json) {
        return new TableSchema(
                json.int32("table_id"),
                json.text("tenant"),
                json.text("name"),
                json.int32("version"),
                json.flag("strict"),
                json.list("columns", RecordJson::column));
    }

    static ObjectNode record(TableRecord record) {
        ObjectNode json = object().put("table_id", record.tableId());
        if (record.nextColumnId() != 0) {
            json.put("next_column_id", record.nextColumnId());
        }
        return settings(json, record.settings());
    }

    static TableRecord record(JsonReader json) {
        int nextColumnId = json.has("next_column_id") ? json.int32("next_column_id") : 0;
        return new TableRecord(json.int32("table_id"), nextColumnId, settings(json));
    }

    /** Adds what differs from the defaults. */
    static ObjectNode settings(ObjectNode json, TableSettings settings) {
        if (settings.expires()) {
            json.put("retention_seconds", settings.retention().toSeconds());
        }
        if (settings.timeUnitNanos() != TableSettings.DEFAULTS.timeUnitNanos()) {
            json.put("time_unit_nanos", settings.timeUnitNanos());
        }
        if (settings.published() != TableSettings.DEFAULTS.published()) {
            json.put("published", settings.published().word());
        }
        return json;
    }

    static TableSettings settings(JsonReader json) {
        long seconds = json.has("retention_seconds") ? json.integer("retention_seconds") : 0;
        long unit =
                json.has("time_unit_nanos") ? json.integer("time_unit_nanos") : TableSettings.DEFAULTS.timeUnitNanos();
        Publication published = json.has("published")
                ? one(Publication.values(), Publication::word, "published", json.text("published"))
                : TableSettings.DEFAULTS.published();
        return new TableSettings(Duration.ofSeconds(seconds), unit, published);
    }

    static ObjectNode wish(ColumnWish wish) {
        ObjectNode json = object().put("name", wish.name())
                .put("role", role(wish.role()))
                .put("type", wish.type().wireName());
        flag(json, "beyond_double", wish.beyondDouble());
        flag(json, "widens", wish.widens());
        return json;
    }

    static ColumnWish wish(JsonReader json) {
        return new ColumnWish(
                json.text("name"), role(json), type(json), json.flag("beyond_double"), json.flag("widens"));
    }

    static String role(ColumnRole role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    static ColumnRole role(JsonReader json) {
        return one(ColumnRole.values(), RecordJson::role, "role", json.text("role"));
    }

    static FieldType type(JsonReader json) {
        return one(FieldType.values(), FieldType::wireName, "type", json.text("type"));
    }

    /** The value with that wire name. */
    static <E> E one(E[] values, Function<E, String> wireName, String what, String name) {
        for (E value : values) {
            if (wireName.apply(value).equals(name)) {
                return value;
            }
        }
        throw new IllegalArgumentException(what + ": no such value: '" + name + "'");
    }

    private static ObjectNode column(Column column) {
        ObjectNode json = object().put("id", column.id())
                .put("name", column.name())
                .put("role", role(column.role()))
                .put("type", column.type().wireName());
        flag(json, "beyond_double", column.beyondDouble());
        return json;
    }

    private static Column column(JsonReader json) {
        return new Column(json.int32("id"), json.text("name"), role(json), type(json), json.flag("beyond_double"));
    }
}
