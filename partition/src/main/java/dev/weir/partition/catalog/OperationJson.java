package dev.weir.partition.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Operations, and the entries about them, as JSON; see FORMATS, "Catalog log". */
final class OperationJson {
    private OperationJson() {}

    static String kind(CatalogCommand.Operation command) {
        return switch (command) {
            case CatalogCommand.StartOperation start -> "start_operation";
            case CatalogCommand.SteerOperation steer -> "steer_operation";
            case CatalogCommand.AdvanceAction advance -> "advance_action";
        };
    }

    static ObjectNode command(ObjectNode head, CatalogCommand.Operation command) {
        return switch (command) {
            case CatalogCommand.StartOperation start -> head.set("operation", record(start.operation()));
            case CatalogCommand.SteerOperation steer ->
                head.put("operation", steer.id())
                        .put("wish", steer.wish().wireName())
                        .put("now", steer.nowNanos());
            case CatalogCommand.AdvanceAction advance ->
                head.put("operation", advance.id())
                        .put("action", advance.action())
                        .put("state", advance.state().wireName())
                        .put("message", advance.message())
                        .put("now", advance.nowNanos());
        };
    }

    static CatalogCommand.Operation command(String kind, JsonReader json) {
        return switch (kind) {
            case "start_operation" -> new CatalogCommand.StartOperation(record(json.object("operation")));
            case "steer_operation" ->
                new CatalogCommand.SteerOperation(
                        json.text("operation"),
                        RecordJson.one(
                                CatalogCommand.Wish.values(), CatalogCommand.Wish::wireName, "wish", json.text("wish")),
                        json.integer("now"));
            case "advance_action" ->
                new CatalogCommand.AdvanceAction(
                        json.text("operation"),
                        json.int32("action"),
                        RecordJson.one(ActionState.values(), ActionState::wireName, "state", json.text("state")),
                        json.text("message"),
                        json.integer("now"));
            default ->
                throw new IllegalArgumentException("catalog entry: kind '" + kind + "' is not one of an operation");
        };
    }

    static ObjectNode record(OperationRecord operation) {
        ObjectNode json = RecordJson.object()
                .put("id", operation.id())
                .put("kind", operation.kind())
                .put("epoch", operation.epoch())
                .put("state", operation.state().wireName())
                .put("by", operation.by())
                .put("started_at", operation.startedAtNanos())
                .put("ended_at", operation.endedAtNanos());
        json.set("actions", RecordJson.list(operation.actions(), OperationJson::action));
        return json;
    }

    static OperationRecord record(JsonReader json) {
        return new OperationRecord(
                json.text("id"),
                json.text("kind"),
                json.integer("epoch"),
                RecordJson.one(OperationState.values(), OperationState::wireName, "state", json.text("state")),
                json.text("by"),
                json.integer("started_at"),
                json.integer("ended_at"),
                json.list("actions", OperationJson::action));
    }

    private static ObjectNode action(ActionRecord record) {
        OperationAction action = record.action();
        ObjectNode json = RecordJson.object().put("action", action.kind()).put("partition", action.partition());
        if (action instanceof OperationAction.MoveReplica move) {
            json.put("from", move.from());
        }
        return json.put("to", action.to())
                .put("state", record.state().wireName())
                .put("message", record.message());
    }

    private static ActionRecord action(JsonReader json) {
        String kind = json.text("action");
        OperationAction action = switch (kind) {
            case "move" -> new OperationAction.MoveReplica(json.int32("partition"), json.text("from"), json.text("to"));
            case "transfer-leader" -> new OperationAction.TransferLeader(json.int32("partition"), json.text("to"));
            default ->
                throw new IllegalArgumentException(
                        json.what() + ": action: expected move or transfer-leader, found '" + kind + "'");
        };
        return new ActionRecord(
                action,
                RecordJson.one(ActionState.values(), ActionState::wireName, "state", json.text("state")),
                json.text("message"));
    }
}
