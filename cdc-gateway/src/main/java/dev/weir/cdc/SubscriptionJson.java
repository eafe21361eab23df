package dev.weir.cdc;

import dev.weir.partition.catalog.GroupMember;
import dev.weir.partition.catalog.SubscriptionRecord;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Subscriptions as answers show them. */
final class SubscriptionJson {
    private SubscriptionJson() {}

    static JsonObject of(SubscriptionRecord subscription) {
        JsonObject filter = new JsonObject();
        subscription.filter().forEach((name, values) -> filter.put(name, new JsonArray(values)));
        JsonObject next = new JsonObject();
        subscription.cursor().next().forEach((partition, seq) -> next.put(Integer.toString(partition), seq));
        JsonObject json = new JsonObject()
                .put("name", subscription.name())
                .put("filter", filter)
                .put("from", subscription.from())
                .put("generation", subscription.generation())
                .put("cursor", subscription.cursor().encode(subscription.tenant()))
                .put("next", next)
                .put(
                        "budget",
                        new JsonObject()
                                .put("bytes", subscription.budget().bytes())
                                .put("seconds", subscription.budget().age().toSeconds()))
                .put("created_at", time(subscription.createdAtNanos()))
                .put("acked_at", subscription.ackedAtNanos() == 0 ? null : time(subscription.ackedAtNanos()))
                .put("commits", subscription.commits())
                .put("seeks", subscription.seeks());
        if (!subscription.group().members().isEmpty()) {
            json.put("members", members(subscription));
        }
        return json;
    }

    private static JsonArray members(SubscriptionRecord subscription) {
        JsonArray members = new JsonArray();
        for (GroupMember member : subscription.group().members().values()) {
            members.add(new JsonObject()
                    .put("member", member.name())
                    .put("generation", member.generation())
                    .put("node", member.stream().open() ? member.stream().node() : null)
                    .put("partitions", new JsonArray(List.copyOf(member.partitions())))
                    .put("leaving", new JsonArray(List.copyOf(member.leaving()))));
        }
        return members;
    }

    /** With how far it is behind. */
    static JsonObject of(SubscriptionRecord subscription, SubscriptionLag lag) {
        JsonObject json = new JsonObject()
                .put("events", lag.events())
                .put("bytes", lag.bytes())
                .put("seconds", Math.round(lag.seconds() * 1_000) / 1_000.0)
                .put(
                        "seconds_to_retention",
                        lag.secondsToRetention().isEmpty()
                                ? null
                                : lag.secondsToRetention().getAsLong());
        if (!lag.unreachable().isEmpty()) {
            json.put("unreachable_partitions", new JsonArray(List.copyOf(lag.unreachable())));
        }
        return of(subscription).put("state", lag.state().word()).put("lag", json);
    }

    private static String time(long nanos) {
        return Clocks.instant(nanos).toString();
    }
}
