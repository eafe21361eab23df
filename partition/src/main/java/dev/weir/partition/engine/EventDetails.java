package dev.weir.partition.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.partition.entry.Section.RangeDeleteSection;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The {@code detail_json} of events that are no rows.
 *
 * <pre>
 * schema_changed        {"table_id":7,"version":2,"columns":[{"id":1,"name":"host","role":"tag","type":"string"},…]}
 * measurement_dropped   {"change_id":"…"}, or {"superseded_by":9} where rows of a table of the same name came before the drop
 * range_deleted         {"change_id":"…","cause":"statement","from":"-5","to":"9","tags":{"host":"a"}}     times in ns, as text
 * </pre>
 */
final class EventDetails {
    static final String NONE = "{}";
    private static final ObjectMapper JSON = new ObjectMapper();

    private EventDetails() {}

    /** What a range delete covers. */
    record Range(List<Tag> predicate, long fromNanos, long toNanos) {}

    static String schema(TableSchema schema) {
        ObjectNode detail = JSON.createObjectNode();
        detail.put("table_id", schema.tableId());
        detail.put("version", schema.version());
        ArrayNode columns = detail.putArray("columns");
        for (Column column : schema.columns()) {
            columns.addObject()
                    .put("id", column.id())
                    .put("name", column.name())
                    .put("role", column.role().name().toLowerCase(Locale.ROOT))
                    .put("type", column.type().wireName());
        }
        return detail.toString();
    }

    static String drop(String changeId) {
        return JSON.createObjectNode().put("change_id", changeId).toString();
    }

    static String superseded(int tableId) {
        return JSON.createObjectNode().put("superseded_by", tableId).toString();
    }

    static String range(RangeDeleteSection delete) {
        ObjectNode detail = JSON.createObjectNode();
        detail.put("change_id", delete.changeId());
        detail.put("cause", delete.cause().name().toLowerCase(Locale.ROOT));
        detail.put("from", Long.toString(delete.fromNanos()));
        detail.put("to", Long.toString(delete.toNanos()));
        ObjectNode tags = detail.putObject("tags");
        for (Tag tag : delete.predicate()) {
            tags.put(tag.key(), tag.value());
        }
        return detail.toString();
    }

    /** @throws IllegalArgumentException the text is not one of {@link #range} */
    static Range range(String detail) {
        try {
            JsonNode node = JSON.readTree(detail);
            List<Tag> predicate = new ArrayList<>();
            node.required("tags")
                    .properties()
                    .forEach(tag ->
                            predicate.add(new Tag(tag.getKey(), tag.getValue().asText())));
            return new Range(
                    predicate,
                    Long.parseLong(node.required("from").asText()),
                    Long.parseLong(node.required("to").asText()));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("detail of a range delete: " + detail, e);
        }
    }
}
