package dev.weir.partition.catalog;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Shares a group's partitions evenly and moves as few as that takes. A partition is never two members': who has too many gives up when his stream has ended,
 * and only then is it somebody else's. Pure; the same on every replica.
 */
final class GroupBalance {
    private final ConsumerGroup group;
    private final long version;
    /** Who has most comes first, and keeps most. */
    private final List<GroupMember> members;

    private final Map<String, SortedSet<Integer>> held = new HashMap<>();
    private final Map<String, SortedSet<Integer>> leaving = new HashMap<>();

    private GroupBalance(ConsumerGroup group, long version) {
        this.group = group;
        this.version = version;
        this.members = new ArrayList<>(group.members().values());
        members.sort(
                Comparator.comparingInt((GroupMember member) -> -member.kept().size())
                        .thenComparing(GroupMember::name));
        for (GroupMember member : members) {
            held.put(member.name(), new TreeSet<>(member.partitions()));
            leaving.put(member.name(), new TreeSet<>(member.leaving()));
        }
    }

    /** @param version of the catalog, the generation of members that this changes */
    static ConsumerGroup balanced(ConsumerGroup group, long version) {
        return group.members().isEmpty() ? ConsumerGroup.NONE : new GroupBalance(group, version).result();
    }

    private ConsumerGroup result() {
        for (int i = 0; i < members.size(); i++) {
            giveUp(members.get(i), target(i));
        }
        TreeSet<Integer> free = new TreeSet<>(group.ready());
        held.values().forEach(free::removeAll);
        for (int partition : free) {
            give(partition);
        }
        ConsumerGroup after = group;
        for (GroupMember member : members) {
            after = after.with(changed(member));
        }
        return after;
    }

    private int target(int index) {
        int share = group.ready().size() / members.size();
        return index < group.ready().size() % members.size() ? share + 1 : share;
    }

    /** What is not ready any more, and what is too much. */
    private void giveUp(GroupMember member, int target) {
        TreeSet<Integer> kept = new TreeSet<>(sets(held, member));
        kept.removeAll(sets(leaving, member));
        TreeSet<Integer> over = new TreeSet<>(kept);
        over.removeAll(group.ready());
        kept.retainAll(group.ready());
        while (kept.size() > target) {
            over.add(kept.removeLast());
        }
        if (member.stream().open()) {
            sets(leaving, member).addAll(over);
        } else {
            sets(held, member).removeAll(over);
        }
    }

    private void give(int partition) {
        for (int most = 0; most < group.ready().size(); most++) {
            for (int i = 0; i < members.size(); i++) {
                GroupMember member = members.get(i);
                int kept = sets(held, member).size() - sets(leaving, member).size();
                if (kept == most && kept < target(i)) {
                    sets(held, member).add(partition);
                    return;
                }
            }
        }
    }

    private GroupMember changed(GroupMember member) {
        SortedSet<Integer> mine = sets(held, member);
        SortedSet<Integer> going = sets(leaving, member);
        boolean same = mine.equals(member.partitions()) && going.equals(member.leaving());
        return member.withPartitions(mine, going, same ? member.generation() : version);
    }

    private static SortedSet<Integer> sets(Map<String, SortedSet<Integer>> sets, GroupMember member) {
        SortedSet<Integer> set = sets.get(member.name());
        if (set == null) {
            throw new IllegalStateException("member " + member.name() + " is not in the group");
        }
        return set;
    }
}
