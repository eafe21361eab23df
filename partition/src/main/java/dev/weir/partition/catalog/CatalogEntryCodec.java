package dev.weir.partition.catalog;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Entries of the catalog's log as JSON: {@code kind}, {@code v} (the kind's version), {@code id}, then what the kind says. The bytes are in
 * FORMATS, "Catalog log", and fixed by golden bytes.
 */
final class CatalogEntryCodec {
    private CatalogEntryCodec() {}

    static byte[] encode(CatalogEntry entry) {
        return RecordJson.bytes(
                switch (entry.command()) {
                    case CatalogCommand.Birth birth -> birth(entry, birth);
                    case CatalogCommand.NodeStarted started ->
                        head("node_started", entry).set("node", RecordJson.node(started.node()));
                    case CatalogCommand.CreateTenant create ->
                        head("create_tenant", entry).put("name", create.name());
                    case CatalogCommand.AddAlias add ->
                        head("add_alias", entry).put("tenant", add.tenant()).put("alias", add.alias());
                    case CatalogCommand.CreateToken create ->
                        head("create_token", entry).set("token", RecordJson.token(create.token()));
                    case CatalogCommand.RevokeToken revoke ->
                        head("revoke_token", entry).put("token_id", revoke.tokenId());
                    case CatalogCommand.AgreeSchema agree -> agree(entry, agree);
                    case CatalogCommand.CreateTable create ->
                        TableEntryJson.create(head("create_table", entry), entry.limits(), create);
                    case CatalogCommand.AlterTable alter ->
                        TableEntryJson.alter(
                                head(TableEntryJson.kind(alter.alteration()), entry), entry.limits(), alter);
                    case CatalogCommand.DropTable drop ->
                        head("drop_table", entry)
                                .put("tenant", drop.tenant())
                                .put("table", drop.table())
                                .put("change_id", drop.changeId());
                    case CatalogCommand.DropFinished finished ->
                        head("drop_finished", entry).put("table_id", finished.tableId());
                    case CatalogCommand.TakeLease take -> {
                        ObjectNode json = head("take_lease", entry);
                        json.set("lease", RecordJson.lease(take.lease()));
                        yield json.put("leases_max", take.leasesMax()).put("now", take.nowNanos());
                    }
                    case CatalogCommand.RenewLease renew ->
                        head("renew_lease", entry)
                                .put("lease_id", renew.leaseId())
                                .put("expires_at", renew.expiresAtNanos())
                                .put("now", renew.nowNanos());
                    case CatalogCommand.EndLease end -> head("end_lease", entry).put("lease_id", end.leaseId());
                    case CatalogCommand.SetReplicas set -> setReplicas(entry, set);
                    case CatalogCommand.PutSubscription put ->
                        SubscriptionJson.put(head("put_subscription", entry), put);
                    case CatalogCommand.DeleteSubscription delete ->
                        SubscriptionJson.delete(head("delete_subscription", entry), delete);
                    case CatalogCommand.CommitCursors commit ->
                        SubscriptionJson.commit(head("commit_cursors", entry), commit);
                    case CatalogCommand.SeekSubscription seek ->
                        SubscriptionJson.seek(head("seek_subscription", entry), seek);
                    case CatalogCommand.Group group -> GroupJson.command(head(GroupJson.kind(group), entry), group);
                    case CatalogCommand.Operation operation ->
                        OperationJson.command(head(OperationJson.kind(operation), entry), operation);
                });
    }

