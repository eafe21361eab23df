package dev.weir.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.StringJoiner;

/** Subscriptions for people. */
final class SubscriptionText {
    private SubscriptionText() {}

    static TextTable all(JsonNode answer) {
        TextTable table = new TextTable("NAME", "STATE", "EVENTS BEHIND", "BYTES", "SECONDS", "TO RETENTION", "FILTER");
        for (JsonNode each : answer.path("subscriptions")) {
            JsonNode lag = each.path("lag");
            table.row(
                    each.path("name").asText(),
                    each.path("state").asText(),
                    lag.path("events").asLong(),
                    lag.path("bytes").asLong(),
                    lag.path("seconds").asDouble(),
                    toRetention(lag),
                    filter(each.path("filter")));
        }
        return table;
    }

    static TextTable table(JsonNode json) {
        JsonNode lag = json.path("lag");
        JsonNode budget = json.path("budget");
        TextTable table = new TextTable("SUBSCRIPTION", json.path("name").asText());
        table.row("state", json.path("state").asText());
        table.row("behind, events", lag.path("events").asLong());
        table.row("behind, bytes of log", lag.path("bytes").asLong());
        table.row("behind, seconds", lag.path("seconds").asDouble());
        table.row(
                "seconds to retention",
                lag.path("seconds_to_retention").asText("-").replace("null", "-"));
        table.row("filter", filter(json.path("filter")));
        table.row("from", json.path("from").asText());
        table.row("budget, bytes", budget.path("bytes").asLong());
        table.row("budget, seconds", budget.path("seconds").asLong());
        table.row("cursor", json.path("cursor").asText());
        table.row("generation", json.path("generation").asLong());
        table.row("made", json.path("created_at").asText());
        table.row("acknowledged last", json.path("acked_at").asText("-").replace("null", "-"));
        for (JsonNode member : json.path("members")) {
            table.row(
                    "member " + member.path("member").asText(),
                    "partitions " + member.path("partitions") + " at "
                            + (member.path("node").isTextual()
                                    ? member.path("node").asText()
                                    : "no node"));
        }
        return table;
    }

    private static String toRetention(JsonNode lag) {
        return lag.path("seconds_to_retention").isNumber()
                ? lag.path("seconds_to_retention").asText()
                : "-";
    }

    private static String filter(JsonNode json) {
        StringJoiner text = new StringJoiner("&");
        json.properties()
                .forEach(each -> each.getValue().forEach(value -> text.add(each.getKey() + "=" + value.asText())));
        return text.length() == 0 ? "-" : text.toString();
    }
}
