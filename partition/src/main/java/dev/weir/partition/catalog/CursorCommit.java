package dev.weir.partition.catalog;

import dev.weir.partition.model.Cursor;
import java.util.TreeMap;

/**
 * An acknowledgement on its way into the catalog.
 *
 * @param member of the group that sends it; empty where the subscription is read by one alone
 * @param generation of the subscription, or of the member, that it is for; of another one it changes nothing
 * @param cursor everything before is done; partitions that it does not name stay where they are
 */
public record CursorCommit(String tenant, String name, String member, long generation, Cursor cursor) {
    /** What of the cursor counts for the subscription as it is now: nothing, if it has changed meanwhile. */
    Cursor counting(SubscriptionRecord now) {
        if (member.isEmpty()) {
            return now.generation() == generation && now.group().members().isEmpty()
                    ? cursor
                    : new Cursor(new TreeMap<>());
        }
        GroupMember mine = now.group().members().get(member);
        TreeMap<Integer, Long> counting = new TreeMap<>();
        if (mine != null && mine.generation() == generation) {
            counting.putAll(cursor.next());
            counting.keySet().retainAll(mine.partitions());
        }
        return new Cursor(counting);
    }
}
