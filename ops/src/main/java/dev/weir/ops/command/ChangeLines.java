package dev.weir.ops.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.Json;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Help.Ansi;

/** A change event as a line for people, in colours where the output is a terminal. */
public final class ChangeLines {
    private final Ansi ansi;

    public ChangeLines() {
        this(Ansi.AUTO);
    }

    ChangeLines(Ansi ansi) {
        this.ansi = ansi;
    }

    /** @param data the event as JSON */
    public String of(String data) {
        JsonNode event = parsed(data);
        String operation = event.path("operation").asText("");
        return "%s %s %s %s%s%s"
                .formatted(
                        colour("faint", event.path("committed_at").asText("")),
                        colour(
                                "faint",
                                event.path("partition").asText() + ":"
                                        + event.path("seq").asText()),
                        colour(colourOf(operation), what(event, operation)),
                        colour("bold", event.path("measurement").asText("")),
                        pairs(event.path("tags"), ","),
                        event.path("fields").isEmpty()
                                ? ""
                                : " " + pairs(event.path("fields"), " ").stripLeading() + " "
                                        + colour(
                                                "faint",
                                                "@" + event.path("time").asText("")));
    }

    private static String what(JsonNode event, String operation) {
        String type = event.path("event_type").asText("");
        return type.equals("point_written") ? operation : type;
    }

    private static String colourOf(String operation) {
        return switch (operation) {
            case "insert" -> "green";
            case "update" -> "yellow";
            case "delete" -> "red";
            default -> "cyan";
        };
    }

    private static String pairs(JsonNode object, String separator) {
        return object.properties().stream()
                .map(Map.Entry::getKey)
                .map(key -> separator + key + "=" + object.path(key).asText())
                .collect(Collectors.joining());
    }

    /** Only our own words pass through picocli's markup; what users wrote is put around it as it is. */
    private String colour(String style, String text) {
        return ansi.enabled() ? ansi.string("@|" + style + " \u0000|@").replace("\u0000", text) : text;
    }

    private static JsonNode parsed(String data) {
        try {
            return Json.MAPPER.readTree(data);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("expected a change event as JSON, found " + data, e);
        }
    }
}
