package dev.weir.docker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.Tag;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the JSON of a Server-Sent Event back into the model, for the checks. */
final class StreamedEvents {
    private static final ObjectMapper JSON = new ObjectMapper();

    private StreamedEvents() {}

    static ChangeEvent parse(String tenant, String data) throws IOException {
        return of(tenant, JSON.readTree(data));
    }

    static ChangeEvent of(String tenant, JsonNode json) {
        Instant committed = Instant.parse(json.required("committed_at").asText());
        return new ChangeEvent(
                json.required("partition").intValue(),
                json.required("seq").longValue(),
                type(json.required("event_type").asText()),
                operation(json.required("operation").asText()),
                tenant,
                json.required("measurement").asText(),
                json.required("timestamp").longValue(),
                tags(json.required("tags")),
                fields(json.required("fields")),
                json.required("schema_version").intValue(),
                committed.getEpochSecond() * 1_000_000_000L + committed.getNano(),
                0,
                json.path("detail").isMissingNode() ? "{}" : json.path("detail").toString());
    }

    static List<Tag> tags(JsonNode json) {
        List<Tag> tags = new ArrayList<>();
        json.properties()
                .forEach(tag -> tags.add(new Tag(tag.getKey(), tag.getValue().asText())));
        return tags;
    }

    static Map<String, Object> fields(JsonNode json) {
        Map<String, Object> fields = new LinkedHashMap<>();
        json.properties().forEach(field -> fields.put(field.getKey(), value(field.getValue())));
        return fields;
    }

    static Object value(JsonNode json) {
        if (json.isBoolean()) {
            return json.booleanValue();
        }
        if (json.isTextual()) {
            return json.textValue();
        }
        if (json.isBigInteger()) {
            return json.bigIntegerValue();
        }
        return json.isIntegralNumber() ? (Object) json.longValue() : (Object) json.doubleValue();
    }

    static EventType type(String wireName) {
        for (EventType type : EventType.values()) {
            if (type.wireName().equals(wireName)) {
                return type;
            }
        }
        throw new IllegalArgumentException("event type " + wireName);
    }

    static Operation operation(String wireName) {
        for (Operation operation : Operation.values()) {
            if (operation.wireName().equals(wireName)) {
                return operation;
            }
        }
        throw new IllegalArgumentException("operation " + wireName);
    }
}
