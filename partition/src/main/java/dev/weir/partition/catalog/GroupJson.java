package dev.weir.partition.catalog;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Groups, and the entries about them, as JSON; see FORMATS, "Catalog log". */
final class GroupJson {
    private GroupJson() {}

    static String kind(CatalogCommand.Group command) {
        return switch (command) {
            case CatalogCommand.JoinGroup join -> "join_group";
            case CatalogCommand.EndMemberStream end -> "end_member_stream";
            case CatalogCommand.SetReady set -> "set_ready";
            case CatalogCommand.ExpireMember expire -> "expire_member";
            case CatalogCommand.RenewMembers renew -> "renew_members";
            case CatalogCommand.ExpireNode expire -> "expire_node";
        };
    }

    static ObjectNode command(ObjectNode head, CatalogCommand.Group command) {
        return switch (command) {
            case CatalogCommand.JoinGroup join -> {
                subscription(head, join.tenant(), join.name()).put("member", join.member());
                head.set("stream", stream(join.stream()));
                head.put("generation", join.generation());
                head.set("ready", integers(join.ready()));
                yield head.put("members_max", join.membersMax());
            }
            case CatalogCommand.EndMemberStream end ->
                subscription(head, end.tenant(), end.name())
                        .put("member", end.member())
                        .put("stream", end.stream());
            case CatalogCommand.SetReady set ->
                subscription(head, set.tenant(), set.name())
                        .put("generation", set.generation())
                        .set("ready", integers(set.ready()));
            case CatalogCommand.ExpireMember expire ->
                subscription(head, expire.tenant(), expire.name())
                        .put("member", expire.member())
                        .put("generation", expire.generation());
            case CatalogCommand.RenewMembers renew -> head.put("node", renew.node());
            case CatalogCommand.ExpireNode expire ->
                head.put("node", expire.node()).put("lease", expire.lease());
        };
    }

    static CatalogCommand.Group command(String kind, JsonReader json) {
        return switch (kind) {
            case "join_group" ->
                new CatalogCommand.JoinGroup(
                        json.text("tenant"),
                        json.text("name"),
                        json.text("member"),
                        stream(json.object("stream")),
                        madeOutIn(json),
                        new TreeSet<>(json.integers("ready")),
                        json.int32("members_max"));
            case "end_member_stream" ->
                new CatalogCommand.EndMemberStream(
                        json.text("tenant"), json.text("name"), json.text("member"), json.text("stream"));
            case "set_ready" ->
                new CatalogCommand.SetReady(
                        json.text("tenant"), json.text("name"), madeOutIn(json), new TreeSet<>(json.integers("ready")));
            case "expire_member" ->
                new CatalogCommand.ExpireMember(
                        json.text("tenant"), json.text("name"), json.text("member"), json.integer("generation"));
            case "renew_members" -> new CatalogCommand.RenewMembers(json.text("node"));
            case "expire_node" -> new CatalogCommand.ExpireNode(json.text("node"), json.integer("lease"));
            default -> throw new IllegalArgumentException("catalog entry: kind '" + kind + "' is not one of a group");
        };
    }

    static ObjectNode group(ConsumerGroup group) {
        ObjectNode json = RecordJson.object();
        json.set("ready", integers(group.ready()));
        json.set("members", RecordJson.list(group.members().values(), GroupJson::member));
        return json;
    }

    static ConsumerGroup group(JsonReader json) {
        SortedMap<String, GroupMember> members = new TreeMap<>();
        json.list("members", GroupJson::member).forEach(member -> members.put(member.name(), member));
        return new ConsumerGroup(new TreeSet<>(json.integers("ready")), members);
    }

    /** Version 1 does not say it. */
    private static long madeOutIn(JsonReader json) {
        return json.integer("v") == 1 ? CatalogCommand.Group.ANY_GENERATION : json.integer("generation");
    }

    private static ObjectNode member(GroupMember member) {
        ObjectNode json = RecordJson.object().put("name", member.name());
        json.set("stream", stream(member.stream()));
        json.set("waiting", stream(member.waiting()));
        json.put("generation", member.generation());
        json.set("partitions", integers(member.partitions()));
        json.set("leaving", integers(member.leaving()));
        return json;
    }

    private static GroupMember member(JsonReader json) {
        return new GroupMember(
                json.text("name"),
                stream(json.object("stream")),
                stream(json.object("waiting")),
                json.integer("generation"),
                new TreeSet<>(json.integers("partitions")),
                new TreeSet<>(json.integers("leaving")));
    }

    private static ObjectNode stream(MemberStream stream) {
        return RecordJson.object().put("node", stream.node()).put("id", stream.id());
    }

    private static MemberStream stream(JsonReader json) {
        return new MemberStream(json.text("node"), json.text("id"));
    }

    private static ArrayNode integers(Collection<Integer> numbers) {
        ArrayNode array = RecordJson.object().arrayNode();
        numbers.forEach(array::add);
        return array;
    }

    private static ObjectNode subscription(ObjectNode head, String tenant, String name) {
        return head.put("tenant", tenant).put("name", name);
    }
}
