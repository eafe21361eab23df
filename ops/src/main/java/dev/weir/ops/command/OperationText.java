package dev.weir.ops.command;

import com.fasterxml.jackson.databind.JsonNode;

/** Operations for people. */
final class OperationText {
    private OperationText() {}

    static TextTable all(JsonNode answer) {
        TextTable table = new TextTable("ID", "KIND", "STATE", "ACTIONS", "BEGUN", "ENDED", "NOW");
        for (JsonNode each : answer.path("operations")) {
            table.row(
                    each.path("id").asText(),
                    each.path("kind").asText(),
                    each.path("state").asText(),
                    each.path("actions_ended").asLong() + " of "
                            + each.path("actions").size(),
                    each.path("started_at").asText("-"),
                    each.path("ended_at").isTextual() ? each.path("ended_at").asText() : "-",
                    now(each));
        }
        return table;
    }

    private static String now(JsonNode operation) {
        for (JsonNode action : operation.path("actions")) {
            if (action.path("state").asText().equals("running")) {
                return "partition " + action.path("partition").asInt() + ": "
                        + action.path("message").asText();
            }
        }
        return "";
    }

    static TextTable table(JsonNode operation) {
        TextTable table = new TextTable("OPERATION", operation.path("id").asText());
        table.row("kind", operation.path("kind").asText());
        table.row("state", operation.path("state").asText());
        table.row("planned for epoch", operation.path("epoch").asLong());
        for (JsonNode action : operation.path("actions")) {
            String from = action.path("from").isTextual()
                    ? " from " + action.path("from").asText()
                    : "";
            String message = action.path("message").asText();
            table.row(
                    action.path("action").asText() + " partition "
                            + action.path("partition").asInt() + from + " to "
                            + action.path("to").asText(),
                    action.path("state").asText() + (message.isEmpty() ? "" : ": " + message));
        }
        return table;
    }
}
