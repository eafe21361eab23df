package dev.weir.node.server;

import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.OperationAction;
import dev.weir.partition.catalog.OperationRecord;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.placement.MovePlanner;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * What was asked for, as actions.
 *
 * @param kind as asked
 * @param actions none where all is as wished already
 * @param left partitions that can't be changed as wished
 */
record OperationPlan(String kind, List<OperationAction> actions, List<Integer> left) {
    OperationPlan {
        actions = List.copyOf(actions);
        left = List.copyOf(left);
    }

    /** @throws RefusedException the request says too little, or something else */
    static OperationPlan of(JsonObject asked, CatalogImage image) throws RefusedException {
        String kind = asked.getString("kind", "");
        return switch (kind) {
            case "move" ->
                one(kind, new OperationAction.MoveReplica(partition(asked), text(asked, "from"), text(asked, "to")));
            case "transfer-leader" ->
                one(kind, new OperationAction.TransferLeader(partition(asked), text(asked, "to")));
            case "rebalance" ->
                new OperationPlan(
                        kind,
                        List.copyOf(MovePlanner.rebalance(
                                image.partitions().values(), image.nodes().keySet())),
                        List.of());
            case "drain" -> drain(text(asked, "node"), image);
            default -> throw bad("kind: expected move, transfer-leader, rebalance or drain, found '" + kind + "'");
        };
    }

    private static OperationPlan one(String kind, OperationAction action) {
        return new OperationPlan(kind, List.of(action), List.of());
    }

    private static OperationPlan drain(String node, CatalogImage image) throws RefusedException {
        if (!image.nodes().containsKey(node)) {
            throw new RefusedException(Refusal.of(ErrorCode.NOT_FOUND, "node " + node + " does not exist"));
        }
        MovePlanner.Drain drain = MovePlanner.drain(
                node, image.partitions().values(), image.nodes().keySet());
        if (drain.moves().isEmpty() && !drain.left().isEmpty()) {
            throw new RefusedException(Refusal.of(
                    ErrorCode.CONFLICT,
                    "all other nodes hold partitions " + drain.left() + " of node " + node
                            + " already: another node has to be added first"));
        }
        return new OperationPlan("drain", List.copyOf(drain.moves()), drain.left());
    }

    /** One that runs and was asked for likewise; what is left of its plan is shorter by now. */
    Optional<OperationRecord> running(CatalogImage image, JsonObject asked) {
        String node = asked.getString("node", "");
        return image.operations().stream()
                .filter(each -> each.state().isLive()
                        && each.kind().equals(kind)
                        && (kind.equals("rebalance") || (kind.equals("drain") && empties(each, node))))
                .findFirst();
    }

    private static boolean empties(OperationRecord operation, String node) {
        return operation.actions().stream()
                .allMatch(each -> each.action() instanceof OperationAction.MoveReplica move
                        && move.from().equals(node));
    }

    private static int partition(JsonObject asked) throws RefusedException {
        Integer partition = asked.getInteger("partition");
        if (partition == null) {
            throw bad("partition: expected its number, found " + asked.fieldNames());
        }
        return partition;
    }

    private static String text(JsonObject asked, String name) throws RefusedException {
        String text = asked.getString(name, "");
        if (text.isEmpty()) {
            throw bad(name + ": expected a node's id, found " + asked.fieldNames());
        }
        return text;
    }

    private static RefusedException bad(String message) {
        return new RefusedException(Refusal.of(ErrorCode.BAD_REQUEST, message));
    }
}
