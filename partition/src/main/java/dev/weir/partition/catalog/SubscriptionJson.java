package dev.weir.partition.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.partition.model.BadCursorException;
import dev.weir.partition.model.Cursor;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Subscriptions, and the entries about them, as JSON; see FORMATS, "Catalog log". A cursor is the text that users see. */
final class SubscriptionJson {
    private SubscriptionJson() {}

    static ObjectNode record(SubscriptionRecord record) {
        ObjectNode json = RecordJson.object().put("tenant", record.tenant()).put("name", record.name());
        ObjectNode filter = json.putObject("filter");
        record.filter().forEach((name, values) -> filter.set(name, RecordJson.texts(values)));
        json.put("from", record.from())
                .put("cursor", record.cursor().encode(record.tenant()))
                .put("budget_bytes", record.budget().bytes())
                .put("budget_seconds", record.budget().age().toSeconds())
                .put("generation", record.generation())
                .put("created_at", record.createdAtNanos())
                .put("acked_at", record.ackedAtNanos())
                .put("commits", record.commits())
                .put("seeks", record.seeks());
        if (!record.group().members().isEmpty()) {
            json.set("group", GroupJson.group(record.group()));
        }
        return json;
    }

    static SubscriptionRecord record(JsonReader json) {
        return new SubscriptionRecord(
                json.text("tenant"),
                json.text("name"),
                filter(json.object("filter")),
                json.text("from"),
                cursor(json),
                new SubscriptionBudget(
                        json.integer("budget_bytes"), Duration.ofSeconds(json.integer("budget_seconds"))),
                json.integer("generation"),
                json.integer("created_at"),
                json.integer("acked_at"),
                json.integer("commits"),
                json.integer("seeks"),
                json.has("group") ? GroupJson.group(json.object("group")) : ConsumerGroup.NONE);
    }

    static ObjectNode put(ObjectNode head, CatalogCommand.PutSubscription put) {
        head.put("subscriptions_per_tenant", put.perTenantMax());
        return head.set("subscription", record(put.subscription()));
    }

    static CatalogCommand.PutSubscription put(JsonReader json) {
        return new CatalogCommand.PutSubscription(
                record(json.object("subscription")), json.int32("subscriptions_per_tenant"));
    }

    static ObjectNode delete(ObjectNode head, CatalogCommand.DeleteSubscription delete) {
        return head.put("tenant", delete.tenant()).put("name", delete.name());
    }

    static CatalogCommand.DeleteSubscription delete(JsonReader json) {
        return new CatalogCommand.DeleteSubscription(json.text("tenant"), json.text("name"));
    }

    static ObjectNode commit(ObjectNode head, CatalogCommand.CommitCursors commit) {
        head.put("at", commit.atNanos());
        return head.set("commits", RecordJson.list(commit.commits(), SubscriptionJson::commit));
    }

    static CatalogCommand.CommitCursors commits(JsonReader json) {
        return new CatalogCommand.CommitCursors(json.integer("at"), json.list("commits", SubscriptionJson::commit));
    }

    static ObjectNode seek(ObjectNode head, CatalogCommand.SeekSubscription seek) {
        return head.put("tenant", seek.tenant())
                .put("name", seek.name())
                .put("cursor", seek.cursor().encode(seek.tenant()));
    }

    static CatalogCommand.SeekSubscription seek(JsonReader json) {
        return new CatalogCommand.SeekSubscription(json.text("tenant"), json.text("name"), cursor(json));
    }

    private static ObjectNode commit(CursorCommit commit) {
        ObjectNode json = RecordJson.object().put("tenant", commit.tenant()).put("name", commit.name());
        if (!commit.member().isEmpty()) {
            json.put("member", commit.member());
        }
        return json.put("generation", commit.generation())
                .put("cursor", commit.cursor().encode(commit.tenant()));
    }

    private static CursorCommit commit(JsonReader json) {
        return new CursorCommit(
                json.text("tenant"),
                json.text("name"),
                json.has("member") ? json.text("member") : "",
                json.integer("generation"),
                cursor(json));
    }

    private static SortedMap<String, List<String>> filter(JsonReader json) {
        SortedMap<String, List<String>> filter = new TreeMap<>();
        for (Iterator<String> names = json.json().fieldNames(); names.hasNext(); ) {
            String name = names.next();
            filter.put(name, json.texts(name));
        }
        return filter;
    }

    private static Cursor cursor(JsonReader json) {
        try {
            return Cursor.decode(json.text("cursor"), json.text("tenant"));
        } catch (BadCursorException e) {
            throw new IllegalArgumentException(json.what() + ".cursor: " + e.getMessage(), e);
        }
    }
}
