package dev.weir.partition.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import org.jspecify.annotations.Nullable;

/** Replies to catalog commands as JSON, and what a node answers to a proposal that was forwarded to it. See FORMATS, "Catalog log". */
final class CatalogAnswerCodec {
    private CatalogAnswerCodec() {}

    /** What a node that was asked to append a proposal answers. */
    sealed interface Answer {
        record Replied(CatalogReply reply) implements Answer {}

        /** Not appended there, or not known whether: ask again, the leader where it is named. */
        record TryAgain(String why, @Nullable String leader) implements Answer {}
    }

    static byte[] encode(Answer answer) {
        return RecordJson.bytes(
                switch (answer) {
                    case Answer.Replied replied -> reply(replied.reply());
                    case Answer.TryAgain again ->
                        RecordJson.object()
                                .put("kind", "try_again")
                                .put("why", again.why())
                                .put("leader", again.leader());
                });
    }

    /** @throws IllegalArgumentException no answer */
    static Answer decode(byte[] bytes) {
        JsonReader json = RecordJson.reader("catalog answer", bytes);
        if (!json.text("kind").equals("try_again")) {
            return new Answer.Replied(reply(json));
        }
        return new Answer.TryAgain(json.text("why"), json.json().path("leader").textValue());
    }

    static ObjectNode reply(CatalogReply reply) {
        return switch (reply) {
            case CatalogReply.Done done -> head("done", done.version());
            case CatalogReply.Incarnation started ->
                head("incarnation", started.version()).put("incarnation", started.incarnation());
            case CatalogReply.Schema schema -> {
                ObjectNode json = head("schema", schema.version());
                json.set("schema", RecordJson.schema(schema.schema()));
                json.set("over_limit", RecordJson.texts(schema.overLimit()));
                yield json.put("limit_message", schema.limitMessage());
            }
            case CatalogReply.Dropped dropped ->
                head("dropped", dropped.version()).set("drop", RecordJson.drop(dropped.drop()));
            case CatalogReply.Refused refused ->
                head("refused", refused.version())
                        .put("code", refused.refusal().code().wireName())
                        .put("message", refused.refusal().message())
                        .put("retry_after_ms", refused.refusal().retryAfterMs());
        };
    }

    static CatalogReply reply(JsonReader json) {
        long version = json.integer("version");
        String kind = json.text("kind");
        return switch (kind) {
            case "done" -> new CatalogReply.Done(version);
            case "incarnation" -> new CatalogReply.Incarnation(version, json.integer("incarnation"));
            case "schema" ->
                new CatalogReply.Schema(
                        version,
                        RecordJson.schema(json.object("schema")),
                        json.texts("over_limit"),
                        json.text("limit_message"));
            case "dropped" -> new CatalogReply.Dropped(version, RecordJson.drop(json.object("drop")));
            case "refused" ->
                new CatalogReply.Refused(
                        version,
                        new Refusal(
                                RecordJson.one(ErrorCode.values(), ErrorCode::wireName, "code", json.text("code")),
                                json.text("message"),
                                json.integer("retry_after_ms")));
            default -> throw new IllegalArgumentException("catalog reply: no such kind: '" + kind + "'");
        };
    }

    private static ObjectNode head(String kind, long version) {
        return RecordJson.object().put("kind", kind).put("version", version);
    }
}