    /** @throws IllegalArgumentException no entry, or of a kind or version that this build does not know */
    static CatalogEntry decode(byte[] bytes) {
        JsonReader json = RecordJson.reader("catalog entry", bytes);
        String kind = json.text("kind");
        long version = json.integer("v");
        if (version < 1 || version > newest(kind)) {
            throw new IllegalArgumentException("catalog entry " + kind + ": version " + version
                    + ", this build knows versions 1 to " + newest(kind) + " only");
        }
        CatalogCommand command = switch (kind) {
            case "birth" ->
                new CatalogCommand.Birth(
                        json.text("cluster_id"),
                        json.int32("replication_factor"),
                        json.list("nodes", RecordJson::node),
                        json.list("partitions", RecordJson::partition));
            case "node_started" -> new CatalogCommand.NodeStarted(RecordJson.node(json.object("node")));
            case "create_tenant" -> new CatalogCommand.CreateTenant(json.text("name"));
            case "add_alias" -> new CatalogCommand.AddAlias(json.text("tenant"), json.text("alias"));
            case "create_token" -> new CatalogCommand.CreateToken(RecordJson.token(json.object("token")));
            case "revoke_token" -> new CatalogCommand.RevokeToken(json.text("token_id"));
            case "agree_schema" ->
                new CatalogCommand.AgreeSchema(
                        json.text("tenant"), json.text("table"), json.list("wishes", RecordJson::wish));
            case "create_table" -> TableEntryJson.create(json);
            case "add_column" -> TableEntryJson.addColumn(json);
            case "drop_column" -> TableEntryJson.dropColumn(json);
            case "widen_column" -> TableEntryJson.widenColumn(json);
            case "set_table" -> TableEntryJson.set(json);
            case "drop_table" ->
                new CatalogCommand.DropTable(json.text("tenant"), json.text("table"), json.text("change_id"));
            case "drop_finished" -> new CatalogCommand.DropFinished(json.int32("table_id"));
            case "take_lease" ->
                new CatalogCommand.TakeLease(
                        RecordJson.lease(json.object("lease")), json.int32("leases_max"), json.integer("now"));
            case "renew_lease" ->
                new CatalogCommand.RenewLease(json.text("lease_id"), json.integer("expires_at"), json.integer("now"));
            case "end_lease" -> new CatalogCommand.EndLease(json.text("lease_id"));
            case "set_replicas" ->
                new CatalogCommand.SetReplicas(
                        json.int32("partition"), json.texts("replicas"), json.integer("expected_epoch"));
            case "put_subscription" -> SubscriptionJson.put(json);
            case "delete_subscription" -> SubscriptionJson.delete(json);
            case "commit_cursors" -> SubscriptionJson.commits(json);
            case "seek_subscription" -> SubscriptionJson.seek(json);
            case "join_group", "end_member_stream", "set_ready", "expire_member", "renew_members", "expire_node" ->
                GroupJson.command(kind, json);
            case "start_operation", "steer_operation", "advance_action" -> OperationJson.command(kind, json);
            default ->
                throw new IllegalArgumentException("catalog entry: kind '" + kind + "' is not known to this build");
        };
        return new CatalogEntry(json.text("id"), limits(json, command), command);
    }

    /** A kind's newest version, which is the one that is written. */
    private static int newest(String kind) {
        return switch (kind) {
            case "join_group", "set_ready" -> 2;
            default -> 1;
        };
    }

    private static ObjectNode head(String kind, CatalogEntry entry) {
        return RecordJson.object().put("kind", kind).put("v", newest(kind)).put("id", entry.id());
    }

    private static ObjectNode birth(CatalogEntry entry, CatalogCommand.Birth birth) {
        ObjectNode json = head("birth", entry)
                .put("cluster_id", birth.clusterId())
                .put("replication_factor", birth.replicationFactor());
        json.set("nodes", RecordJson.list(birth.nodes(), RecordJson::node));
        json.set("partitions", RecordJson.list(birth.partitions(), RecordJson::partition));
        return json;
    }

    private static ObjectNode agree(CatalogEntry entry, CatalogCommand.AgreeSchema agree) {
        ObjectNode json =
                head("agree_schema", entry).put("tenant", agree.tenant()).put("table", agree.table());
        TableEntryJson.limits(json, entry.limits());
        json.set("wishes", RecordJson.list(agree.wishes(), RecordJson::wish));
        return json;
    }

    private static ObjectNode setReplicas(CatalogEntry entry, CatalogCommand.SetReplicas set) {
        ObjectNode json = head("set_replicas", entry).put("partition", set.partition());
        json.set("replicas", RecordJson.texts(set.replicas()));
        return json.put("expected_epoch", set.expectedEpoch());
    }

    private static CatalogLimits limits(JsonReader json, CatalogCommand command) {
        boolean judged = switch (command) {
            case CatalogCommand.AgreeSchema agree -> true;
            case CatalogCommand.CreateTable create -> true;
            case CatalogCommand.AlterTable alter -> alter.alteration() instanceof TableAlteration.AddColumn;
            case CatalogCommand.Birth birth -> false;
            case CatalogCommand.NodeStarted started -> false;
            case CatalogCommand.CreateTenant create -> false;
            case CatalogCommand.AddAlias add -> false;
            case CatalogCommand.CreateToken create -> false;
            case CatalogCommand.RevokeToken revoke -> false;
            case CatalogCommand.DropTable drop -> false;
            case CatalogCommand.DropFinished finished -> false;
            case CatalogCommand.TakeLease take -> false;
            case CatalogCommand.RenewLease renew -> false;
            case CatalogCommand.EndLease end -> false;
            case CatalogCommand.SetReplicas set -> false;
            case CatalogCommand.PutSubscription put -> false;
            case CatalogCommand.DeleteSubscription delete -> false;
            case CatalogCommand.CommitCursors commit -> false;
            case CatalogCommand.SeekSubscription seek -> false;
            case CatalogCommand.Group group -> false;
            case CatalogCommand.Operation operation -> false;
        };
        return judged
                ? new CatalogLimits(json.int32("columns_per_table"), json.int32("tables_per_tenant"))
                : CatalogLimits.DEFAULTS;
    }
}
