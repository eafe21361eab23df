package dev.weir.partition.catalog;

import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The members that share a subscription's partitions.
 *
 * @param ready partitions that may be read: whose parents, if they have any, are acknowledged to their end
 */
public record ConsumerGroup(SortedSet<Integer> ready, SortedMap<String, GroupMember> members) {
    /** No member. */
    public static final ConsumerGroup NONE = new ConsumerGroup(new TreeSet<>(), new TreeMap<>());

    public ConsumerGroup {
        ready = Collections.unmodifiableSortedSet(new TreeSet<>(ready));
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
    }

    ConsumerGroup withReady(SortedSet<Integer> partitions) {
        return new ConsumerGroup(partitions, members);
    }

    ConsumerGroup with(GroupMember member) {
        SortedMap<String, GroupMember> all = new TreeMap<>(members);
        all.put(member.name(), member);
        return new ConsumerGroup(ready, all);
    }

    ConsumerGroup without(String member) {
        SortedMap<String, GroupMember> all = new TreeMap<>(members);
        all.remove(member);
        return all.isEmpty() ? NONE : new ConsumerGroup(ready, all);
    }
}
